import { describe, expect, it } from 'vitest'
import { FullError } from '../../../../src/mock/input/input-error.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

const rex = { name: 'Rex', categoryId: 1 } as const
const rexJson = JSON.stringify(rex)

describe('the limits of a sandbox', () => {
  const full = frozenSandbox({ limits: { pets: 31, keys: 9 } })
  full.pets.create(rex)
  full.faults.add(
    Array.from({ length: 1_000 }, () => ({ fault: 'timeout', operation: 'getPet' }) as const),
  )

  it.each([
    {
      what: 'a pet',
      add: () => full.pets.create(rex),
      message: /^Cannot add pets: .* 32, and 31 /,
    },
    {
      what: 'pets',
      add: () => full.pets.create([rex]),
      message: /are allowed; delete some/,
    },
    {
      what: 'a key',
      add: () => full.keys.issue({ plan: 'free' }),
      message: /^Cannot add a key: there are 9, and 9 are/,
    },
    {
      what: 'a fault',
      add: () => full.faults.add({ fault: 'timeout' }),
      message: /^Cannot add faults: .* 1001, and 1000 /,
    },
    {
      what: 'names that are too long together',
      add: () =>
        frozenSandbox().pets.create(
          Array.from({ length: 2_001 }, () => ({ name: 'x'.repeat(1_000), categoryId: 1 })),
        ),
      message: /^Cannot use these names: .* 2000000 are allowed/,
    },
  ])('reject $what, and change nothing', ({ add, message }) => {
    const before = JSON.stringify(full.snapshot())
    expect(add).toThrow(FullError)
    expect(add).toThrow(message)
    expect(JSON.stringify(full.snapshot())).toBe(before)
  })

  it('answer 503 to the pet of a client for whom there is no room', async () => {
    const sandbox = frozenSandbox({ limits: { pets: 31 } })
    expect(await send(sandbox, { json: rexJson })).toMatchObject({ status: 201 })
    expect(await send(sandbox, { json: rexJson })).toMatchObject({
      status: 503,
      body: expect.stringMatching(
        /"code":"internal_error","message":"Cannot add pets: .*"status":503/,
      ),
    })
  })

  it('let a key be replaced by none, and a pet by another, when all are taken', () => {
    const sandbox = frozenSandbox({ limits: { pets: 30, keys: 9 } })
    sandbox.pets.update(1, { name: 'Other' })
    sandbox.pets.delete(1)
    sandbox.keys.delete('free-key')
    sandbox.pets.create(rex)
    sandbox.keys.issue({ plan: 'free' })
    expect(() => sandbox.keys.issue({ plan: 'free' })).toThrow(FullError)
    expect(() => sandbox.pets.create(rex)).toThrow(FullError)
  })

  it('take a seed and a snapshot with more', () => {
    const sandbox = frozenSandbox({ limits: { pets: 1, keys: 1 } })
    expect([sandbox.pets.size, sandbox.keys.list().length]).toEqual([30, 9])
    const other = frozenSandbox()
    other.faults.add([{ fault: 'timeout' }, { fault: 'timeout' }])
    sandbox.restore(other.snapshot())
    expect(sandbox.faults.list()).toHaveLength(2)
  })
})

describe('the unknown tokens of a sandbox', () => {
  const remainingOf = async (sandbox: Sandbox, number: number) =>
    (await send(sandbox, { key: `unknown-${number}` })).headers['x-ratelimit-remaining']

  it('are 1,000; the one unseen for longest is forgotten', async () => {
    const sandbox = frozenSandbox()
    for (let number = 1; number <= 1_000; number++) await remainingOf(sandbox, number)
    expect(await remainingOf(sandbox, 1)).toBe('58')
    await remainingOf(sandbox, 1_001)
    expect(await remainingOf(sandbox, 1)).toBe('57')
    expect(await remainingOf(sandbox, 2)).toBe('59')
  })

  it('are told apart by as many characters as a key may have', async () => {
    const sandbox = frozenSandbox()
    const long = 'x'.repeat(200)
    expect((await send(sandbox, { key: `${long}1` })).headers['x-ratelimit-remaining']).toBe('59')
    expect((await send(sandbox, { key: `${long}2` })).headers['x-ratelimit-remaining']).toBe('58')
  })
})
