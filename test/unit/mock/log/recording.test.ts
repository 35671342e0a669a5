import { describe, expect, it } from 'vitest'
import { defaultGaps, type GapSettings } from '../../../../src/mock/api/gaps.ts'
import { toJson } from '../../../../src/mock/api/json.ts'
import type { ApiRequest } from '../../../../src/mock/api/message.ts'
import { ByteBudget, SharedMemory } from '../../../../src/mock/log/byte-budget.ts'
import {
  newRequest,
  type OpenRequest,
  type RequestTiming,
} from '../../../../src/mock/log/logged-request.ts'
import { Recording } from '../../../../src/mock/log/recording.ts'
import { Redactor } from '../../../../src/mock/log/redactor.ts'
import { defaultLimits } from '../../../../src/mock/state/limits.ts'
import { freshState, restoringStep } from '../../../../src/mock/state/state.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../../kit/send.ts'

/** Of these, four fit into a segment, with something to spare. */
const large = JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 })

/** Sends what no operation takes, and so leaves nothing behind. */
async function sendLarge(sandbox: Sandbox, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) await send(sandbox, { method: 'PUT', json: large })
}

const timing: RequestTiming = {
  ...{
    adapter: 'direct',
    connection: undefined,
    connectedUs: undefined,
    startOrder: 1,
    receivedUs: 0,
    receivedAt: 0,
  },
  ...{ receivedTurn: 0, endOrder: undefined, endedUs: undefined, respondedAt: undefined },
  ...{ endedTurn: undefined, delivery: undefined, endedAt: undefined },
}

function begunOf(request: ApiRequest): OpenRequest {
  return { ...newRequest(timing, 'new'), request, at: startAt }
}

function petsOf(count: number) {
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: 'Rex',
    categoryId: 1,
    status: undefined,
  }))
}

describe('sandbox.capture() after more than 8 MiB', () => {
  it('has the latest steps, from a copy of the state on, and says what came before', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    sandbox.pets.create({ name: 'Early', categoryId: 1 })
    await sendLarge(sandbox, 8)
    expect(await sandbox.capture()).not.toHaveProperty('dropped')
    sandbox.clock.advance('1h')
    sandbox.pets.create({ name: 'Late', categoryId: 1 })
    await sendLarge(sandbox, 1)
    const { dropped, steps } = await sandbox.capture()
    // Four have gone; the pet that was made before them is in the copy, the other one among the steps.
    expect(dropped).toEqual({ requests: 4, before: '2026-01-01T00:00:00Z' })
    const [restored, ...later] = steps
    expect(restored).toMatchObject({ do: 'control', name: 'restore', at: '2026-01-01T00:00:00Z' })
    expect(toJson(restored)).toContain('"Early"')
    expect(toJson(restored)).not.toContain('"Late"')
    expect(later.map((step) => (step.do === 'control' ? step.name : step.request.method))).toEqual([
      ...['PUT', 'PUT', 'PUT', 'PUT'],
      ...['clock.advance', 'pets.create'],
      'PUT',
    ])
  })

  it('begins with all that the sandbox holds, and anew after a control that is too large to be kept', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only', seed: { pets: petsOf(100_000) } })
    await sendLarge(sandbox, 9)
    expect((await sandbox.capture()).dropped?.requests).toBe(4)
    sandbox.replaceSeed({ pets: petsOf(100_000) })
    await send(sandbox)
    const { dropped, steps } = await sandbox.capture()
    expect(dropped?.requests).toBe(9)
    expect(steps).toMatchObject([{ do: 'control', name: 'restore' }, { outcome: { status: 200 } }])
  })

  it('begins anew after a control whose input cannot be copied', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    sandbox.pets.create(new Proxy({ name: 'Late', categoryId: 1 }, {}))
    const { dropped, steps } = await sandbox.capture()
    expect(dropped?.requests).toBe(1)
    expect(toJson(steps)).toContain('"Late"')
  })

  it('begins anew after a control whose input is nested deeper than the stack', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const earlier = sandbox.snapshot()
    const { size } = sandbox.pets
    sandbox.pets.clear()
    const more: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    sandbox.restore({ ...earlier, more })
    expect(sandbox.pets.size).toBe(size)
    const { dropped, steps } = await sandbox.capture()
    expect(dropped?.requests).toBe(1)
    expect(steps).toMatchObject([{ do: 'control', name: 'restore' }])
  })

  it('says the same in a what-if, which knows what the sandbox held', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    sandbox.pets.clear()
    await send(sandbox, { json: '{"name":"Ada","categoryId":1}' })
    await sendLarge(sandbox, 9)
    await send(sandbox, { url: '/v1/pets/31' })
    const gaps: GapSettings = { deprecationHeaders: 'none' }
    const whole = await sandbox.whatIf({ gaps, responses: true })
    expect(whole).toMatchObject({
      requests: 6,
      dropped: { requests: 5, before: '2026-01-01T00:00:00Z' },
      results: [{ firstRequest: 11, responses: { url: '/v1/pets/31', actual: { status: 200 } } }],
    })
    const request = sandbox.requests.list().at(-1)?.id ?? 0
    const last = await sandbox.whatIf({ gaps, request, responses: true })
    expect(last.results).toEqual(whole.results)
  })
})

describe('Recording', () => {
  const state = freshState({
    limits: defaultLimits,
    memory: new SharedMemory(),
    redactor: new Redactor(),
    secrets: new Set(),
    seed: { pets: petsOf(1_000), keys: [] },
    randomSeed: 1,
    gaps: defaultGaps,
    clock: { now: startAt, mode: 'frozen', speed: 1 },
    rateLimits: 'enforce',
    maxRequests: 0,
  })

  it('keeps at least the latest half of 8 MiB, however much there is', () => {
    const record = new Recording(new ByteBudget(2 ** 25), () => restoringStep(state))
    const request = requestOf({ json: 'x'.repeat(1_000_000) })
    const found: number[] = []
    for (let sent = 1; sent <= 100; sent++) {
      record.begin(begunOf(request))
      const { dropped, steps } = record.known
      const requests = steps.filter((step) => step.do === 'request').length
      expect((dropped?.requests ?? 0) + requests).toBe(sent)
      found.push(requests)
    }
    expect(found.slice(0, 13)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 5])
    expect([Math.min(...found.slice(4)), Math.max(...found)]).toEqual([5, 8])
  })

  it('leaves room to others by what was asked longest ago', () => {
    const budget = new ByteBudget(2 ** 20)
    const records = [1, 2, 3].map(() => new Recording(budget, () => restoringStep(state)))
    const request = requestOf({ json: 'x'.repeat(10_000) })
    for (let sent = 0; sent < 20; sent++) {
      for (const record of records) record.begin(begunOf(request))
      expect(budget.used).toBeLessThanOrEqual(2 ** 20)
    }
    const [first, , last] = records
    for (let sent = 0; sent < 60; sent++) last?.begin(begunOf(request))
    expect(first?.known).toMatchObject({
      dropped: { requests: 20 },
      steps: [{ name: 'restore' }],
    })
    expect(last?.known).toMatchObject({ dropped: undefined, steps: { length: 80 } })
  })

  it('takes what it keeps along to other bytes that it shares', () => {
    const [before, after] = [new ByteBudget(2 ** 25), new ByteBudget(2 ** 25)]
    const record = new Recording(before, () => restoringStep(state))
    const request = requestOf({ json: 'x'.repeat(1_000_000) })
    for (let sent = 0; sent < 6; sent++) record.begin(begunOf(request))
    const { used } = before
    record.useBudget(after)
    expect(before.used).toBe(0)
    expect(after.used).toBe(used)
    expect(used).toBeGreaterThan(6_000_000)
    expect(record.known.steps).toHaveLength(6)
  })
})
