import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox.ts'
import { SandboxPool } from '../../src/sandbox-pool.ts'
import type { SandboxOptions } from '../../src/state/beginning.ts'
import { SharedMemory } from '../../src/state/limits.ts'
import { startAt } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

const large = requestOf({ json: JSON.stringify({ x: 'x'.repeat(50_000) }) })

async function post(sandbox: Sandbox, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) await sandbox.handle(large)
}

const idsOf = (sandbox: Sandbox): number[] => sandbox.journal.entries().map(({ id }) => id)

/** How many exchanges all sandboxes remember. */
function keptIn(...sandboxes: readonly Sandbox[]): number {
  return sandboxes.reduce((sum, sandbox) => sum + idsOf(sandbox).length, 0)
}

/** Ten exchanges with a body of 50,000 characters, and not eleven. */
const tenLarge = 1_100_000

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

describe('SharedBytes', () => {
  it('lets the oldest exchanges of all sandboxes go first', async () => {
    const pool = new SandboxPool({ limits: { journalBytes: tenLarge } })
    const { sandbox: one } = pool.create({ rateLimit: 'reported' })
    const { sandbox: other } = pool.create({ rateLimit: 'reported' })
    await post(one, 6)
    await post(other, 6)
    expect([idsOf(one), idsOf(other)]).toEqual([
      [3, 4, 5, 6],
      [1, 2, 3, 4, 5, 6],
    ])
    await post(one, 2)
    expect([idsOf(one), idsOf(other)]).toEqual([
      [5, 6, 7, 8],
      [1, 2, 3, 4, 5, 6],
    ])
    await post(other, 5)
    expect([idsOf(one), idsOf(other)]).toEqual([
      [7, 8],
      [4, 5, 6, 7, 8, 9, 10, 11],
    ])
  })

  it.each([
    { what: 'cleared', end: (sandbox: Sandbox) => sandbox.journal.clear() },
    { what: 'reset', end: (sandbox: Sandbox) => sandbox.reset() },
    { what: 'restored', end: (sandbox: Sandbox) => sandbox.restore(createSandbox().snapshot()) },
    { what: 'deleted', end: (_: Sandbox, pool: SandboxPool) => pool.delete('one') },
  ])('gives back what a journal took that is $what', async ({ end }) => {
    const pool = new SandboxPool({ limits: { journalBytes: tenLarge } })
    const { sandbox: one } = pool.create({ name: 'one', rateLimit: 'reported' })
    const { sandbox: other } = pool.create({ rateLimit: 'reported' })
    await post(one, 8)
    expect(pool.memory.exchanges.used).toBeGreaterThan(800_000)
    end(one, pool)
    expect(pool.memory.exchanges.used).toBe(0)
    await post(other, 10)
    expect(idsOf(other)).toHaveLength(10)
  })

  it('bounds a journal that is restored, and the bodies in it', async () => {
    const original = createSandbox({ rateLimit: 'reported' })
    await post(original, 20)
    const snapshot = JSON.parse(JSON.stringify(original.snapshot()))
    const cut = { body: `${'x'.repeat(65_536)}…`, bodyBytes: 70_000 }
    Object.assign(snapshot.journal.list[18].request, cut)
    snapshot.journal.list[19].request.body = 'x'.repeat(1_000_000)
    const pool = new SandboxPool({ limits: { journalBytes: tenLarge } })
    const { sandbox } = pool.create()
    sandbox.restore(snapshot)
    expect(idsOf(sandbox)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
    expect(sandbox.journal.get(19).request).toMatchObject(cut)
    expect(sandbox.journal.get(20).request.body).toHaveLength(65_537)
    expect(pool.memory.exchanges.used).toBeLessThan(tenLarge)
  })

  it('keeps nothing of a request that ends after a reset', async () => {
    const pool = new SandboxPool()
    const { sandbox } = pool.create({ clock: { mode: 'frozen' } })
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const answered = sandbox.handle(large)
    sandbox.reset()
    await answered
    expect([pool.memory.exchanges.used, idsOf(sandbox)]).toEqual([0, []])
  })

  it('bounds a sandbox of its own to 64 MiB', async () => {
    const sandbox = createSandbox({ rateLimit: 'reported' })
    await post(sandbox, 700)
    const kept = keptIn(sandbox)
    expect(kept).toBeGreaterThan(500)
    expect(kept).toBeLessThan(671)
  })

  it('counts a sandbox that came to share it after a reset, too', async () => {
    const sandbox = createSandbox({ rateLimit: 'reported' })
    const memory = new SharedMemory({ journalBytes: tenLarge })
    sandbox.shareMemory(memory)
    sandbox.reset()
    await post(sandbox, 20)
    expect(keptIn(sandbox)).toBe(10)
    expect(memory.exchanges.used).toBeGreaterThan(1_000_000)
  })

  it('counts the exchanges that journals have; the oldest go first, be there too many or too large ones', async () => {
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
