import { describe, expect, it } from 'vitest'
import { FullError } from '../../../src/input/input-error.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { SandboxPool } from '../../../src/sandbox-pool.ts'
import { Memory } from '../../../src/state/memory/memory.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../kit/send.ts'

const rex = { name: 'Rex', categoryId: 1 } as const
const rexJson = JSON.stringify(rex)

describe('the limits of a sandbox', () => {
  const full = frozenSandbox({ limits: { pets: 31, keys: 9, faults: 1 } })
  full.pets.create(rex)
  full.faults.add({ fault: 'timeout', operation: 'getPet' })

  it.each([
    {
      what: 'a pet',
      add: () => full.pets.create(rex),
      message: /^Cannot add pets: .* 32, and 31 /,
    },
    {
      what: 'pets',
      add: () => full.pets.create([rex]),
      message: /raise limits.pets .--limit pets=/,
    },
    {
      what: 'a key',
      add: () => full.keys.issue({ plan: 'free' }),
      message: /9 are .* limits.keys/,
    },
    { what: 'a fault', add: () => full.faults.add({ fault: 'timeout' }), message: /limits.faults/ },
    {
      what: 'one fault too many',
      add: () =>
        frozenSandbox({ limits: { faults: 1 } }).faults.add([
          { fault: 'timeout' },
          { fault: 'timeout' },
        ]),
      message: /^Cannot add faults: there would be 2, and 1 are allowed; remove some, or raise/,
    },
  ])('refuse $what, and say which option raises them', ({ add, message }) => {
    const before = JSON.stringify(full.snapshot())
    expect(add).toThrow(FullError)
    expect(add).toThrow(message)
    expect(JSON.stringify(full.snapshot())).toBe(before)
  })

  it('answer 503 to the pet of a client for whom there is no room, and 400 to a name too long', async () => {
    const sandbox = frozenSandbox({ limits: { pets: 31 } })
    expect(await send(sandbox, { json: rexJson })).toMatchObject({ status: 201 })
    expect(await send(sandbox, { json: rexJson })).toMatchObject({
      status: 503,
      body: expect.stringMatching(
        /"code":"internal_error","message":"Cannot add pets: .*"status":503/,
      ),
    })
    const json = JSON.stringify({ ...rex, name: 'x'.repeat(1_001) })
    expect(await send(frozenSandbox(), { json })).toMatchObject({
      status: 400,
      body: expect.stringContaining('Cannot use name: found 1001 characters; use at most 1000'),
    })
  })

  it('let a key be replaced by none, and a pet by another, when all are taken', () => {
    const sandbox = frozenSandbox({ limits: { pets: 30, keys: 9 } })
    sandbox.pets.change(1, { name: 'Other' })
    sandbox.pets.delete(1)
    sandbox.keys.delete('free-key')
    sandbox.pets.create(rex)
    sandbox.keys.issue({ plan: 'free' })
    expect(() => sandbox.keys.issue({ plan: 'free' })).toThrow(FullError)
    expect(() => sandbox.pets.create(rex)).toThrow(FullError)
  })

  it('take a seed and a snapshot with more, but no longer names', () => {
    const sandbox = frozenSandbox({ limits: { pets: 1, keys: 1, faults: 1 } })
    expect([sandbox.pets.size, sandbox.keys.list().length]).toEqual([30, 9])
    const other = frozenSandbox()
    other.faults.add([{ fault: 'timeout' }, { fault: 'timeout' }])
    sandbox.restore(other.snapshot())
    expect(sandbox.faults.list()).toHaveLength(2)
    const name = 'x'.repeat(1_001)
    expect(() => sandbox.reseed({ pets: [{ id: 1, ...rex, name }] })).toThrow('Cannot use name')
    expect(() => frozenSandbox().pets.create([rex, { ...rex, name }])).toThrow('Cannot use name')
    expect(() => sandbox.pets.change(1, { name })).toThrow('Cannot use name')
    expect(sandbox.pets.size).toBe(30)
  })
})

describe('the bytes that sandboxes hold', () => {
  const bytesIn = (pool: SandboxPool): number => pool.memory.held.used

  it.each([
    { what: 'pets', add: (sandbox: Sandbox) => sandbox.pets.create(rex) },
    { what: 'an array of pets', add: (sandbox: Sandbox) => sandbox.pets.create([rex]) },
    { what: 'keys', add: (sandbox: Sandbox) => sandbox.keys.issue({ plan: 'free' }) },
    { what: 'faults', add: (sandbox: Sandbox) => sandbox.faults.add({ fault: 'timeout' }) },
    {
      what: 'long names',
      add: (sandbox: Sandbox) => sandbox.pets.create({ ...rex, name: 'x'.repeat(1_000) }),
    },
  ])('bound $what of all of them together', ({ add }) => {
    const pool = new SandboxPool({ limits: { stateBytes: 60_000 } })
    const sandboxes = [pool.create().sandbox, pool.create().sandbox]
    const fill = () => {
      for (let added = 0; added < 1_000; added++) for (const sandbox of sandboxes) add(sandbox)
    }
    expect(fill).toThrow(FullError)
    expect(fill).toThrow(
      /60000 are allowed; delete some, or raise limits.stateBytes \(--limit stateB/,
    )
    expect(bytesIn(pool)).toBeLessThanOrEqual(60_000)
    // What is added counts where others are asked for room.
    expect(bytesIn(pool)).toBeGreaterThan(55_000)
  })

  it('are given back', () => {
    const pool = new SandboxPool()
    const { sandbox } = pool.create({ name: 'one' })
    const before = bytesIn(pool)
    const [pet] = sandbox.pets.create([rex, rex])
    sandbox.pets.delete(pet?.id ?? 0)
    sandbox.pets.change(31 + 1, { name: 'A longer name' })
    sandbox.pets.delete(32)
    sandbox.keys.delete(sandbox.keys.issue({ plan: 'free' }).key)
    sandbox.faults.add([{ fault: 'timeout' }, { fault: 'timeout' }])
    sandbox.faults.remove(1)
    sandbox.faults.clear()
    expect(bytesIn(pool)).toBe(before)
    sandbox.pets.create([rex])
    sandbox.reset()
    expect(bytesIn(pool)).toBe(before)
    sandbox.pets.clear()
    sandbox.reset({ only: ['pets'] })
    expect(bytesIn(pool)).toBe(before)
    pool.delete('one')
    expect(bytesIn(pool)).toBe(0)
  })

  it('let a pet have another name, where all are taken, that is no longer', () => {
    const pool = new SandboxPool({ limits: { stateBytes: 530 } })
    const { sandbox } = pool.create({ seed: { keys: [] } })
    const [pet] = sandbox.pets.create(Array.from({ length: 5 }, () => rex))
    const id = pet?.id ?? 0
    sandbox.pets.change(id, { name: 'Max' })
    expect(() => sandbox.pets.change(id, { name: 'Maxi' })).toThrow('would take 532 bytes')
    sandbox.pets.change(id, { name: 'Mo' })
    expect(bytesIn(pool)).toBe(528)
    sandbox.pets.change(id, { name: 'Tom' })
    // One of the default seed takes no room; what takes its place does.
    expect(() => sandbox.pets.change(1, { name: 'Tom' })).toThrow('would take 636 bytes')
    expect(bytesIn(pool)).toBe(530)
  })

  it('are given back by a sandbox that is deleted, even if there is no room for what it began with', () => {
    const pool = new SandboxPool({ limits: { stateBytes: 20_000 } })
    const pets = Array.from({ length: 50 }, (_, index) => ({ ...rex, id: index + 1 }))
    const { sandbox } = pool.create({ name: 'one', seed: { pets, keys: [] } })
    const other = pool.create({ seed: { keys: [] } }).sandbox
    sandbox.pets.clear()
    other.pets.create(Array.from({ length: 180 }, () => rex))
    expect(() => sandbox.reset()).toThrow(FullError)
    const before = bytesIn(pool)
    const deleted: Sandbox[] = []
    pool.onDelete((one) => deleted.push(one))
    sandbox.pets.create(rex)
    pool.delete('one')
    expect(deleted).toEqual([sandbox])
    expect(bytesIn(pool)).toBe(before)
    expect(sandbox.pets.size).toBe(50)
  })

  it('refuse a snapshot that is larger, and leave all as it was', () => {
    const large = frozenSandbox()
    large.pets.create(Array.from({ length: 500 }, () => rex))
    const pool = new SandboxPool({ limits: { stateBytes: 40_000 } })
    const { sandbox } = pool.create()
    const before = bytesIn(pool)
    expect(() => sandbox.restore(large.snapshot())).toThrow(FullError)
    expect(() => pool.create({ seed: { pets: large.pets.list() } })).toThrow(FullError)
    expect([bytesIn(pool), sandbox.pets.size]).toEqual([before, 30])
    pool.create()
  })
})

describe('the memory of a process', () => {
  it('has the bytes that the guides name, where nobody asks for others', () => {
    const { exchanges, records, callers, strangers } = new Memory()
    const mebibytes = [exchanges, records, callers, strangers].map(({ most }) => most / 2 ** 20)
    expect(mebibytes).toEqual([64, 32, 8, 8])
  })
})

describe('the strangers of a sandbox', () => {
  const stranger = (number: number) => ({ key: `stranger-${number}` })
  const remainingOf = async (sandbox: Sandbox, number: number) =>
    (await send(sandbox, stranger(number))).headers['x-ratelimit-remaining']

  it('are as many as the limits say', async () => {
    const sandbox = frozenSandbox({ limits: { strangers: 2 } })
    for (const number of [1, 2, 1, 3]) await send(sandbox, stranger(number))
    expect(await remainingOf(sandbox, 1)).toBe('57')
    expect(await remainingOf(sandbox, 2)).toBe('59')
  })

  it('share their bytes with those of others; the one unseen for longest goes first', async () => {
    const pool = new SandboxPool({ limits: { strangerBytes: 1_400 } })
    const clock = { mode: 'frozen' } as const
    const [one, other] = [pool.create({ clock }).sandbox, pool.create({ clock }).sandbox]
    await send(one, stranger(1))
    await send(other, stranger(1))
    await send(one, stranger(1))
    await send(other, stranger(2))
    expect(await remainingOf(one, 1)).toBe('57')
    expect(await remainingOf(other, 1)).toBe('59')
    one.reset()
    other.reset()
    expect(pool.memory.strangers.used).toBe(0)
  })
})

describe('a sandbox that comes to share memory', () => {
  it('takes with it all that takes bytes', async () => {
    const sandbox = frozenSandbox()
    sandbox.pets.create(rex)
    sandbox.faults.add({ fault: 'latency', ms: 0 })
    for (const key of ['free-key', 'stranger']) await send(sandbox, { key })
    sandbox.restore(sandbox.snapshot())
    const bytesOf = ({ held, strangers, callers, exchanges }: Memory) =>
      [held, strangers, callers, exchanges].map(({ used }) => used)
    const before = sandbox.bounds().memory
    await send(sandbox, { key: 'other' })
    const taken = bytesOf(before)
    expect(Math.min(...taken)).toBeGreaterThan(100)
    const memory = new Memory()
    sandbox.shareMemory(memory)
    expect(bytesOf(memory)).toEqual(taken)
    expect(bytesOf(before)).toEqual([0, 0, 0, 0])
    sandbox.shareMemory(memory)
    expect(bytesOf(memory)).toEqual(taken)
    // What comes later is counted there, too.
    await send(sandbox, { key: 'third' })
    sandbox.pets.create(rex)
    expect(Math.min(...bytesOf(memory).map((bytes, index) => bytes - (taken[index] ?? 0)))).toBe(
      106,
    )
  })

  it('has nothing to take for what ends in a state that is no more', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const request = requestOf({ json: rexJson, key: 'stranger' })
    const answered = [request, requestOf({ json: rexJson })].map((one) => sandbox.handle(one))
    const { held, strangers } = sandbox.bounds().memory
    sandbox.reset()
    const before = held.used
    await Promise.all(answered)
    expect([held.used, strangers.used]).toEqual([before, 0])
  })
})
