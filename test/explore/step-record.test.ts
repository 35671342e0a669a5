import { describe, expect, it } from 'vitest'
import { defaultGaps } from '../../src/contract/gaps.ts'
import { toJson } from '../../src/contract/json.ts'
import { StepRecord } from '../../src/explore/step-record.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { KeptVisit, Sequence } from '../../src/state/exchange.ts'
import { defaultLimits, SharedBytes, SharedMemory } from '../../src/state/limits.ts'
import { Redactor } from '../../src/state/redactor.ts'
import { freshState } from '../../src/state/state.ts'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { requestOf, send } from '../kit/send.ts'

/** Of these, four fit into a stretch, with something to spare. */
const large = JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 })

/** Sends what gets 400 for its long name, and so leaves nothing behind. */
async function sendLarge(sandbox: Sandbox, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) await send(sandbox, { json: large })
}

function petsOf(count: number) {
  return Array.from({ length: count }, (_, id) => ({ id, name: 'Rex', categoryId: 1 }))
}

describe('sandbox.capture() after more than 8 MiB', () => {
  it('has the latest steps, from a copy of the state on, and says what came before', async () => {
    const sandbox = frozenSandbox({ rateLimit: 'reported' })
    sandbox.pets.create({ name: 'Early', categoryId: 1 })
    await sendLarge(sandbox, 8)
    expect(await sandbox.capture()).not.toHaveProperty('earlier')
    sandbox.clock.advance('1h')
    sandbox.pets.create({ name: 'Late', categoryId: 1 })
    await sendLarge(sandbox, 1)
    const { earlier, steps } = await sandbox.capture()
    // Four have gone; the pet that was made before them is in the copy, the other one among the steps.
    expect(earlier).toEqual({ exchanges: 4, until: '2026-01-01T00:00:00Z' })
    const [restored, ...later] = steps
    expect(restored).toMatchObject({ do: 'control', name: 'restore', at: '2026-01-01T00:00:00Z' })
    expect(toJson(restored)).toContain('"Early"')
    expect(toJson(restored)).not.toContain('"Late"')
    expect(later.map((step) => (step.do === 'control' ? step.name : step.request.method))).toEqual([
      ...['POST', 'POST', 'POST', 'POST'],
      ...['clock.advance', 'pets.create'],
      'POST',
    ])
  })

  it('begins in the middle with as many pets as a copy may have, and not with more', async () => {
    const few = frozenSandbox({ rateLimit: 'reported', seed: { pets: petsOf(6_900) } })
    await sendLarge(few, 9)
    expect((await few.capture()).earlier?.exchanges).toBe(4)
    const many = frozenSandbox({ rateLimit: 'reported', seed: { pets: petsOf(7_000) } })
    await sendLarge(many, 8)
    expect(await many.capture()).not.toHaveProperty('earlier')
    await sendLarge(many, 1)
    await expect(many.capture()).rejects.toThrow(
      /^Cannot replay what the sandbox was asked: it has forgotten the beginning, since more than 8 MiB came after it, and what the sandbox holds takes more than 4 MiB, .*; reset the sandbox/,
    )
  })

  it('begins anew once the sandbox holds less, or is reset', async () => {
    const sandbox = frozenSandbox({ rateLimit: 'reported', seed: { pets: petsOf(100_000) } })
    await sendLarge(sandbox, 9)
    await expect(sandbox.capture()).rejects.toThrow('forgotten')
    sandbox.reset()
    await send(sandbox)
    const { earlier, steps } = await sandbox.capture()
    expect({ earlier, steps: steps.length }).toEqual({ earlier: undefined, steps: 2 })
    await sendLarge(sandbox, 9)
    await expect(sandbox.capture()).rejects.toThrow('forgotten')
    sandbox.pets.clear()
    await sendLarge(sandbox, 1)
    await send(sandbox)
    expect((await sandbox.capture()).earlier?.exchanges).toBe(20)
  })

  it('says the same in a counterfactual, which knows what the sandbox held', async () => {
    const sandbox = frozenSandbox({ rateLimit: 'reported' })
    sandbox.pets.clear()
    await send(sandbox, { json: '{"name":"Ada","categoryId":1}' })
    await sendLarge(sandbox, 9)
    await send(sandbox, { url: '/v1/pets/31' })
    const { exchanges, earlier, gaps } = await sandbox.counterfactual({ replies: true })
    expect({ exchanges, earlier }).toEqual({
      exchanges: 6,
      earlier: { exchanges: 5, until: '2026-01-01T00:00:00Z' },
    })
    expect(gaps.deprecationHeaders?.none).toMatchObject({
      first: 11,
      replies: { url: '/v1/pets/31' },
    })
    expect(gaps.deprecationHeaders?.none?.replies?.before.status).toBe(200)
    const last = sandbox.journal.entries().at(-1)?.id ?? 0
    expect(await sandbox.whatIf(last, { deprecationHeaders: 'none' })).toMatchObject({
      differs: true,
      before: { status: 200 },
    })
  })
})

describe('StepRecord', () => {
  const visit = new KeptVisit('direct', undefined, new Sequence())
  const state = freshState({
    limits: defaultLimits,
    memory: new SharedMemory(),
    redactor: new Redactor(),
    secrets: new Set(),
    seed: { pets: petsOf(1_000), keys: [] },
    randomSeed: 1,
    gaps: defaultGaps,
    clock: { now: startAt, mode: 'frozen', scale: 1 },
    rateLimit: 'enforced',
    journalSize: 0,
  })

  it('keeps at least the latest half of 8 MiB, however much there is', () => {
    const record = new StepRecord(new SharedBytes(2 ** 25), () => state)
    const request = requestOf({ json: 'x'.repeat(1_000_000) })
    const found: number[] = []
    for (let sent = 1; sent <= 100; sent++) {
      record.addRequest(request, startAt, visit)
      const { earlier, steps = [] } = record.known
      const requests = steps.filter(({ kind }) => kind === 'request').length
      expect((earlier?.exchanges ?? 0) + requests).toBe(sent)
      found.push(requests)
    }
    expect(found.slice(0, 13)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 5])
    expect([Math.min(...found.slice(4)), Math.max(...found)]).toEqual([5, 8])
  })

  it('leaves room to others by what is oldest, and copies the state no more often than that pays', () => {
    const budget = new SharedBytes(2 ** 20)
    const records = [1, 2, 3].map(() => new StepRecord(budget, () => state))
    const beginnings = new Set<string>()
    const request = requestOf({ json: 'x'.repeat(10_000) })
    for (let sent = 0; sent < 1_000; sent++) {
      records.forEach((record, index) => {
        record.addRequest(request, startAt, visit)
        const { earlier } = record.known
        if (earlier !== undefined) beginnings.add(`${index} ${earlier.exchanges}`)
      })
      expect(budget.used).toBeLessThanOrEqual(2 ** 20)
    }
    // A copy counts for 600,000 bytes, and is made after as many at the earliest.
    expect(beginnings.size).toBeGreaterThan(3)
    expect(beginnings.size).toBeLessThan((3 * 1_000 * 11_100) / 600_000)
  })

  it('takes what it keeps along to other bytes that it shares', () => {
    const [before, after] = [new SharedBytes(2 ** 25), new SharedBytes(2 ** 25)]
    const record = new StepRecord(before, () => state)
    const request = requestOf({ json: 'x'.repeat(1_000_000) })
    for (let sent = 0; sent < 6; sent++) record.addRequest(request, startAt, visit)
    const { used } = before
    record.join(after)
    expect(before.used).toBe(0)
    expect(after.used).toBe(used)
    expect(used).toBeGreaterThan(6_000_000)
    expect(record.known.steps).toHaveLength(6)
  })
})
