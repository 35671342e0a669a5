import { expect } from 'vitest'
import type { Reply } from '../../src/contract/message.ts'
import { startAt } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'
import type { GapRow } from './row.ts'

function remainingOf({ headers }: Reply): string | undefined {
  return headers['x-ratelimit-remaining']
}

function resetInSeconds({ headers }: Reply): number {
  return Number(headers['x-ratelimit-reset']) - startAt / 1000
}

/** The gaps of windows (spec 8). */
export const windowRows: readonly GapRow[] = [
  {
    gap: 'quotaWindow',
    choice: 'calendar',
    does: 'ends windows with the minute and the day in UTC',
    async check(sandbox) {
      sandbox.clock.advance(30_500)
      expect(resetInSeconds(await send(sandbox))).toBe(60)
      sandbox.keys.setRemaining('free-key', { day: 0 })
      expect(resetInSeconds(await send(sandbox))).toBe(86_400)
    },
  },
  {
    gap: 'quotaWindow',
    choice: 'first-request',
    does: 'ends windows a minute and a day after the second of the first request',
    async check(sandbox) {
      sandbox.clock.advance(30_500)
      expect(resetInSeconds(await send(sandbox))).toBe(90)
      sandbox.clock.advance(59_000)
      expect(remainingOf(await send(sandbox))).toBe('58')
      sandbox.clock.advance(500)
      const next = await send(sandbox)
      expect(remainingOf(next)).toBe('59')
      expect(resetInSeconds(next)).toBe(150)
      sandbox.keys.setRemaining('free-key', { day: 0 })
      expect(resetInSeconds(await send(sandbox))).toBe(86_430)
    },
  },
  {
    gap: 'quotaWindow',
    choice: 'sliding',
    does: 'lets each request go a minute after its second, and a day after its minute',
    async check(sandbox) {
      sandbox.keys.setRemaining('free-key', { minute: 2 })
      sandbox.clock.advance(30_500)
      expect(resetInSeconds(await send(sandbox))).toBe(60)
      sandbox.clock.advance(10_000)
      expect(remainingOf(await send(sandbox))).toBe('0')
      const refused = await send(sandbox)
      expect(refused.status).toBe(429)
      expect(resetInSeconds(refused)).toBe(60)
      expect(refused.headers['retry-after']).toBe('20')
      sandbox.clock.advance(19_500)
      expect(remainingOf(await send(sandbox))).toBe('57')
      sandbox.keys.setRemaining('free-key', { minute: 0, day: 0 })
      expect(resetInSeconds(await send(sandbox))).toBe(86_460)
      expect(sandbox.keys.get('free-key').day.resetAt).toBe('2026-01-02T00:01:00Z')
    },
  },
  {
    gap: 'reportedWindow',
    choice: 'tightest',
    does: 'describes the window with the fewest requests left',
    async check(sandbox) {
      expect((await send(sandbox)).headers['x-ratelimit-limit']).toBe('60')
      sandbox.keys.setRemaining('free-key', { day: 5 })
      expect((await send(sandbox)).headers).toMatchObject({
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': '4',
      })
    },
  },
  {
    gap: 'reportedWindow',
    choice: 'minute',
    does: 'describes the minute, unless it is the day that refuses',
    async check(sandbox) {
      sandbox.keys.setRemaining('free-key', { day: 1 })
      const served = await send(sandbox)
      expect(served.headers).toMatchObject({
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '59',
      })
      const refused = await send(sandbox)
      expect(refused.headers).toMatchObject({
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': '0',
        'retry-after': '86400',
      })
    },
  },
  {
    gap: 'reportedWindow',
    choice: 'day',
    does: 'describes the day, unless it is the minute that refuses',
    async check(sandbox) {
      sandbox.keys.setRemaining('free-key', { minute: 1 })
      const served = await send(sandbox)
      expect(served.headers).toMatchObject({
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': '999',
      })
      const refused = await send(sandbox)
      expect(refused.headers).toMatchObject({
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'retry-after': '60',
      })
    },
  },
  {
    gap: 'countedRequests',
    choice: 'all',
    does: 'counts every request that is let in, whatever it ends in',
    async check(sandbox) {
      const replies = [await send(sandbox), await send(sandbox, { url: '/v1/pets/999' })]
      expect(replies.map(remainingOf)).toEqual(['59', '58'])
    },
  },
  {
    gap: 'countedRequests',
    choice: 'successful',
    does: 'counts only requests that end in 2xx',
    async check(sandbox) {
      const requests = [
        {},
        { url: '/v1/pets/999' },
        { json: '{}' },
        { method: 'PUT' },
        { url: '/v1/store/orders' },
        { json: '{"name":"Rex","categoryId":1}' },
        { key: null },
      ]
      const replies = []
      for (const request of requests) replies.push(await send(sandbox, request))
      expect(replies.map(remainingOf)).toEqual(['59', '59', '59', '59', '59', '58', '60'])
    },
  },
]
