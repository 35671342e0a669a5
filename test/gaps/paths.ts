import { expect } from 'vitest'
import { send } from '../kit/send.ts'
import { idsOf, messageOf } from './replies.ts'
import type { GapRow } from './row.ts'

const petUrl = '/v1/pets/1'

/** The gaps of single pets, of orders and of paths (spec 4, 4.3, 4.4, 9). */
export const pathRows: readonly GapRow[] = [
  {
    gap: 'invalidPetId',
    choice: 'bad-request',
    does: 'answers 400 for an id that is none, and still 404 for one that no pet has',
    async check(sandbox) {
      expect(await messageOf(sandbox, '/v1/pets/abc')).toContain('Cannot find pet "abc"')
      expect(await messageOf(sandbox, '/v1/pets/9223372036854775808')).toContain('an id is')
      expect((await send(sandbox, { url: '/v1/pets/999' })).status).toBe(404)
    },
  },
  {
    gap: 'deprecationHeaders',
    choice: 'none',
    does: 'does not announce the removal',
    async check(sandbox) {
      const { headers } = await send(sandbox, { url: petUrl })
      for (const name of ['deprecation', 'sunset', 'link']) {
        expect(Object.keys(headers)).not.toContain(name)
      }
    },
  },
  {
    gap: 'deprecationOn',
    choice: 'every-reply',
    does: 'announces the removal whatever it answers',
    async check(sandbox) {
      const replies = [
        await send(sandbox, { url: petUrl }),
        await send(sandbox, { url: '/v1/pets/999' }),
        await send(sandbox, { url: petUrl, key: null }),
      ]
      expect(replies.map(({ status }) => status)).toEqual([200, 404, 401])
      for (const { headers } of replies) expect(headers.deprecation).toBe('@1764892800')
    },
  },
  {
    gap: 'deprecationOn',
    choice: 'success',
    does: 'announces the removal only where it gives a pet',
    async check(sandbox) {
      expect((await send(sandbox, { url: petUrl })).headers.deprecation).toBe('@1764892800')
      for (const request of [{ url: '/v1/pets/999' }, { url: petUrl, key: null }]) {
        const { headers } = await send(sandbox, request)
        for (const name of ['deprecation', 'sunset', 'link']) {
          expect(Object.keys(headers)).not.toContain(name)
        }
      }
    },
  },
  {
    gap: 'afterSunset',
    choice: 'not-found',
    does: 'answers 404 for every pet from 5 December 2030 on',
    async check(sandbox) {
      sandbox.clock.set('2030-12-05')
      expect((await send(sandbox, { url: petUrl })).status).toBe(404)
    },
  },
  {
    gap: 'afterSunset',
    choice: 'gone',
    does: 'answers 410 for every pet from 5 December 2030 on, saying what to use',
    async check(sandbox) {
      sandbox.clock.set('2030-12-04T23:59:59.999Z')
      expect((await send(sandbox, { url: petUrl })).status).toBe(200)
      sandbox.clock.set('2030-12-05')
      for (const url of [petUrl, '/v1/pets/999', '/v1/pets/abc']) {
        const reply = await send(sandbox, { url })
        expect(reply.status).toBe(410)
        expect(reply.headers.deprecation).toBe('@1764892800')
        expect(JSON.parse(reply.body)).toEqual({
          code: 'gone',
          message: 'Cannot use getPet: it was removed on 2030-12-05; use GET /pets',
          status: 410,
        })
      }
    },
  },
  {
    gap: 'afterSunset',
    choice: 'keep',
    does: 'gives pets on and on',
    async check(sandbox) {
      sandbox.clock.set('2031-01-01')
      const reply = await send(sandbox, { url: petUrl })
      expect(reply.status).toBe(200)
      expect(reply.headers.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    },
  },
  {
    gap: 'sunsetInstant',
    choice: 'start-of-day',
    does: 'removes the operation as the day begins',
    async check(sandbox) {
      sandbox.clock.set('2030-12-04T23:59:59.999Z')
      const last = await send(sandbox, { url: petUrl })
      expect(last.status).toBe(200)
      expect(last.headers.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
      sandbox.clock.set('2030-12-05T00:00:00Z')
      expect((await send(sandbox, { url: petUrl })).status).toBe(404)
    },
  },
  {
    gap: 'sunsetInstant',
    choice: 'end-of-day',
    does: 'removes the operation in the last second of the day, which a scenario knows',
    async check(sandbox) {
      sandbox.clock.set('2030-12-05T23:59:58.999Z')
      const last = await send(sandbox, { url: petUrl })
      expect(last.status).toBe(200)
      expect(last.headers.sunset).toBe('Thu, 05 Dec 2030 23:59:59 GMT')
      sandbox.clock.set('2030-12-05T23:59:59Z')
      expect((await send(sandbox, { url: petUrl })).status).toBe(404)
      sandbox.scenario('sunset-tomorrow')
      expect(sandbox.clock.read().now).toBe('2030-12-04T23:59:59Z')
      sandbox.scenario('sunset-passed')
      expect((await send(sandbox, { url: petUrl })).status).toBe(404)
    },
  },
  {
    gap: 'storeOrders',
    choice: 'not-found',
    does: 'has no path of orders, by any method',
    async check(sandbox) {
      for (const method of ['GET', 'POST']) {
        expect((await send(sandbox, { method, url: '/v1/store/orders' })).status).toBe(404)
      }
    },
  },
  {
    gap: 'trailingSlash',
    choice: 'not-found',
    does: 'knows no path that ends in a slash',
    async check(sandbox) {
      expect((await send(sandbox, { url: '/v1/pets/' })).status).toBe(404)
      expect((await send(sandbox, { url: '/v1/pets/1/' })).status).toBe(404)
    },
  },
  {
    gap: 'trailingSlash',
    choice: 'same',
    does: 'takes a path that ends in one slash for the path without',
    async check(sandbox) {
      expect(await idsOf(sandbox, 'limit=1')).toEqual([1])
      const urls = ['/v1/pets/?limit=1', '/v1/pets/1/', '/v1/pets//', '/v1/pets/1//', '/v1/']
      const statuses = []
      for (const url of urls) statuses.push((await send(sandbox, { url })).status)
      expect(statuses).toEqual([200, 200, 404, 404, 404])
      const put = await send(sandbox, { method: 'PUT', url: '/v1/pets/' })
      expect(put.headers.allow).toBe('GET, HEAD, POST')
    },
  },
]
