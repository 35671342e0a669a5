import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'

const snapshot = frozenSandbox().snapshot()

describe('a snapshot', () => {
  it.each([0, 2, 1.5])('is none of version %d', (version) => {
    expect(() => frozenSandbox().restore({ ...snapshot, petstoreSandbox: version })).toThrow(
      `Cannot set snapshot: found a snapshot of version ${version}; use one of version 1`,
    )
  })

  it.each(Object.keys(snapshot).filter((name) => name !== 'petstoreSandbox'))(
    'is broken without its part %s',
    (name) => {
      const { [name]: _, ...rest } = snapshot as Readonly<Record<string, unknown>>
      expect(() => frozenSandbox().restore(rest)).toThrow(
        new RegExp(`^Cannot set snapshot\\.${name}: required; use `),
      )
    },
  )

  it('has no seed of its own, unless it was given one: a reset comes back to that of the sandbox', () => {
    const sandbox = frozenSandbox()
    sandbox.replaceSeed({ pets: [] })
    sandbox.restore(snapshot)
    sandbox.reset()
    expect(sandbox.pets.size).toBe(30)
  })

  // As many and as long as the limits allow, each character six in JSON.
  it('of the largest state is below 64 MiB, and restores it', { timeout: 600_000 }, () => {
    const name = '\u0001'.repeat(20)
    const pets = Array.from({ length: 100_000 }, (_, index) => ({
      id: 2n ** 63n - 1n - BigInt(index),
      name,
      categoryId: -(2n ** 63n) + BigInt(index),
      status: 'available' as const,
    }))
    const keys = Array.from({ length: 10_000 }, (_, index) => ({
      key: `${index}-${'k'.repeat(190)}`,
      plan: 'enterprise' as const,
      limits: { minute: 1e9, day: 1e9 },
      expiresAt: '2099-12-31T23:59:59.999Z',
    }))
    const sandbox = createSandbox({ seed: { pets: [], keys: [] } })
    sandbox.replaceSeed({ pets, keys })
    for (let count = 0; count < 1_000; count++) {
      sandbox.faults.add({
        fault: 'latency',
        ms: '1s-3s',
        operation: 'createPet',
        key: keys[0]?.key,
      })
    }
    const text = JSON.stringify(sandbox.snapshot())
    expect(Buffer.byteLength(text)).toBeLessThan(2 ** 26)
    const other = createSandbox()
    other.restore(JSON.parse(text))
    expect([other.pets.size, other.keys.list().length]).toEqual([100_000, 10_000])
  })
})
