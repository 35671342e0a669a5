import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FullError } from '../../../src/input/input-error.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { SandboxPool } from '../../../src/sandbox-pool.ts'
import { startAt } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'

const keyBytes = 1_024
const faultBytes = 1_024
const usageBytes = 640

function petBytes(name: string): number {
  return 100 + 2 * name.length
}

/** A sandbox, and what of it takes no room or can't be seen. */
interface Holder {
  readonly sandbox: Sandbox
  /** The pets of the default seed, as far as they are as they were. */
  free: Set<unknown>
  /** How many keys have windows that were restored. */
  usages: number
}

function bytesOf({ sandbox, free, usages }: Holder): number {
  const pets = sandbox.pets.list().filter(({ id }) => !free.has(id))
  return (
    pets.reduce((sum, { name }) => sum + petBytes(name), 0) +
    keyBytes * sandbox.keys.list().length +
    faultBytes * sandbox.faults.list().length +
    usageBytes * usages
  )
}

const defaultIds = Array.from({ length: 30 }, (_, index) => index + 1)

/** What is done to a sandbox, with a number to choose by. */
const steps = {
  create({ sandbox }: Holder, size: number) {
    sandbox.pets.create({ name: 'x'.repeat(size), categoryId: 1 })
  },
  createTwo({ sandbox }: Holder, size: number) {
    sandbox.pets.create([
      { name: 'x'.repeat(size), categoryId: 1 },
      { id: 1_000 + size, name: 'y', categoryId: 1 },
    ])
  },
  change({ sandbox, free }: Holder, size: number) {
    const { id } = sandbox.pets.list()[size % 7] ?? { id: 0 }
    sandbox.pets.change(id, { name: 'z'.repeat(size) })
    free.delete(id)
  },
  delete({ sandbox, free }: Holder, size: number) {
    const { id } = sandbox.pets.list().at((size % 9) - 4) ?? { id: 0 }
    sandbox.pets.delete(id)
    free.delete(id)
  },
  clear(holder: Holder) {
    holder.sandbox.pets.clear()
    holder.free = new Set()
  },
  issue({ sandbox }: Holder, size: number) {
    sandbox.keys.issue({ key: `own-${size}`, plan: 'free' })
  },
  deleteKey({ sandbox }: Holder, size: number) {
    sandbox.keys.delete(sandbox.keys.list()[size % 9]?.key ?? '')
  },
  fault({ sandbox }: Holder) {
    sandbox.faults.add({ fault: 'timeout', operation: 'getPet' })
  },
  faults({ sandbox }: Holder) {
    sandbox.faults.add([
      { fault: 'latency', ms: 0 },
      { fault: 'status', operation: 'getPet' },
    ])
  },
  removeFault({ sandbox }: Holder) {
    sandbox.faults.remove(sandbox.faults.list()[0]?.id ?? 0)
  },
  clearFaults({ sandbox }: Holder) {
    sandbox.faults.clear()
  },
  reset(holder: Holder, size: number) {
    const { sandbox } = holder
    const isPart = size % 2 === 0
    sandbox.reset(isPart ? { only: ['pets'] } : {})
    if (!isPart) holder.usages = 0
    holder.free = new Set(sandbox.pets.list().some(({ name }) => name === 'own') ? [] : defaultIds)
  },
  reseed(holder: Holder, size: number) {
    const { sandbox } = holder
    if (size % 2 === 0) {
      const pets = [1, 40].map((id) => ({ id, name: 'own', categoryId: size }))
      sandbox.reseed({ pets, keys: [{ key: 'own-1', plan: 'pro' }] })
    } else sandbox.reseed({})
    holder.free = new Set(size % 2 === 0 ? [] : defaultIds)
  },
  restore(holder: Holder, _: number, other: Holder) {
    const snapshot = JSON.parse(JSON.stringify(other.sandbox.snapshot()))
    holder.sandbox.restore(snapshot)
    holder.free = new Set()
    holder.usages = snapshot.quotas.keys.length
  },
} as const

const anyStep = fc.record({
  does: fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
  to: fc.nat(1),
  other: fc.nat(1),
  size: fc.oneof(fc.nat(20), fc.nat(900)),
  isAsked: fc.boolean(),
})

/** How much more room is asked for, where that can be told beforehand. */
const asked: {
  readonly [Name in keyof typeof steps]?: (size: number, holder: Holder) => number | undefined
} = {
  create: (size) => petBytes('x'.repeat(size)),
  change(size, { sandbox, free }) {
    const pet = sandbox.pets.list()[size % 7]
    if (pet === undefined) return undefined
    return petBytes('z'.repeat(size)) - (free.has(pet.id) ? 0 : petBytes(pet.name))
  },
  issue: () => keyBytes,
  fault: () => faultBytes,
  faults: () => 2 * faultBytes,
}

const most = 23_000

describe('HeldBytes', () => {
  it('are those of what all sandboxes have; what would take more is refused, and changes nothing', async () => {
    const anySteps = fc.array(anyStep, { maxLength: 25, size: 'max' })
    await fc.assert(
      fc.asyncProperty(anySteps, async (taken) => {
        const pool = new SandboxPool({ limits: { stateBytes: most } })
        const clock = { now: startAt, mode: 'frozen' } as const
        const holders: Holder[] = [0, 1].map(() => ({
          ...{ sandbox: pool.create({ clock }).sandbox, free: new Set(defaultIds), usages: 0 },
        }))
        for (const { does, to, other, size, isAsked } of taken) {
          const [holder, source] = [holders[to] as Holder, holders[other] as Holder]
          if (isAsked) await send(source.sandbox, { key: 'stranger' })
          if (isAsked && source.sandbox.keys.list().some(({ key }) => key === 'pro-key'))
            await send(source.sandbox, { key: 'pro-key' })
          const before = pool.memory.held.used
          const more = asked[does]?.(size, holder)
          const contents = JSON.stringify(holder.sandbox.snapshot())
          let error: unknown
          try {
            steps[does](holder, size, source)
          } catch (thrown) {
            error = thrown
          }
          const { used } = pool.memory.held
          if (error !== undefined) {
            expect(JSON.stringify(holder.sandbox.snapshot())).toBe(contents)
            expect(used).toBe(before)
          }
          if (more !== undefined && before + more > most) expect(error).toBeInstanceOf(FullError)
          else if (more !== undefined) expect(error).not.toBeInstanceOf(FullError)
          expect(used).toBe(holders.reduce((sum, one) => sum + bytesOf(one), 0))
        }
        for (const name of pool.names()) pool.delete(name)
        expect(pool.memory.held.used).toBe(0)
      }),
      { numRuns: 100 },
    )
  })
})
