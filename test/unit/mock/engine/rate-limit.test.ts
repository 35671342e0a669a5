import { describe, expect, it } from 'vitest'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { send, sendMany, type TestRequest } from '../../../kit/send.ts'

const startSeconds = startAt / 1000

describe('the limits of a key', () => {
  it.each([
    { plan: 'free', limit: 60 },
    { plan: 'pro', limit: 300 },
    { plan: 'business', limit: 1_000 },
    { plan: 'enterprise', limit: 5_000 },
  ])('serve exactly $limit requests a minute of a $plan key', async ({ plan, limit }) => {
    const replies = await sendMany(frozenSandbox(), limit + 1, { key: `${plan}-key` })
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit)
    expect(replies.at(-1)).toMatchObject({ status: 429 })
  })

  it.each<{ request: TestRequest; status: number }>([
    { request: { json: 'x'.repeat(2 ** 20 + 1) }, status: 413 },
    { request: { url: '/v1/store/orders' }, status: 501 },
    { request: { unreadable: 'Cannot read the request' }, status: 400 },
  ])('count a request that ends in $status', async ({ request, status }) => {
    const reply = await send(frozenSandbox(), request)
    expect(reply.status).toBe(status)
    expect(reply.headers['x-ratelimit-remaining']).toBe('59')
  })

  it('begin anew when the clock is set back', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0, day: 0 })
    sandbox.clock.set('2025-12-31T23:59:30Z')
    const { status, headers } = await send(sandbox)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': String(startSeconds),
    })
  })

  it('are told by the minute on a tie when it is the minute that ends later', async () => {
    const sandbox = frozenSandbox({ gaps: { quotaWindow: 'first-request' } })
    await send(sandbox)
    sandbox.clock.advance(86_400_000 - 30_000)
    await send(sandbox)
    sandbox.keys.setRemaining('free-key', { minute: 10, day: 10 })
    expect((await send(sandbox)).headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-reset': String(startSeconds + 86_400 + 30),
    })
  })

  it('are told by the day on a tie when both end together, at midnight', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.set(startAt + 86_400_000 - 30_000)
    sandbox.keys.setRemaining('free-key', { minute: 5, day: 5 })
    expect((await send(sandbox)).headers).toMatchObject({
      'x-ratelimit-limit': '1000',
      'x-ratelimit-reset': String(startSeconds + 86_400),
    })
  })
})

describe('a ban', () => {
  it('says that a control set it, also after a snapshot', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.update('free-key', { ban: '5m' })
    const words = 'the API key is banned, by a control of the sandbox; retry'
    expect((await send(sandbox)).body).toContain(words)
    sandbox.restore(sandbox.snapshot())
    expect((await send(sandbox)).body).toContain(words)
  })

  it('comes for rejections over a whole day when it is the day that is full', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { day: 0 })
    const codes: string[] = []
    for (let hour = 0; hour < 11; hour++) {
      codes.push(JSON.parse((await send(sandbox)).body).code)
      sandbox.clock.advance('1h')
    }
    expect(codes.join()).toMatch(/^(rate_limit_exceeded,){10}key_banned$/)
  })
})

describe("rateLimits: 'report-only'", () => {
  it('counts down and stays at 0, but rejects nothing', async () => {
    const replies = await sendMany(frozenSandbox({ rateLimits: 'report-only' }), 75)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(replies[59]?.headers['x-ratelimit-remaining']).toBe('0')
    expect(replies[74]?.headers['x-ratelimit-remaining']).toBe('0')
    expect(replies[74]?.headers).not.toHaveProperty('retry-after')
  })

  it.each([
    { key: 'day-exhausted-key', status: 200 },
    { key: 'banned-key', status: 200 },
    { key: 'revoked-key', status: 401 },
    { key: null, status: 401 },
  ])('answers $key with $status', async ({ key, status }) => {
    expect((await send(frozenSandbox({ rateLimits: 'report-only' }), { key })).status).toBe(status)
  })

  it('can be switched on and off, and what was spent meanwhile counts', async () => {
    const sandbox = frozenSandbox()
    sandbox.setRateLimits('report-only')
    await sendMany(sandbox, 60)
    sandbox.setRateLimits('enforce')
    expect((await send(sandbox)).status).toBe(429)
  })
})

describe('the keys of the default seed', () => {
  it('are one for each plan and each way to be rejected', () => {
    const plans = frozenSandbox()
      .keys.list()
      .map(({ key, plan }) => `${key}: ${plan}`)
    expect(plans).toEqual([
      ...['free-key: free', 'pro-key: pro', 'business-key: business', 'enterprise-key: enterprise'],
      ...['revoked-key: free', 'expired-key: free', 'minute-exhausted-key: free'],
      ...['day-exhausted-key: free', 'banned-key: free'],
    ])
  })

  it.each([
    { key: 'minute-exhausted-key', wait: '60', code: 'rate_limit_exceeded' },
    { key: 'day-exhausted-key', wait: '86400', code: 'rate_limit_exceeded' },
    { key: 'banned-key', wait: '300', code: 'key_banned' },
  ])(
    'reject $key for $wait s from its first request on, whenever that is, and serve it then',
    async ({ key, wait, code }) => {
      const sandbox = frozenSandbox()
      sandbox.clock.set('2029-06-15T00:00:00Z')
      const rejected = await send(sandbox, { key })
      expect(rejected.headers['retry-after']).toBe(wait)
      expect(JSON.parse(rejected.body)).toMatchObject({ code })
      expect(rejected.body).not.toContain('since requests went on')
      sandbox.clock.advance(`${wait}s`)
      const replies = await sendMany(sandbox, 61, { key })
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(60)
    },
  )
})
