import { describe, expect, it } from 'vitest'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import { Keys, keySettings, newKey, remainingWithin } from '../../../../src/mock/state/keys.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

describe('Keys', () => {
  it('finds a key exactly as it is written', () => {
    const key = keySettings.parse({ key: 'My-Key', plan: 'free' })
    const keys = new Keys([key])
    expect(keys.find('My-Key')).toEqual(key)
    expect(keys.find('my-key')).toBeUndefined()
    expect(keys.find('My-Key ')).toBeUndefined()
    expect(keys.find('__proto__')).toBeUndefined()
  })

  it('lists keys in the order in which they were added', () => {
    const keys = new Keys(['b', 'a'].map((key) => keySettings.parse({ key, plan: 'free' })))
    keys.add(keySettings.parse({ key: '0', plan: 'pro' }))
    expect(keys.all().map(({ key }) => key)).toEqual(['b', 'a', '0'])
  })

  it('rejects a key that exists already, showing its beginning only', () => {
    const key = keySettings.parse({ key: 'secret-key', plan: 'free' })
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
    expect(keySettings.parse({ key: 'k', plan })).toEqual({
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
    const key = keySettings.parse({ key: 'k', plan: 'free', limits: { minute: 5 } })
    expect(key.limits).toEqual({ minute: 5, day: 1_000 })
  })

  it('reads when a key expires, that it is revoked, and what it starts with', () => {
    const settings = { expiresAt: '2026-01-01', revoked: true, remaining: { day: 0 }, ban: '5m' }
    expect(keySettings.parse({ key: 'k', plan: 'free', ...settings })).toMatchObject({
      expiresAt: Date.UTC(2026, 0, 1),
      isRevoked: true,
      firstRemaining: { day: 0 },
      firstBanMs: 300_000,
    })
  })

  it.each(['a', 'A9-._~+/', 'abc==', 'k'.repeat(200)])(
    'takes the text %s, as a bearer token has',
    (key) => {
      expect(keySettings.parse({ key, plan: 'free' }).key).toBe(key)
    },
  )

  it('writes a key as it was read, without what it does not need', () => {
    const settings = { key: 'k', plan: 'free', remaining: { day: 0 }, ban: '5m' } as const
    expect(keySettings.encode(keySettings.parse(settings))).toEqual({
      ...settings,
      limits: { minute: 60, day: 1_000 },
    })
    expect(keySettings.encode(keySettings.parse({ key: 'k', plan: 'pro', remaining: {} }))).toEqual(
      {
        key: 'k',
        plan: 'pro',
        limits: { minute: 300, day: 10_000 },
      },
    )
  })
})

describe('newKey', () => {
  it('gives a key without a text a random one', () => {
    const texts = Array.from({ length: 20 }, () => newKey.parse({ plan: 'free' }).key)
    expect(new Set(texts).size).toBe(20)
    expect(texts.filter((key) => !/^sandbox-[0-9a-f-]{36}$/.test(key))).toEqual([])
  })

  it('reads all else as a key of a seed', () => {
    const settings = { key: 'k', plan: 'pro', ban: '5m' } as const
    expect(newKey.parse(settings)).toEqual(keySettings.parse(settings))
  })
})

describe('remainingWithin()', () => {
  const limits = { minute: 60, day: 1_000 }

  it.each([{}, { minute: 0 }, { minute: 60, day: 1_000 }])('gives %j', (value) => {
    expect(remainingWithin(limits, value)).toEqual(value)
  })
})

describe('keys that come later', () => {
  it('are hidden, too, in what was sent before', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { url: '/v1/pets?x=free-key&y=late-key-1' })
    const url = () => sandbox.requests.get(1).request.url
    expect(url()).toBe('/v1/pets?x=free…&y=late-key-1')
    sandbox.keys.issue({ key: 'late-key-1', plan: 'free' })
    expect(url()).toBe('/v1/pets?x=free…&y=late…')
    sandbox.reset({ only: ['keys'] })
    expect(url()).toBe('/v1/pets?x=free…&y=late…')
  })
})

describe('keys that are gone', () => {
  const large = `{"name":"see gone-key and free-key","categoryId":1}`
  const bodyOf = (sandbox: Sandbox) => sandbox.requests.get(1).request.body

  it.each([
    { by: 'delete', end: (sandbox: Sandbox) => sandbox.keys.delete('gone-key') },
    {
      by: 'reset',
      end: (sandbox: Sandbox) => sandbox.reset({ only: ['keys'] }),
    },
  ])('stay hidden in the request log after a $by', async ({ end }) => {
    const sandbox = frozenSandbox()
    sandbox.keys.issue({ key: 'gone-key', plan: 'free' })
    await send(sandbox, { json: large })
    end(sandbox)
    expect(bodyOf(sandbox)).toContain('see gone… and free…')
  })
})
