import { expect } from 'vitest'
import type { Reply } from '../../src/contract/message.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { startAt } from '../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../kit/send.ts'
import type { GapRow } from './row.ts'

/** Sends a request, whose reply need not be as the API is described. */
async function ask(sandbox: Sandbox, request: TestRequest = {}): Promise<Reply> {
  const outcome = await sandbox.handle(requestOf(request))
  if (outcome.kind !== 'reply') throw new Error('Cannot give the reply: the connection was broken')
  return outcome
}

/** The gaps of what nobody has promised (spec 9). */
export const unpromisedRows: readonly GapRow[] = [
  {
    gap: 'replyExtras',
    choice: 'none',
    does: 'gives pets and errors only the properties that are listed',
    async check(sandbox) {
      const pet = JSON.parse((await ask(sandbox, { url: '/v1/pets/1' })).body)
      expect(Object.keys(pet)).toEqual(['id', 'name', 'categoryId', 'status'])
      const error = JSON.parse((await ask(sandbox, { url: '/v1/pets/999' })).body)
      expect(Object.keys(error)).toEqual(['code', 'message', 'status'])
    },
  },
  {
    gap: 'replyExtras',
    choice: 'present',
    does: 'gives pets and errors one property more, and every int64 digit for digit',
    async check(sandbox) {
      const json = '{"name":"\\u0000n1","categoryId":9223372036854775807}'
      expect((await ask(sandbox, { json })).body).toBe(
        '{"id":31,"name":"\\u0000n1","categoryId":9223372036854775807,"status":"available","unpromised":true}',
      )
      const list = JSON.parse((await ask(sandbox, { url: '/v1/pets?limit=100' })).body)
      expect(list).toHaveLength(31)
      for (const pet of list) expect(pet).toMatchObject({ unpromised: true })
      const error = JSON.parse((await ask(sandbox, { key: null })).body)
      expect(error).toMatchObject({ code: 'unauthorized', unpromised: true })
      const head = await ask(sandbox, { url: '/v1/pets/1', method: 'HEAD' })
      const { body } = await ask(sandbox, { url: '/v1/pets/1' })
      expect(head.headers['content-length']).toBe(String(body.length))
    },
  },
  {
    gap: 'petStatuses',
    choice: 'one-more',
    does: 'gives every pending pet with an odd id a status that is not listed, and in no filtered list',
    async check(sandbox) {
      const json = '{"name":"Rex","categoryId":9007199254740993,"status":"pending"}'
      expect((await ask(sandbox, { json })).body).toBe(
        '{"id":31,"name":"Rex","categoryId":9007199254740993,"status":"reserved"}',
      )
      expect((await ask(sandbox, { url: '/v1/pets/31' })).body).toContain('"status":"reserved"')
      expect((await ask(sandbox, { json })).body).toContain('"id":32,')
      const { body } = await ask(sandbox, { url: '/v1/pets?limit=100' })
      const all: { id: number; status?: string }[] = JSON.parse(body)
      const reserved = all.filter(({ status }) => status === 'reserved').map(({ id }) => id)
      expect(reserved).toEqual([3, 9, 15, 31])
      for (const [limit, ids] of [
        [100, [22, 26, 32]],
        [2, [22, 26]],
        [1, [22]],
      ] as const) {
        const url = `/v1/pets?limit=${limit}&status=pending`
        const found: { id: number }[] = JSON.parse((await ask(sandbox, { url })).body)
        expect(found.map(({ id }) => id)).toEqual(ids)
      }
      expect(sandbox.pets.list().find(({ id }) => id === 3)).toMatchObject({ status: 'pending' })
      sandbox.setGaps({ petStatuses: 'listed' })
      const after = await ask(sandbox, { url: '/v1/pets?limit=1&status=pending' })
      expect(after.body).toContain('"id":3,')
    },
  },
  {
    gap: 'propertyOrder',
    choice: 'shuffled',
    does: 'gives the properties of pets and errors in an order of their own',
    async check(sandbox) {
      expect((await ask(sandbox, { url: '/v1/pets/1' })).body).toBe(
        '{"name":"Bella","categoryId":1,"status":"available","id":1}',
      )
      const list = JSON.parse((await ask(sandbox, { url: '/v1/pets?limit=3' })).body)
      expect(list.map((pet: object) => Object.keys(pet)[0])).toEqual([
        'name',
        'categoryId',
        'status',
      ])
      expect(list[1]).toEqual({ id: 2, name: 'Max', categoryId: 1, status: 'available' })
      expect((await ask(sandbox, { url: '/v1/store/orders' })).body).toMatch(/^\{"message":/)
      sandbox.setGaps({ storeOrders: 'empty-list' })
      expect((await ask(sandbox, { url: '/v1/store/orders' })).body).toBe('[]')
    },
  },
  {
    gap: 'dateSkew',
    choice: 'none',
    does: 'sends the date of its clock',
    async check(sandbox) {
      const { headers } = await ask(sandbox)
      expect(headers.date).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
    },
  },
  {
    gap: 'dateSkew',
    choice: '1h',
    does: 'sends a later date, and keeps its own time for everything else',
    async check(sandbox) {
      const { headers } = await ask(sandbox, { key: 'minute-exhausted-key' })
      expect(headers).toMatchObject({
        date: 'Thu, 01 Jan 2026 01:00:00 GMT',
        'retry-after': '60',
        'x-ratelimit-reset': String(startAt / 1000 + 60),
      })
      sandbox.clock.set('9999-12-31T23:59:00Z')
      expect((await ask(sandbox)).headers.date).toBe('Fri, 31 Dec 9999 23:59:59 GMT')
    },
  },
]
