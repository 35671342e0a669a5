import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../src/sandbox.ts'
import { SandboxPool } from '../../../src/sandbox-pool.ts'
import type { SandboxOptions } from '../../../src/state/beginning.ts'
import { startAt } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

const options: SandboxOptions = { clock: { now: startAt, mode: 'frozen' }, rateLimit: 'reported' }

/** A request that is refused, with a body of some length; its answer takes the same each time. */
function refused(length: number) {
  return requestOf({ key: 'enterprise-key', json: JSON.stringify({ x: 'x'.repeat(length) }) })
}

/** What an exchange takes in memory, by the length of its body. */
async function bytesOfLength(length: number): Promise<number> {
  const pool = new SandboxPool()
  await pool.create(options).sandbox.handle(refused(length))
  return pool.memory.exchanges.used
}

type Step =
  | { readonly does: 'send'; readonly to: number; readonly length: number }
  | { readonly does: 'clear' | 'reset'; readonly to: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      does: fc.constant('send' as const),
      to: fc.nat(1),
      length: fc.constantFrom(0, 3_000, 9_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom('clear' as const, 'reset' as const),
      to: fc.nat(1),
    }),
  },
)

interface Kept {
  readonly of: number
  readonly id: number
  readonly bytes: number
}

function forget(kept: Kept[], one: Kept | undefined): void {
  if (one !== undefined) kept.splice(kept.indexOf(one), 1)
}

describe('the bytes of journals', () => {
  it('are those of the exchanges that they have; the oldest go first, be there too many or too large ones', async () => {
    const bytes = new Map<number, number>()
    for (const length of [0, 3_000, 9_000]) bytes.set(length, await bytesOfLength(length))
    expect(bytes.get(0)).toBeGreaterThan(1_536)
    expect((bytes.get(9_000) ?? 0) - (bytes.get(3_000) ?? 0)).toBe(2 * 6_000)
    const most = 60_000
    const mostEach = 5
    const anySteps = fc.array(anyStep, { maxLength: 30, size: 'max' })
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const pool = new SandboxPool({ limits: { journalBytes: most } })
        const sandboxes = [0, 1].map(
          () => pool.create({ ...options, journalSize: mostEach }).sandbox,
        )
        const lastIds = [0, 0]
        let kept: Kept[] = []
        for (const step of steps) {
          const { does, to } = step
          const sandbox = sandboxes[to] as Sandbox
          if (does === 'send') {
            await sandbox.handle(refused(step.length))
            const id = (lastIds[to] ?? 0) + 1
            lastIds[to] = id
            const own = kept.filter(({ of }) => of === to)
            if (own.length === mostEach) forget(kept, own[0])
            kept.push({ of: to, id, bytes: bytes.get(step.length) ?? 0 })
            while (kept.reduce((sum, one) => sum + one.bytes, 0) > most) kept.shift()
          } else {
            if (does === 'clear') sandbox.journal.clear()
            else sandbox.reset()
            kept = kept.filter(({ of }) => of !== to)
          }
          const ids = sandboxes.map((one) => one.journal.entries().map(({ id }) => id))
          expect(ids).toEqual(
            [0, 1].map((of) => kept.filter((one) => one.of === of).map(({ id }) => id)),
          )
          expect(pool.memory.exchanges.used).toBe(kept.reduce((sum, one) => sum + one.bytes, 0))
        }
        for (const name of pool.names()) pool.delete(name)
        expect(pool.memory.exchanges.used).toBe(0)
      }),
      { numRuns: 60 },
    )
  })
})
