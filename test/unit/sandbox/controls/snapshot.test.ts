import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src/mock/api/message.ts'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import { isRecord } from '../../../../src/mock/input/record.ts'
import type { Snapshot } from '../../../../src/mock/state/state.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { anyFault } from '../../../kit/any-fault.ts'
import { anyGaps, anyInt64, anyRequest } from '../../../kit/arbitraries.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send, type TestRequest } from '../../../kit/send.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'
import { stateOf } from '../../../kit/state-of.ts'
import { begin } from '../../../kit/under-way.ts'

/** Something that is done to a sandbox, and what comes of it. */
type Step = (sandbox: Sandbox) => unknown

const keyNames = ['free-key', 'pro-key', 'minute-exhausted-key', 'banned-key', 'own-key', 'none']
const anyKeyName = fc.constantFrom(...keyNames)
const anyPlan = fc.constantFrom('free', 'pro', 'business')
const anyWindows = fc.record({ minute: fc.nat(60), day: fc.nat(1_000) }, { requiredKeys: [] })
const anyPetId = fc.oneof(fc.integer({ min: -1, max: 40 }), anyInt64)
const anyStatus = fc.constantFrom('available', 'pending', 'sold')

const anyApiRequest = fc.oneof(
  fc.tuple(anyKeyName, anyPetId).map(([key, id]): TestRequest => ({ key, url: `/v1/pets/${id}` })),
  fc.tuple(anyKeyName, anyStatus).map(([key, status]): TestRequest => {
    return { key, url: `/v1/pets?limit=100&status=${status}` }
  }),
  fc.tuple(anyKeyName, anyInt64, fc.string()).map(([key, categoryId, name]): TestRequest => {
    return { key, json: `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}` }
  }),
  // A body as long as the longest costs more than all else here; shared-bytes.test.ts restores such.
  anyRequest.map((request): TestRequest => {
    return { ...request, key: null, body: request.body.slice(0, 2_000) }
  }),
)

/** Sends a request, and lets the clock run on until it is answered whole. */
async function outcomeOf(sandbox: Sandbox, request: TestRequest): Promise<unknown> {
  const underWay = begin(sandbox, request)
  while (!(await underWay.isComplete())) sandbox.clock.advance('1d')
  const outcome: Outcome = await underWay.outcome
  if (outcome.kind !== 'broken-response') return outcome
  const pieces: string[] = []
  const iterator = outcome.pieces[Symbol.asyncIterator]()
  for (;;) {
    const next = iterator.next()
    sandbox.clock.advance('1d')
    const { value, done } = await next
    if (done === true) return { ...outcome, pieces }
    pieces.push(value)
  }
}

/** Steps that do something with what is drawn. */
function does<Drawn>(
  any: fc.Arbitrary<Drawn>,
  run: (sandbox: Sandbox, drawn: Drawn) => unknown,
): fc.Arbitrary<Step> {
  return any.map((drawn) => (sandbox) => run(sandbox, drawn))
}

const anyRequestStep = does(anyApiRequest, outcomeOf)

/** A control that may be rejected; then the rejection is what comes of it. */
function control(run: Step): Step {
  return (sandbox) => {
    try {
      return run(sandbox)
    } catch (thrown) {
      if (thrown instanceof InputError) return thrown.message
      throw thrown
    }
  }
}

const keySettings = {
  plan: anyPlan,
  limits: anyWindows,
  remaining: anyWindows,
  ban: fc.nat(100_000),
}
const anyKeyChange = fc.record(
  {
    ...keySettings,
    unban: fc.boolean(),
    revoked: fc.boolean(),
    expiresAt: fc.oneof(
      fc.constant(null),
      fc.nat(200_000).map((ms) => startAt + ms),
    ),
  },
  { requiredKeys: [] },
)
const anyScenario = fc.constantFrom('flaky', 'slow', 'minute-exhausted', 'sunset-passed')

const anyControl = fc
  .oneof(
    does(fc.nat(90_000_000), ({ clock }, ms) => clock.advance(ms)),
    does(fc.integer({ min: -90_000, max: 90_000 }), ({ clock }, ms) =>
      clock.set(Math.max(0, clock.now() + ms)),
    ),
    does(anyFault, ({ faults }, fault) => faults.add(fault)),
    fc.constant<Step>(({ faults }) => faults.add({ fault: 'truncated-body', times: 1 })),
    does(fc.nat(5), ({ faults }, id) => faults.remove(id)),
    does(anyGaps, (sandbox, gaps) => sandbox.setGaps(gaps)),
    does(fc.constantFrom('enforce', 'report-only'), (sandbox, mode) => sandbox.setRateLimits(mode)),
    does(fc.record(keySettings, { requiredKeys: ['plan'] }), ({ keys }, settings) =>
      keys.issue({ key: 'own-key', ...settings } as never),
    ),
    does(fc.tuple(anyKeyName, anyKeyChange), ({ keys }, [key, change]) =>
      keys.update(key, change as never),
    ),
    does(anyKeyName, ({ keys }, key) => keys.delete(key)),
    does(fc.tuple(anyPetId, anyInt64, anyStatus), ({ pets }, [id, categoryId, status]) =>
      pets.create([{ id, name: 'Added', categoryId, status }]),
    ),
    does(fc.tuple(anyPetId, anyStatus), ({ pets }, [id, status]) => pets.update(id, { status })),
    does(anyPetId, ({ pets }, id) => pets.delete(id)),
    fc.constant<Step>(({ pets }) => pets.clear()),
    fc.constant<Step>(({ requests }) => requests.clear()),
    does(anyScenario, (sandbox, name) => sandbox.scenario(name)),
  )
  .map(control)

const anySteps = (size: number) =>
  fc.array(
    fc.oneof({ arbitrary: anyRequestStep, weight: 3 }, { arbitrary: anyControl, weight: 2 }),
    {
      maxLength: size,
      size: 'max',
    },
  )

/** A sandbox that has nothing in common with others, but for what is restored. */
function otherSandbox(): Sandbox {
  return frozenSandbox({
    seed: { pets: [], keys: [] },
    randomSeed: 99,
    gaps: { errorCodes: 'opaque', idSequence: 'random' },
    rateLimits: 'report-only',
    clock: '2020-01-01',
  })
}

function throughJson(snapshot: Snapshot): Snapshot {
  return JSON.parse(JSON.stringify(snapshot))
}

function withoutCaller(output: unknown): unknown {
  return isRecord(output) ? { ...output, client: undefined } : output
}

describe('Sandbox.restore()', () => {
  it('gives a sandbox that goes on as the original does, whatever came before and comes after', async () => {
    const sometimes = new Sometimes('a rate limit', 'a ban', 'a cut body', 'a new pet')
    await fc.assert(
      fc.asyncProperty(anySteps(40), anySteps(40), async (before, after) => {
        const original = frozenSandbox({ gaps: { banAfter: 2 } })
        for (const step of before) await step(original)
        const restored = otherSandbox()
        restored.restore(throughJson(original.snapshot()))
        expect(stateOf(restored)).toEqual(stateOf(original))
        for (const step of after) {
          const [output, same] = [await step(restored), await step(original)]
          // Who is which caller is of the process, as in the request log.
          expect(withoutCaller(output)).toEqual(withoutCaller(same))
        }
        expect(stateOf(restored)).toEqual(stateOf(original))
        sometimes.meet(metIn(restored))
      }),
      { numRuns: draws(12) },
    )
    sometimes.expectAllMet()
  })

  it('goes on with random ids, shuffled lists and faults of chance', async () => {
    const original = frozenSandbox({
      gaps: { idSequence: 'random', listOrder: 'shuffled' },
      rateLimits: 'report-only',
      randomSeed: 7,
    })
    original.scenario('flaky')
    const restored = otherSandbox()
    const pet = requestOf({ json: '{"name":"Rex","categoryId":9007199254740993}' })
    for (let sent = 0; sent < 50; sent++) await original.handle(pet)
    restored.restore(throughJson(original.snapshot()))
    for (let sent = 0; sent < 200; sent++) {
      for (const request of [pet, requestOf({ url: '/v1/pets?limit=100' })]) {
        expect(await restored.handle(request)).toEqual(await original.handle(request))
      }
    }
  })

  it('goes on with windows, bans, expiry, and tokens that are no keys', async () => {
    const original = frozenSandbox()
    for (let sent = 0; sent < 72; sent++) await send(original)
    await send(original, { key: 'banned-key' })
    for (let sent = 0; sent < 3; sent++) await send(original, { key: 'unknown' })
    original.keys.issue({ key: 'short', plan: 'pro', expiresAt: startAt + 1_500 })
    const restored = otherSandbox()
    restored.restore(throughJson(original.snapshot()))
    for (const ms of [0, 1_499, 1, 298_499, 1, 60_000]) {
      original.clock.advance(ms)
      restored.clock.advance(ms)
      for (const key of ['free-key', 'banned-key', 'unknown', 'short', null]) {
        expect(await send(restored, { key })).toEqual(await send(original, { key }))
      }
    }
  })

  it('takes a clock that runs on from where it would be by now', () => {
    const original = frozenSandbox({ clock: { now: startAt, speed: 1_000_000 } })
    const snapshot = throughJson(original.snapshot())
    const restored = otherSandbox()
    restored.restore(snapshot)
    expect(restored.clock.read()).toMatchObject({ mode: 'scaled', speed: 1_000_000 })
    expect(restored.clock.now()).toBeGreaterThanOrEqual(startAt)
    original.clock.useSystemTime()
    restored.restore(throughJson(original.snapshot()))
    expect(restored.clock.read().mode).toBe('system')
  })

  it('can be taken back by a reset to its own beginning', () => {
    const sandbox = frozenSandbox()
    const before = stateOf(sandbox)
    sandbox.restore(throughJson(otherSandbox().snapshot()))
    expect(sandbox.pets.size).toBe(0)
    sandbox.reset()
    expect(stateOf(sandbox)).toEqual(before)
  })
})

/** A sandbox with something in every part of its snapshot. */
async function fullSandbox(): Promise<Sandbox> {
  const sandbox = frozenSandbox()
  await send(sandbox)
  await send(sandbox, { key: null })
  await send(sandbox, { key: 'banned-key' })
  sandbox.faults.add([
    { fault: 'latency', ms: [1, 2] },
    { fault: 'status', times: 3 },
  ])
  return sandbox
}

/** The places in a value: each path to a part of it. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const parts = Object.entries(value).flatMap(([name, part]) => placesIn(part, [...path, name]))
  return path.length === 0 ? parts : [path, ...parts]
}

/** Puts something else at a place of a snapshot in JSON, or takes it out. */
function spoilt(json: string, path: readonly string[], by: unknown): Snapshot {
  const copy: Snapshot = JSON.parse(json)
  const last = path.at(-1) ?? ''
  let parent: Record<string, unknown> = copy
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>
  if (by === undefined) delete parent[last]
  else parent[last] = by
  return copy
}

describe('the seed of a replaceSeed()', () => {
  const pets = [{ id: 7, name: 'Own', categoryId: 2n ** 60n }]

  it('is in a snapshot, so that a reset comes back to it', () => {
    const original = frozenSandbox()
    original.replaceSeed({ pets })
    original.pets.clear()
    const restored = frozenSandbox()
    restored.restore(throughJson(original.snapshot()))
    expect(restored.pets.size).toBe(0)
    restored.reset()
    expect(restored.pets.list()).toEqual(pets)
    expect(restored.keys.list()).toHaveLength(9)
  })

  it('is in none without a replaceSeed(), and a restored one takes it away again', () => {
    const plain = frozenSandbox()
    const snapshot = plain.snapshot()
    expect(throughJson(snapshot)).not.toHaveProperty('seed')
    plain.replaceSeed({ pets })
    plain.restore(snapshot)
    plain.reset()
    expect(plain.pets.size).toBe(30)
  })

  it('is rejected in a snapshot with its place', () => {
    const snapshot = { ...frozenSandbox().snapshot(), seed: { pets: [{ id: 'x' }] } }
    expect(() => frozenSandbox().restore(snapshot)).toThrow(
      'Cannot set snapshot.seed.pets[0].id: found "x"; use an integer from',
    )
  })
})

describe('a broken snapshot', () => {
  it.each([
    {
      snapshot: undefined,
      message: 'Cannot set snapshot: required; use a snapshot of petstore',
    },
    { snapshot: [], message: 'Cannot set snapshot: found an array of 0; use a snapshot' },
    {
      snapshot: { petstoreSandbox: 1 },
      message: 'Cannot set snapshot.rateLimits: required; use one of enforce, report-only',
    },
    {
      snapshot: { petstoreSandbox: 1, rateLimits: 'enforce', clock: { mode: 'slow' } },
      message: 'Cannot set snapshot.clock.mode: found "slow"; use one of system, frozen',
    },
    {
      snapshot: { petstoreSandbox: 2 },
      message: 'Cannot set snapshot: found a snapshot of version 2; use one of version 1',
    },
  ])('is rejected: $message', ({ snapshot, message }) => {
    const sandbox = frozenSandbox()
    const before = stateOf(sandbox)
    expect(() => sandbox.restore(snapshot as never)).toThrow(InputError)
    expect(() => sandbox.restore(snapshot as never)).toThrow(message)
    expect(stateOf(sandbox)).toEqual(before)
  })

  it('is rejected and changes nothing, or makes a whole sandbox, wherever it is broken', async () => {
    const sandbox = await fullSandbox()
    // Of pets and keys that are all alike, two are enough.
    for (const { id } of sandbox.pets.list().slice(2)) sandbox.pets.delete(id)
    for (const { key } of sandbox.keys.list().slice(2, -1)) sandbox.keys.delete(key)
    const json = JSON.stringify(sandbox.snapshot())
    const places = placesIn(JSON.parse(json))
    const before = stateOf(frozenSandbox())
    const requests = [
      {},
      { json: '{"name":"Rex","categoryId":1}' },
      { key: 'pro-key' },
      { key: null },
    ]
    for (const path of places) {
      for (const wrong of [undefined, null, -1, 1e300, 'x', {}]) {
        const what = `${path.join('.')} = ${JSON.stringify(wrong)}`
        const sandbox = frozenSandbox()
        try {
          sandbox.restore(spoilt(json, path, wrong))
        } catch (thrown) {
          expect(thrown, what).toBeInstanceOf(InputError)
          expect(stateOf(sandbox), what).toEqual(before)
          continue
        }
        for (const request of requests) {
          const outcome = await outcomeOf(sandbox, request)
          expect(outcome, what).toMatchObject({ kind: expect.any(String) })
        }
        sandbox.keys.list()
        await sandbox.requests.har()
        expect(() => otherSandbox().restore(throughJson(sandbox.snapshot())), what).not.toThrow()
      }
    }
  })
})
