import { expect } from 'vitest'
import type { Reply } from '../../src/contract/message.ts'
import { send } from '../kit/send.ts'
import { sendMany } from '../kit/send-many.ts'
import type { GapRow } from './row.ts'

function codeOf({ body }: Reply): string {
  return (JSON.parse(body) as { code: string }).code
}

function remainingOf({ headers }: Reply): string | undefined {
  return headers['x-ratelimit-remaining']
}

/** The gaps of keys and of error codes (spec 5, 7, 8). */
export const keyRows: readonly GapRow[] = [
  {
    gap: 'unknownRouteWithoutKey',
    choice: 'unauthorized',
    does: 'answers 401 without a key wherever a request leads',
    async check(sandbox) {
      const unknown = await send(sandbox, { url: '/v1/nothing', key: null })
      const method = await send(sandbox, { method: 'PUT', key: 'revoked-key' })
      expect([unknown.status, method.status]).toEqual([401, 401])
    },
  },
  {
    gap: 'unknownRouteWithoutKey',
    choice: 'not-found',
    does: 'answers 404 and 405 without a key, but 401 where there is an operation',
    async check(sandbox) {
      const unknown = await send(sandbox, { url: '/v1/nothing', key: null })
      const method = await send(sandbox, { method: 'PUT', key: 'revoked-key' })
      const known = await send(sandbox, { url: '/v1/pets/999', key: null })
      const orders = await send(sandbox, { url: '/v1/store/orders', key: null })
      expect([unknown, method, known, orders].map(({ status }) => status)).toEqual([
        404, 405, 401, 401,
      ])
      expect(Object.keys(unknown.headers)).not.toContain('www-authenticate')
    },
  },
  {
    gap: 'bearerScheme',
    choice: 'any-case',
    does: 'takes the scheme in any letter case',
    async check(sandbox) {
      for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
        const headers = { authorization: `${scheme} free-key` }
        expect((await send(sandbox, { headers })).status).toBe(200)
      }
    },
  },
  {
    gap: 'bearerScheme',
    choice: 'exact',
    does: 'takes the scheme only as Bearer, and says in the journal why',
    async check(sandbox) {
      expect((await send(sandbox)).status).toBe(200)
      expect((await send(sandbox, { headers: { authorization: 'Bearer  free-key' } })).status).toBe(
        200,
      )
      for (const scheme of ['bearer', 'BEARER']) {
        const headers = { authorization: `${scheme} free-key` }
        const reply = await send(sandbox, { headers })
        expect(reply.status).toBe(401)
        expect(JSON.parse(reply.body).message).toBe(
          'Cannot authenticate: the scheme is not written Bearer; send Authorization: Bearer <API_KEY>',
        )
        expect(sandbox.journal.last()?.why).toMatch(/gap bearerScheme=exact$/)
      }
    },
  },
  {
    gap: 'unauthorizedQuota',
    choice: 'counted',
    does: 'counts down for requests without a valid key',
    async check(sandbox) {
      const replies = await sendMany(sandbox, 2, { key: null })
      expect(replies.map(remainingOf)).toEqual(['59', '58'])
    },
  },
  {
    gap: 'unauthorizedQuota',
    choice: 'not-counted',
    does: 'shows a full window to requests without a valid key',
    async check(sandbox) {
      const replies = await sendMany(sandbox, 2, { key: null })
      expect(replies.map(remainingOf)).toEqual(['60', '60'])
      expect(remainingOf(await send(sandbox))).toBe('59')
    },
  },
  {
    gap: 'unauthorizedLimit',
    choice: 'never',
    does: 'answers 401 without a valid key however often it is asked',
    async check(sandbox) {
      const replies = await sendMany(sandbox, 80, { key: null })
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
      expect(replies.at(-1)?.headers['x-ratelimit-remaining']).toBe('0')
    },
  },
  {
    gap: 'unauthorizedLimit',
    choice: 'limited',
    does: 'answers 429 to a token that has used up its window, bans none, and serves valid keys',
    async check(sandbox) {
      const replies = await sendMany(sandbox, 80, { key: 'revoked-key' })
      expect(replies.map(({ status }) => status)).toEqual([
        ...Array<number>(60).fill(401),
        ...Array<number>(20).fill(429),
      ])
      expect(codeOf(replies.at(-1) as Reply)).toBe('rate_limit_exceeded')
      expect(replies.at(-1)?.headers).toMatchObject({
        'retry-after': '60',
        'x-ratelimit-remaining': '0',
      })
      expect(sandbox.journal.last()?.why).toMatch(/gap unauthorizedLimit=limited$/)
      expect((await send(sandbox, { key: null })).status).toBe(401)
      expect((await send(sandbox)).status).toBe(200)
      sandbox.clock.advance('60s')
      expect((await send(sandbox, { key: 'revoked-key' })).status).toBe(401)
      sandbox.setGaps({ unauthorizedQuota: 'not-counted' })
      const uncounted = await sendMany(sandbox, 70, { key: 'unknown-key' })
      expect(uncounted.at(-1)?.status).toBe(401)
    },
  },
  {
    gap: 'errorCodes',
    choice: 'snake_case',
    does: 'writes codes in snake_case',
    async check(sandbox) {
      expect(codeOf(await send(sandbox, { json: '{}' }))).toBe('invalid_request')
      expect(codeOf(await send(sandbox, { key: 'banned-key' }))).toBe('key_banned')
    },
  },
  {
    gap: 'errorCodes',
    choice: 'UPPER_CASE',
    does: 'writes codes in UPPER_CASE',
    async check(sandbox) {
      expect(codeOf(await send(sandbox, { json: '{}' }))).toBe('INVALID_REQUEST')
      expect(codeOf(await send(sandbox, { key: 'banned-key' }))).toBe('KEY_BANNED')
    },
  },
  {
    gap: 'errorCodes',
    choice: 'opaque',
    does: 'writes codes that say nothing, each another',
    async check(sandbox) {
      const requests = [
        { json: '{}' },
        { key: null },
        { url: '/v1/nothing' },
        { method: 'PUT' },
        { json: 'x'.repeat(2 ** 20 + 1) },
        { key: 'minute-exhausted-key' },
        { key: 'banned-key' },
        { url: '/v1/store/orders' },
      ]
      const codes = []
      for (const request of requests) codes.push(codeOf(await send(sandbox, request)))
      expect(codes.filter((code) => !/^E\d{4}$/.test(code))).toEqual([])
      expect(new Set(codes).size).toBe(requests.length)
    },
  },
]
