import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'
import { sendMany } from '../kit/send-many.ts'

describe('the keys of the default seed', () => {
  it.each([
    { key: 'free-key', status: 200, limit: '60' },
    { key: 'pro-key', status: 200, limit: '300' },
    { key: 'business-key', status: 200, limit: '1000' },
    { key: 'enterprise-key', status: 200, limit: '5000' },
    { key: 'revoked-key', status: 401, limit: '60' },
    { key: 'expired-key', status: 401, limit: '60' },
    { key: 'minute-exhausted-key', status: 429, limit: '60' },
    { key: 'day-exhausted-key', status: 429, limit: '1000' },
    { key: 'banned-key', status: 429, limit: '60' },
  ])('answers the first request of $key with $status', async ({ key, status, limit }) => {
    const reply = await send(frozenSandbox(), { key })
    expect(reply.status).toBe(status)
    expect(reply.headers['x-ratelimit-limit']).toBe(limit)
  })

  it.each([
    { key: 'minute-exhausted-key', wait: '60', code: 'rate_limit_exceeded' },
    { key: 'day-exhausted-key', wait: '86400', code: 'rate_limit_exceeded' },
    { key: 'banned-key', wait: '300', code: 'key_banned' },
  ])(
    'refuses $key for $wait s from its first request on, whenever that is, and serves it then',
    async ({ key, wait, code }) => {
      const sandbox = frozenSandbox()
      sandbox.clock.set('2029-06-15T00:00:00Z')
      const refused = await send(sandbox, { key })
      expect(refused.headers['retry-after']).toBe(wait)
      expect(JSON.parse(refused.body)).toMatchObject({ code })
      sandbox.clock.advance(`${wait}s`)
      const replies = await sendMany(sandbox, 61, { key })
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(60)
    },
  )
})

describe('Sandbox.keys', () => {
  it('lists the keys in the order of the seed', () => {
    const plans = frozenSandbox()
      .keys.list()
      .map(({ key, plan }) => `${key}: ${plan}`)
    expect(plans).toEqual([
      'free-key: free',
      'pro-key: pro',
      'business-key: business',
      'enterprise-key: enterprise',
      'revoked-key: free',
      'expired-key: free',
      'minute-exhausted-key: free',
      'day-exhausted-key: free',
      'banned-key: free',
    ])
  })

  it('sets what is left of the windows of now, and of no later ones', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 1 })
    const served = await send(sandbox)
    const refused = await send(sandbox)
    sandbox.clock.advance('1m')
    const later = await send(sandbox)
    expect([served.status, refused.status, later.status]).toEqual([200, 429, 200])
    expect(served.headers['x-ratelimit-remaining']).toBe('0')
    expect(later.headers['x-ratelimit-remaining']).toBe('59')
  })

  it('can give a key back what it has spent', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 61)
    sandbox.keys.setRemaining('free-key', { minute: 60 })
    expect((await send(sandbox)).headers['x-ratelimit-remaining']).toBe('59')
  })

  it.each([
    {
      key: 'no-key',
      remaining: { minute: 1 },
      message: 'Cannot find key "no-…": no key has this text',
    },
    {
      key: 'free-key',
      remaining: { minute: 61 },
      message: 'Cannot set key.remaining.minute: found 61; use at most the limit, 60',
    },
    {
      key: 'free-key',
      remaining: { day: -1 },
      message: 'Cannot set key.remaining.day: found -1; use a whole number from 0',
    },
  ])('refuses to set $remaining of $key: $message', async ({ key, remaining, message }) => {
    const sandbox = frozenSandbox()
    expect(() => sandbox.keys.setRemaining(key, remaining)).toThrow(message)
    expect((await send(sandbox)).headers['x-ratelimit-remaining']).toBe('59')
  })
})
