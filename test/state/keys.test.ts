import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/input/input-error.ts'
import { Keys, parseKey, parseRemaining } from '../../src/state/keys.ts'

describe('Keys', () => {
  it('finds a key exactly as it is written', () => {
    const key = parseKey({ key: 'My-Key', plan: 'free' })
    const keys = new Keys([key])
    expect(keys.find('My-Key')).toEqual(key)
    expect(keys.find('my-key')).toBeUndefined()
    expect(keys.find('My-Key ')).toBeUndefined()
    expect(keys.find('__proto__')).toBeUndefined()
  })

  it('lists keys in the order in which they were added', () => {
    const keys = new Keys(['b', 'a'].map((key) => parseKey({ key, plan: 'free' })))
    keys.add(parseKey({ key: '0', plan: 'pro' }))
    expect(keys.all().map(({ key }) => key)).toEqual(['b', 'a', '0'])
  })

  it('refuses a key that there is, showing its beginning only', () => {
    const key = parseKey({ key: 'secret-key', plan: 'free' })
    expect(() => new Keys([key, key])).toThrow(
      new InputError('Cannot add key "secr…": there is one like it; use another'),
    )
  })

  it('hides the keys that there are, as they come and go', () => {
    const keys = new Keys([parseKey({ key: 'first-key', plan: 'free' })])
    const text = 'first-key, second-key'
    expect(keys.hideIn(text)).toBe('firs…, second-key')
    keys.add(parseKey({ key: 'second-key', plan: 'free' }))
    expect(keys.hideIn(text)).toBe('firs…, seco…')
    keys.delete('first-key')
    expect(keys.hideIn(text)).toBe('first-key, seco…')
    expect(keys.hideIn(text, 'first-key')).toBe('firs…, seco…')
  })
})

describe('parseKey()', () => {
  it.each([
    { plan: 'free', limits: { minute: 60, day: 1_000 } },
    { plan: 'pro', limits: { minute: 300, day: 10_000 } },
    { plan: 'business', limits: { minute: 1_000, day: 100_000 } },
  ])('gives a key of plan $plan the limits of the plan', ({ plan, limits }) => {
    expect(parseKey({ key: 'k', plan })).toEqual({
      key: 'k',
      plan,
      limits,
      expiresAt: undefined,
      isRevoked: false,
      firstRemaining: {},
      firstBanMs: 0,
    })
  })

  it('lays own limits over those of the plan', () => {
    const key = parseKey({ key: 'k', plan: 'free', limits: { minute: 5 } })
    expect(key.limits).toEqual({ minute: 5, day: 1_000 })
  })

  it('reads when a key expires, that it is revoked, and what it starts with', () => {
    const settings = { expiresAt: '2026-01-01', revoked: true, remaining: { day: 0 }, ban: '5m' }
    expect(parseKey({ key: 'k', plan: 'free', ...settings })).toMatchObject({
      expiresAt: Date.UTC(2026, 0, 1),
      isRevoked: true,
      firstRemaining: { day: 0 },
      firstBanMs: 300_000,
    })
  })

  it.each(['a', 'A9-._~+/', 'abc==', 'k'.repeat(200)])(
    'takes the text %s, as a bearer token has',
    (key) => {
      expect(parseKey({ key, plan: 'free' }).key).toBe(key)
    },
  )

  it.each([
    { value: 'free-key', message: 'Cannot read the key: found "free-key"; use an object such as' },
    {
      value: { key: 'k' },
      message:
        "Cannot set the key's plan: found undefined; use one of free, pro, business, enterprise",
    },
    { value: { key: 'k', plan: 'Free' }, message: 'use one of free, pro, business, enterprise' },
    {
      value: { key: 'k', plan: 'enterprise' },
      message: 'plan enterprise has none of its own (spec 8); give both minute and day',
    },
    {
      value: { key: 'k', plan: 'enterprise', limits: { minute: 5 } },
      message: 'give both minute and day',
    },
    {
      value: { key: 'k', plan: 'free', limits: { minute: 0 } },
      message: "Cannot set the key's limits.minute: found 0",
    },
    {
      value: { key: 'k', plan: 'free', limit: {} },
      message: 'Cannot set the key: found "limit"; use one of key, plan, limits',
    },
    {
      value: { key: 'k', plan: 'free', expiresAt: 'soon' },
      message: 'Cannot set the key\'s expiresAt: found "soon"',
    },
    {
      value: { key: 'k', plan: 'free', revoked: 'yes' },
      message: 'Cannot set the key\'s revoked: found "yes"; use true or false',
    },
    {
      value: { key: 'k', plan: 'free', remaining: { minute: 61 } },
      message: "Cannot set the key's remaining.minute: found 61; use at most its limit, 60",
    },
    {
      value: { key: 'k', plan: 'free', ban: 'long' },
      message: 'Cannot set the key\'s ban: found "long"',
    },
    {
      value: { plan: 'free' },
      message: 'Cannot set the key: found undefined; use 1 to 200 letters',
    },
    {
      value: { key: '', plan: 'free' },
      message: 'Cannot set the key: found ""; use 1 to 200 letters',
    },
    { value: { key: 'a b', plan: 'free' }, message: 'Cannot set the key: found "a b"' },
    { value: { key: 'a=b', plan: 'free' }, message: 'Cannot set the key: found "a=b"' },
    { value: { key: 'k\n', plan: 'free' }, message: 'Cannot set the key: found "k\\n"' },
    { value: { key: 'k'.repeat(201), plan: 'free' }, message: 'use 1 to 200 letters' },
  ])('refuses what is no key: $message', ({ value, message }) => {
    expect(() => parseKey(value)).toThrow(InputError)
    expect(() => parseKey(value)).toThrow(message)
  })
})

describe('parseRemaining()', () => {
  const limits = { minute: 60, day: 1_000 }

  it.each([{}, { minute: 0 }, { minute: 60, day: 1_000 }])('reads %j', (value) => {
    expect(parseRemaining(value, limits)).toEqual(value)
  })

  it.each([
    { value: { minute: 61 }, message: 'remaining.minute: found 61; use at most its limit, 60' },
    { value: { day: 1_001 }, message: 'remaining.day: found 1001; use at most its limit, 1000' },
    { value: { minute: -1 }, message: 'remaining.minute: found -1; use a whole number from 0' },
    { value: { second: 1 }, message: 'found "second"; use one of minute, day' },
    { value: 5, message: "Cannot set the key's remaining: found 5" },
  ])('refuses $value: $message', ({ value, message }) => {
    expect(() => parseRemaining(value, limits)).toThrow(message)
  })
})
