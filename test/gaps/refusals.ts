import { expect } from 'vitest'
import type { Reply } from '../../src/contract/message.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { startAt } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'
import { sendMany } from '../kit/send-many.ts'
import type { GapRow } from './row.ts'

function codeOf({ body }: Reply): string {
  return (JSON.parse(body) as { code: string }).code
}

/** The codes of all refusals up to the first of another kind, that one included. */
async function refusalsUntilBan(sandbox: Sandbox, most: number): Promise<string[]> {
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  return (await sendMany(sandbox, most)).map(codeOf)
}

function limitedOf(count: number): string[] {
  return Array.from({ length: count }, () => 'rate_limit_exceeded')
}

/** Requests that are refused for themselves, and how. */
const wrongRequests = [
  { url: '/v1/nothing', status: 404 },
  { url: '/v1/pets/999', status: 404 },
  { method: 'PUT', status: 405 },
  { url: '/v1/pets?limit=0', status: 400 },
  { json: '{}', status: 400 },
  { json: '{"name":"Rex"', status: 400 },
  { url: '/v1/store/orders', status: 501 },
]

/** The gaps of what is over a limit (spec 8). */
export const refusalRows: readonly GapRow[] = [
  {
    gap: 'refusalOrder',
    choice: 'limit-first',
    does: 'answers 429 to what is over a limit, whatever else is wrong with it',
    async check(sandbox) {
      for (const request of wrongRequests) {
        const reply = await send(sandbox, { ...request, key: 'minute-exhausted-key' })
        expect(reply.status).toBe(429)
      }
    },
  },
  {
    gap: 'refusalOrder',
    choice: 'request-first',
    does: 'answers a wrong request as such, and counts it neither as a request nor to a ban',
    async check(sandbox) {
      for (const key of ['minute-exhausted-key', 'banned-key']) {
        for (const { status, ...request } of [...wrongRequests, ...wrongRequests]) {
          const reply = await send(sandbox, { ...request, key })
          expect(reply.status).toBe(status)
          expect(reply.headers['x-ratelimit-remaining']).toBe('0')
          expect(Object.keys(reply.headers)).not.toContain('retry-after')
        }
      }
      const right = { json: '{"name":"Rex","categoryId":1}', key: 'minute-exhausted-key' }
      expect(codeOf(await send(sandbox, right))).toBe('rate_limit_exceeded')
      expect(sandbox.pets.size).toBe(30)
      sandbox.clock.advance('1m')
      expect((await send(sandbox, right)).headers['x-ratelimit-remaining']).toBe('59')
      expect((await send(sandbox, { key: 'unknown-key', json: '{}' })).status).toBe(401)
    },
  },
  {
    gap: 'retryAfterFormat',
    choice: 'seconds',
    does: 'says in seconds when to retry',
    async check(sandbox) {
      sandbox.keys.setRemaining('free-key', { minute: 0 })
      expect((await send(sandbox)).headers['retry-after']).toBe('60')
      const banned = await send(sandbox, { key: 'banned-key' })
      expect(banned.headers['retry-after']).toBe('300')
    },
  },
  {
    gap: 'retryAfterFormat',
    choice: 'http-date',
    does: 'says in an HTTP date when to retry',
    async check(sandbox) {
      sandbox.keys.setRemaining('free-key', { minute: 0 })
      expect((await send(sandbox)).headers['retry-after']).toBe('Thu, 01 Jan 2026 00:01:00 GMT')
      const banned = await send(sandbox, { key: 'banned-key' })
      expect(banned.headers['retry-after']).toBe('Thu, 01 Jan 2026 00:05:00 GMT')
    },
  },
  {
    gap: 'retryAfterPrecision',
    choice: 'exact',
    does: 'says the instant of X-RateLimit-Reset',
    async check(sandbox) {
      const { headers } = await send(sandbox, { key: 'minute-exhausted-key' })
      expect(headers['retry-after']).toBe('60')
      expect(Number(headers['x-ratelimit-reset']) - startAt / 1000).toBe(60)
    },
  },
  {
    gap: 'retryAfterPrecision',
    choice: 'padded',
    does: 'says an instant five seconds after that of X-RateLimit-Reset, in any form',
    async check(sandbox) {
      const full = { key: 'minute-exhausted-key' }
      const { headers } = await send(sandbox, full)
      expect(headers['retry-after']).toBe('65')
      expect(Number(headers['x-ratelimit-reset']) - startAt / 1000).toBe(60)
      const banned = await send(sandbox, { key: 'banned-key' })
      expect(banned.headers['retry-after']).toBe('305')
      sandbox.setGaps({ retryAfterFormat: 'http-date' })
      const dated = await send(sandbox, full)
      expect(dated.headers['retry-after']).toBe('Thu, 01 Jan 2026 00:01:05 GMT')
      expect(JSON.parse(dated.body).message).toContain('retry at 2026-01-01T00:01:05Z')
      sandbox.clock.advance('1m')
      expect((await send(sandbox, full)).status).toBe(200)
    },
  },
  {
    gap: 'banAfter',
    choice: 10,
    does: 'bans with the eleventh request that a window refuses',
    async check(sandbox) {
      expect(await refusalsUntilBan(sandbox, 11)).toEqual([...limitedOf(10), 'key_banned'])
    },
  },
  {
    gap: 'banAfter',
    choice: 0,
    does: 'bans with the first request that a window refuses',
    async check(sandbox) {
      expect(await refusalsUntilBan(sandbox, 1)).toEqual(['key_banned'])
    },
  },
  {
    gap: 'banAfter',
    choice: 3,
    does: 'bans with the fourth request that a window refuses',
    async check(sandbox) {
      expect(await refusalsUntilBan(sandbox, 4)).toEqual([...limitedOf(3), 'key_banned'])
    },
  },
  {
    gap: 'banAfter',
    choice: 'never',
    does: 'bans no key, however long it goes on',
    async check(sandbox) {
      expect(await refusalsUntilBan(sandbox, 50)).toEqual(limitedOf(50))
    },
  },
  {
    gap: 'banDuration',
    choice: '5m',
    does: 'bans for five minutes',
    async check(sandbox) {
      await refusalsUntilBan(sandbox, 10)
      const reply = await send(sandbox)
      expect(codeOf(reply)).toBe('key_banned')
      expect(reply.headers['retry-after']).toBe('300')
    },
  },
  {
    gap: 'banDuration',
    choice: '2d',
    does: 'bans for as long as is chosen',
    async check(sandbox) {
      await refusalsUntilBan(sandbox, 11)
      sandbox.clock.advance('47h')
      expect((await send(sandbox)).headers['retry-after']).toBe('3600')
      sandbox.clock.advance('1h')
      expect((await send(sandbox)).status).toBe(200)
    },
  },
  {
    gap: 'banStatus',
    choice: 429,
    does: 'answers a banned key with 429',
    async check(sandbox) {
      const reply = await send(sandbox, { key: 'banned-key' })
      expect(reply.status).toBe(429)
      expect(JSON.parse(reply.body)).toMatchObject({ code: 'key_banned', status: 429 })
    },
  },
  {
    gap: 'banStatus',
    choice: 403,
    does: 'answers a banned key with 403, and one over its limit still with 429',
    async check(sandbox) {
      const reply = await send(sandbox, { key: 'banned-key' })
      expect(reply.status).toBe(403)
      expect(reply.headers['retry-after']).toBe('300')
      expect(JSON.parse(reply.body)).toMatchObject({ code: 'key_banned', status: 403 })
      expect((await send(sandbox, { key: 'minute-exhausted-key' })).status).toBe(429)
    },
  },
]
