import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/input/input-error.ts'
import { readInput } from '../../src/input/schema.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { Keys, keySettings, newKey, remainingWithin } from '../../src/state/keys.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'

describe('Keys', () => {
  it('finds a key exactly as it is written', () => {
    const key = keySettings.read({ key: 'My-Key', plan: 'free' })
    const keys = new Keys([key])
    expect(keys.find('My-Key')).toEqual(key)
    expect(keys.find('my-key')).toBeUndefined()
    expect(keys.find('My-Key ')).toBeUndefined()
    expect(keys.find('__proto__')).toBeUndefined()
  })

  it('lists keys in the order in which they were added', () => {
    const keys = new Keys(['b', 'a'].map((key) => keySettings.read({ key, plan: 'free' })))
    keys.add(keySettings.read({ key: '0', plan: 'pro' }))
    expect(keys.all().map(({ key }) => key)).toEqual(['b', 'a', '0'])
  })

  it('refuses a key that exists already, showing its beginning only', () => {
    const key = keySettings.read({ key: 'secret-key', plan: 'free' })
    expect(() => new Keys([key, key])).toThrow(
      new InputError('Cannot add key "secr…": it exists already; use another text', ['key']),
    )
  })
})

describe('keySettings', () => {
  it.each([
    { plan: 'free', limits: { minute: 60, day: 1_000 } },
    { plan: 'pro', limits: { minute: 300, day: 10_000 } },
    { plan: 'business', limits: { minute: 1_000, day: 100_000 } },
  ])('gives a key of plan $plan the limits of the plan', ({ plan, limits }) => {
    expect(keySettings.read({ key: 'k', plan })).toEqual({
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
    const key = keySettings.read({ key: 'k', plan: 'free', limits: { minute: 5 } })
    expect(key.limits).toEqual({ minute: 5, day: 1_000 })
  })

  it('reads when a key expires, that it is revoked, and what it starts with', () => {
    const settings = { expiresAt: '2026-01-01', revoked: true, remaining: { day: 0 }, ban: '5m' }
    expect(keySettings.read({ key: 'k', plan: 'free', ...settings })).toMatchObject({
      expiresAt: Date.UTC(2026, 0, 1),
      isRevoked: true,
      firstRemaining: { day: 0 },
      firstBanMs: 300_000,
    })
  })

  it.each(['a', 'A9-._~+/', 'abc==', 'k'.repeat(200)])(
    'takes the text %s, as a bearer token has',
    (key) => {
      expect(keySettings.read({ key, plan: 'free' }).key).toBe(key)
    },
  )

  it('writes a key as it was read, without what it does not need', () => {
    const settings = { key: 'k', plan: 'free', remaining: { day: 0 }, ban: '5m' } as const
    expect(keySettings.write(keySettings.read(settings))).toEqual({
      ...settings,
      limits: { minute: 60, day: 1_000 },
    })
    expect(keySettings.write(keySettings.read({ key: 'k', plan: 'pro', remaining: {} }))).toEqual({
      key: 'k',
      plan: 'pro',
      limits: { minute: 300, day: 10_000 },
    })
  })

  it.each([
    { value: 'free-key', message: 'Cannot set key: found "free-key"; use an object such as' },
    {
      value: { key: 'k' },
      message: 'Cannot set key.plan: it is missing; use one of free, pro, business, enterprise',
    },
    {
      value: { key: 'k', plan: 'Free' },
      message: 'Cannot set key.plan: found "Free"; use one of free, pro, business, enterprise',
    },
    {
      value: { key: 'k', plan: 'enterprise' },
      message: 'Cannot set key.limits: plan enterprise has none (spec 8); give both minute and day',
    },
    {
      value: { key: 'k', plan: 'enterprise', limits: { minute: 5 } },
      message: 'give both minute and day',
    },
    {
      value: { key: 'k', plan: 'free', limits: { minute: 0 } },
      message: 'Cannot set key.limits.minute: found 0; use a whole number from 1',
    },
    {
      value: { key: 'k', plan: 'free', limit: {} },
      message: 'Cannot set key.limit: unknown property; use key, plan, limits',
    },
    {
      value: { key: 'k', plan: 'free', expiresAt: 'soon' },
      message: 'Cannot set key.expiresAt: found "soon"; use ISO 8601',
    },
    {
      value: { key: 'k', plan: 'free', revoked: 'yes' },
      message: 'Cannot set key.revoked: found "yes"; use true or false',
    },
    {
      value: { key: 'k', plan: 'free', remaining: { minute: 61 } },
      message: 'Cannot set key.remaining.minute: found 61; use at most the limit, 60',
    },
    {
      value: { key: 'k', plan: 'free', ban: 'long' },
      message: 'Cannot set key.ban: found "long"; use milliseconds',
    },
    {
      value: { plan: 'free' },
      message: 'Cannot set key.key: it is missing; use 1 to 200 letters, digits or any of -._~+/',
    },
    {
      value: { key: '', plan: 'free' },
      message: 'Cannot set key.key: found ""; use 1 to 200 letters',
    },
    { value: { key: 'a b', plan: 'free' }, message: 'Cannot set key.key: found "a b"' },
    { value: { key: 'a=b', plan: 'free' }, message: 'Cannot set key.key: found "a=b"' },
    { value: { key: 'k\n', plan: 'free' }, message: 'Cannot set key.key: found "k\\n"' },
    { value: { key: 'k'.repeat(201), plan: 'free' }, message: 'use 1 to 200 letters' },
  ])('refuses what is no key: $message', ({ value, message }) => {
    expect(() => readInput(keySettings, value)).toThrow(InputError)
    expect(() => readInput(keySettings, value)).toThrow(message)
  })
})

describe('newKey', () => {
  it('gives a key without a text a random one', () => {
    const texts = Array.from({ length: 20 }, () => newKey.read({ plan: 'free' }).key)
    expect(new Set(texts).size).toBe(20)
    expect(texts.filter((key) => !/^sandbox-[0-9a-f-]{36}$/.test(key))).toEqual([])
  })

  it('reads all else as a key of a seed', () => {
    const settings = { key: 'k', plan: 'pro', ban: '5m' } as const
    expect(newKey.read(settings)).toEqual(keySettings.read(settings))
    expect(() => readInput(newKey, { plan: 'enterprise' })).toThrow(
      'Cannot set key.limits: plan enterprise has none (spec 8); give both minute and day',
    )
  })
})

describe('remainingWithin()', () => {
  const limits = { minute: 60, day: 1_000 }

  it.each([{}, { minute: 0 }, { minute: 60, day: 1_000 }])('gives %j', (value) => {
    expect(remainingWithin(limits, value)).toEqual(value)
  })

  it.each([
    { value: { minute: 61 }, message: 'key.remaining.minute: found 61; use at most the limit, 60' },
    {
      value: { day: 1_001 },
      message: 'key.remaining.day: found 1001; use at most the limit, 1000',
    },
    { value: { minute: -1 }, message: 'key.remaining.minute: found -1; use a whole number from 0' },
    { value: { second: 1 }, message: 'key.remaining.second: unknown property; use minute, day' },
    { value: 5, message: 'Cannot set key.remaining: found 5; use an object such as' },
  ])('refuses $value of a key: $message', ({ value, message }) => {
    const settings = { key: 'k', plan: 'free', remaining: value }
    expect(() => readInput(keySettings, settings)).toThrow(message)
  })
})

describe('keys that come later', () => {
  it('are hidden, too, in what was sent before', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { url: '/v1/pets?x=free-key&y=late-key-1' })
    const url = () => sandbox.journal.get(1).request.url
    expect(url()).toBe('/v1/pets?x=free…&y=late-key-1')
    sandbox.keys.issue({ key: 'late-key-1', plan: 'free' })
    expect(url()).toBe('/v1/pets?x=free…&y=late…')
    sandbox.reset({ only: ['keys'] })
    expect(url()).toBe('/v1/pets?x=free…&y=late…')
  })
})

describe('keys that are gone', () => {
  const large = `{"name":"see gone-key and free-key","categoryId":1}`
  const bodyOf = (sandbox: Sandbox) => sandbox.journal.get(1).request.body

  it.each([
    { by: 'delete', end: (sandbox: Sandbox) => sandbox.keys.delete('gone-key') },
    {
      by: 'reset',
      end: (sandbox: Sandbox) => sandbox.reset({ only: ['keys'] }),
    },
  ])('stay hidden in the journal after a $by, however many follow them', async ({ end }) => {
    const sandbox = frozenSandbox()
    sandbox.keys.issue({ key: 'gone-key', plan: 'free' })
    await send(sandbox, { json: large })
    end(sandbox)
    expect(bodyOf(sandbox)).toContain('see gone… and free…')
    for (let count = 0; count < 1_010; count++) {
      sandbox.keys.delete(sandbox.keys.issue({ plan: 'free' }).key)
    }
    expect(bodyOf(sandbox)).toContain('see gone… and free…')
  })
})
