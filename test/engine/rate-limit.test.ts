import { describe, expect, it } from 'vitest'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'
import { sendMany } from '../kit/send-many.ts'

const startSeconds = startAt / 1000

describe('refuse()', () => {
  it.each([
    { plan: 'free', limit: 60 },
    { plan: 'pro', limit: 300 },
    { plan: 'business', limit: 1_000 },
    { plan: 'enterprise', limit: 5_000 },
  ])('serves exactly $limit requests a minute of a $plan key', async ({ plan, limit }) => {
    const sandbox = frozenSandbox()
    const replies = await sendMany(sandbox, limit + 1, { key: `${plan}-key` })
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit)
    expect(replies.at(-1)).toMatchObject({ status: 429 })
    expect(replies.at(-1)?.headers['x-ratelimit-limit']).toBe(String(limit))
  })

  it.each([
    { plan: 'free', limit: 1_000 },
    { plan: 'pro', limit: 10_000 },
    { plan: 'business', limit: 100_000 },
    { plan: 'enterprise', limit: 1_000_000 },
  ])('serves exactly $limit requests a day of a $plan key', async ({ plan, limit }) => {
    const sandbox = frozenSandbox({ gaps: { reportedWindow: 'day' } })
    const [first] = await sendMany(sandbox, 1, { key: `${plan}-key` })
    expect(first?.headers).toMatchObject({
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - 1),
    })
    sandbox.keys.setRemaining(`${plan}-key`, { day: 1 })
    const statuses = (await sendMany(sandbox, 2, { key: `${plan}-key` })).map((one) => one.status)
    expect(statuses).toEqual([200, 429])
  })

  it('serves a thousand requests of a free key over the minutes of a day', async () => {
    const sandbox = frozenSandbox()
    const statuses: number[] = []
    for (let minute = 0; minute < 20; minute++) {
      statuses.push(...(await sendMany(sandbox, 51)).map(({ status }) => status))
      sandbox.clock.advance('1m')
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(1_000)
    expect(statuses.slice(1_000).every((status) => status === 429)).toBe(true)
  })

  it.each([
    { request: { url: '/v1/nothing' }, status: 404 },
    { request: { method: 'PUT' }, status: 405 },
    { request: { json: '{}' }, status: 400 },
    { request: { json: 'x'.repeat(2 ** 20 + 1) }, status: 413 },
    { request: { url: '/v1/store/orders' }, status: 501 },
    { request: { method: 'HEAD' }, status: 200 },
    { request: { unreadable: 'Cannot read the request' }, status: 400 },
  ])('counts a request that ends in $status', async ({ request, status }) => {
    const reply = await send(frozenSandbox(), request)
    expect(reply.status).toBe(status)
    expect(reply.headers['x-ratelimit-remaining']).toBe('59')
  })

  it('spends nothing for a request that is refused', async () => {
    const sandbox = frozenSandbox({ gaps: { reportedWindow: 'day' } })
    await sendMany(sandbox, 65)
    sandbox.clock.advance('1m')
    const reply = await send(sandbox)
    expect(reply.headers['x-ratelimit-remaining']).toBe(String(1_000 - 61))
  })

  it('serves again from the instant at which the minute ends', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 60)
    sandbox.clock.advance(59_999)
    const last = await send(sandbox)
    sandbox.clock.advance(1)
    const first = await send(sandbox)
    expect([last.status, first.status]).toEqual([429, 200])
    expect(first.headers['x-ratelimit-remaining']).toBe('59')
  })

  it.each([
    { remaining: { minute: 0 }, limit: 60, seconds: 60 },
    { remaining: { day: 0 }, limit: 1_000, seconds: 86_400 },
    { remaining: { minute: 0, day: 0 }, limit: 1_000, seconds: 86_400 },
  ])(
    'says to wait $seconds seconds when $remaining are left, for the limit of $limit',
    async ({ remaining, limit, seconds }) => {
      const sandbox = frozenSandbox()
      sandbox.keys.setRemaining('free-key', remaining)
      const reply = await send(sandbox)
      expect(reply.status).toBe(429)
      expect(reply.headers).toMatchObject({
        'retry-after': String(seconds),
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(startSeconds + seconds),
      })
    },
  )

  it.each([
    { afterMs: 0, seconds: 60 },
    { afterMs: 1, seconds: 60 },
    { afterMs: 30_250, seconds: 30 },
    { afterMs: 59_000, seconds: 1 },
    { afterMs: 59_999, seconds: 1 },
  ])(
    'rounds the wait up to $seconds s, $afterMs ms into the minute',
    async ({ afterMs, seconds }) => {
      const sandbox = frozenSandbox()
      sandbox.clock.advance(afterMs)
      sandbox.keys.setRemaining('free-key', { minute: 0 })
      const reply = await send(sandbox)
      expect(reply.headers['retry-after']).toBe(String(seconds))
      expect(reply.headers['x-ratelimit-reset']).toBe(String(startSeconds + 60))
    },
  )

  it('says in an HTTP date the same instant as in X-RateLimit-Reset', async () => {
    const sandbox = frozenSandbox({ gaps: { retryAfterFormat: 'http-date' } })
    sandbox.clock.advance(30_250)
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    const { headers } = await send(sandbox)
    expect(headers['retry-after']).toBe('Thu, 01 Jan 2026 00:01:00 GMT')
    expect(headers['x-ratelimit-reset']).toBe(String(startSeconds + 60))
  })

  it('says which limit is reached, and when to retry', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    expect(JSON.parse((await send(sandbox)).body)).toEqual({
      code: 'rate_limit_exceeded',
      message:
        'Cannot serve the request: the limit of 60 requests per minute is reached; retry at 2026-01-01T00:01:00Z',
      status: 429,
    })
  })

  it('begins new windows when the clock is set back', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0, day: 0 })
    sandbox.clock.set('2025-12-31T23:59:30Z')
    const reply = await send(sandbox)
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': String(startSeconds),
    })
  })

  it('limits each key by itself', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    const replies = [await send(sandbox), await send(sandbox, { key: 'pro-key' })]
    expect(replies.map(({ status }) => status)).toEqual([429, 200])
  })

  it('holds a key to limits of its own', async () => {
    const keys = [{ key: 'k', plan: 'free' as const, limits: { minute: 2 } }]
    const replies = await sendMany(frozenSandbox({ seed: { keys } }), 3, { key: 'k' })
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429])
  })
})
