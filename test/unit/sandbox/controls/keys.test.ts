import { describe, expect, it } from 'vitest'
import { InputError, NotFoundError } from '../../../../src/mock/input/input-error.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { send, sendMany } from '../../../kit/send.ts'

const remainingOf = (output: { headers: Readonly<Record<string, string>> }) =>
  Number(output.headers['x-ratelimit-remaining'])

describe('keys.issue()', () => {
  it.each([
    { settings: { plan: 'free' }, limits: { minute: 60, day: 1_000 } },
    { settings: { plan: 'pro' }, limits: { minute: 300, day: 10_000 } },
    { settings: { plan: 'business', limits: { day: 7 } }, limits: { minute: 1_000, day: 7 } },
    {
      settings: { plan: 'enterprise', limits: { minute: 9, day: 8 } },
      limits: { minute: 9, day: 8 },
    },
  ] as const)('gives a key of its own with $limits for $settings', async ({ settings, limits }) => {
    const sandbox = frozenSandbox()
    const issued = sandbox.keys.issue(settings)
    expect(issued).toMatchObject({ limits, state: 'active', minute: { remaining: limits.minute } })
    const output = await send(sandbox, { key: issued.key })
    expect(output.status).toBe(200)
    const tightest = Math.min(limits.minute, limits.day)
    expect(remainingOf(output)).toBe(tightest - 1)
  })

  it('takes what the key begins with: what is left, a ban, an expiry', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.issue({ key: 'left', plan: 'free', remaining: { minute: 2 } })
    sandbox.keys.issue({ key: 'banned', plan: 'free', ban: '1m' })
    sandbox.keys.issue({ key: 'old', plan: 'free', expiresAt: startAt })
    expect(remainingOf(await send(sandbox, { key: 'left' }))).toBe(1)
    expect((await send(sandbox, { key: 'banned' })).status).toBe(429)
    expect((await send(sandbox, { key: 'old' })).status).toBe(401)
  })

  it('rejects a text that is taken, without saying it whole', () => {
    const { keys } = frozenSandbox()
    expect(() => keys.issue({ key: 'free-key', plan: 'pro' })).toThrow(
      new InputError('Cannot add key "free…": it exists already; use another text', ['key']),
    )
    expect(keys.get('free-key').plan).toBe('free')
  })

  it('forgets what was sent with its text before it was a key', async () => {
    const sandbox = frozenSandbox()
    expect((await sendMany(sandbox, 3, { key: 'later' })).map(({ status }) => status)).toEqual([
      401, 401, 401,
    ])
    sandbox.keys.issue({ key: 'later', plan: 'free' })
    expect(remainingOf(await send(sandbox, { key: 'later' }))).toBe(59)
  })
})

describe('keys.update()', () => {
  it('raises the limits at once with a better plan; what was used stays used', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 61)
    expect(sandbox.keys.get('free-key')).toMatchObject({ state: 'exhausted' })
    sandbox.keys.update('free-key', { plan: 'pro' })
    const output = await send(sandbox)
    expect(output.headers).toMatchObject({
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '239',
    })
  })

  it('lowers the limits at once with a smaller plan, and nothing is left below zero', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 100, { key: 'pro-key' })
    const changed = sandbox.keys.update('pro-key', { plan: 'free' })
    expect(changed).toMatchObject({ state: 'exhausted', minute: { limit: 60, remaining: 0 } })
    expect((await send(sandbox, { key: 'pro-key' })).status).toBe(429)
    sandbox.clock.advance('1m')
    expect(remainingOf(await send(sandbox, { key: 'pro-key' }))).toBe(59)
  })

  it('sets own limits, one of them or both, and a plan takes them back', () => {
    const { keys } = frozenSandbox()
    expect(keys.update('free-key', { limits: { minute: 5 } }).limits).toEqual({
      minute: 5,
      day: 1_000,
    })
    expect(keys.update('free-key', { limits: { day: 9 } }).limits).toEqual({ minute: 5, day: 9 })
    expect(keys.update('free-key', { plan: 'business' }).limits).toEqual({
      minute: 1_000,
      day: 100_000,
    })
  })

  it('makes a key expire now, later or never', async () => {
    const sandbox = frozenSandbox()
    expect(sandbox.keys.update('free-key', { expiresAt: startAt }).state).toBe('expired')
    expect((await send(sandbox)).status).toBe(401)
    expect(sandbox.keys.update('free-key', { expiresAt: startAt + 1 })).toMatchObject({
      state: 'active',
      expiresAt: '2026-01-01T00:00:00.001Z',
    })
    expect((await send(sandbox)).status).toBe(200)
    expect(sandbox.keys.update('free-key', { expiresAt: null })).not.toHaveProperty('expiresAt')
    sandbox.clock.set('9000-01-01')
    expect((await send(sandbox)).status).toBe(200)
  })

  it('revokes a key, and gives it back', async () => {
    const sandbox = frozenSandbox()
    expect(sandbox.keys.update('free-key', { revoked: true }).state).toBe('revoked')
    expect((await send(sandbox)).status).toBe(401)
    expect(sandbox.keys.update('free-key', { revoked: false }).state).toBe('active')
    expect((await send(sandbox)).status).toBe(200)
  })

  it('bans a key for as long as is said, and Retry-After says it too', async () => {
    const sandbox = frozenSandbox()
    expect(sandbox.keys.update('free-key', { ban: '10m' })).toMatchObject({ state: 'banned' })
    const { status, headers, body } = await send(sandbox)
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('600')
    expect(JSON.parse(body).code).toBe('key_banned')
  })

  it('tells how many requests each full window has rejected, until an unban', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await sendMany(sandbox, 3)
    const { minute, day } = sandbox.keys.get('free-key')
    expect([minute.rejected, day.rejected]).toEqual([3, 0])
    sandbox.keys.update('free-key', { unban: true })
    expect(sandbox.keys.get('free-key').minute.rejected).toBe(0)
  })

  it('unbans a key, whose way to the next ban begins anew', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 71)
    expect(sandbox.keys.get('free-key').state).toBe('banned')
    expect(sandbox.keys.update('free-key', { unban: true }).state).toBe('exhausted')
    await sendMany(sandbox, 10)
    expect(sandbox.keys.get('free-key').state).toBe('exhausted')
    await send(sandbox)
    expect(sandbox.keys.get('free-key').state).toBe('banned')
  })

  it('does several things at once, or none of them', () => {
    const { keys } = frozenSandbox()
    const before = keys.get('free-key')
    const change = { plan: 'pro', remaining: { minute: 301 }, ban: '1m' } as const
    expect(() => keys.update('free-key', change)).toThrow(/at most the limit, 300$/)
    expect(keys.get('free-key')).toEqual(before)
    expect(keys.update('free-key', { ...change, remaining: { minute: 300 } })).toMatchObject({
      plan: 'pro',
      state: 'banned',
      minute: { remaining: 300 },
    })
  })
})

describe('keys.setRemaining()', () => {
  it('sets what the windows have left, each by itself', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const view = sandbox.keys.setRemaining('free-key', { minute: 1 })
    expect(view).toMatchObject({ minute: { remaining: 1 }, day: { remaining: 999 } })
    expect((await sendMany(sandbox, 2)).map(({ status }) => status)).toEqual([200, 429])
    expect(sandbox.keys.setRemaining('free-key', { day: 0, minute: 60 })).toMatchObject({
      state: 'exhausted',
      minute: { remaining: 60 },
      day: { remaining: 0, resetAt: '2026-01-02T00:00:00Z' },
    })
  })

  it('holds for the current windows only', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    sandbox.clock.advance('1m')
    expect(remainingOf(await send(sandbox))).toBe(59)
  })
})

describe('keys.delete()', () => {
  it('makes the key unknown, and free to be issued anew without a past', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 71)
    sandbox.keys.delete('free-key')
    expect((await send(sandbox)).status).toBe(401)
    expect(() => sandbox.keys.get('free-key')).toThrow(NotFoundError)
    sandbox.keys.issue({ key: 'free-key', plan: 'pro' })
    expect((await send(sandbox)).headers).toMatchObject({
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '299',
    })
  })

  it.each([
    { key: 'another-key', message: 'Cannot find key "another-key": no such key' },
    {
      key: 'fre-key',
      message: 'Cannot find key "fre-key": no such key; did you mean free-key?',
    },
  ])('rejects an unknown key, and suggests a similar one (S12): $key', ({ key, message }) => {
    expect(() => frozenSandbox().keys.delete(key)).toThrow(new NotFoundError(message))
  })
})

describe('keys.list()', () => {
  it('shows every key of the seed as it stands', () => {
    const states = frozenSandbox().keys.list()
    expect(Object.fromEntries(states.map(({ key, state }) => [key, state]))).toEqual({
      'free-key': 'active',
      'pro-key': 'active',
      'business-key': 'active',
      'enterprise-key': 'active',
      'revoked-key': 'revoked',
      'expired-key': 'expired',
      'minute-exhausted-key': 'exhausted',
      'day-exhausted-key': 'exhausted',
      'banned-key': 'banned',
    })
  })

  it('gives copies, and begins no window', () => {
    const sandbox = frozenSandbox()
    const before = sandbox.snapshot()
    for (const view of sandbox.keys.list()) Object.assign(view.limits, { minute: 1 })
    expect(sandbox.snapshot()).toEqual(before)
  })

  it('tells which requests of the request log are of a key, once there are any', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { key: 'pro-key' })
    expect(sandbox.keys.get('free-key').client).toBe(undefined)
    expect(sandbox.keys.get('pro-key').client).toBe(sandbox.requests.get(1).client)
  })
})

describe('shorthands of keys.update()', () => {
  it('ban, unban, exhaust and revoke a key, as on the command line (S7)', async () => {
    const { keys } = frozenSandbox()
    expect(keys.ban('free-key', '10m')).toMatchObject({ state: 'banned' })
    expect(keys.unban('free-key')).toMatchObject({ state: 'active' })
    expect(keys.exhaust('free-key')).toMatchObject({ minute: { remaining: 0 } })
    expect(keys.exhaust('pro-key', 'day')).toMatchObject({ day: { remaining: 0 } })
    expect(keys.revoke('free-key')).toMatchObject({ state: 'revoked' })
    expect(() => keys.ban('free-key', 'long')).toThrow('Cannot set key.ban: found "long"')
    expect(() => keys.revoke('fre-key')).toThrow(NotFoundError)
  })
})
