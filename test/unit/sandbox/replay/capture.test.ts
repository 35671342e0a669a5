import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, toJson } from '../../../../src/mock/api/json.ts'
import type { Outcome } from '../../../../src/mock/api/message.ts'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import { readInput } from '../../../../src/mock/input/schema.ts'
import { maxSteps } from '../../../../src/mock/log/recording.ts'
import { type Capture, captureFile } from '../../../../src/sandbox/controls/captures.ts'
import { replayCapture } from '../../../../src/sandbox/replay/replay-capture.ts'
import { createSandbox, type Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { anyGaps, anyInt64, anyRequest, anyUnpromised } from '../../../kit/arbitraries.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../../kit/send.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'

/** Writes a capture to text and reads it, as a file does. */
function throughFile(capture: Capture) {
  return readInput(captureFile, parseJson(toJson(capture)))
}

function outcomesIn(capture: Capture): unknown[] {
  return throughFile(capture).steps.flatMap((step) => (step.do === 'request' ? [step.outcome] : []))
}

type Step = (sandbox: Sandbox) => unknown

/** A step that does something with any value of some kind. */
function stepWith<Value>(
  values: fc.Arbitrary<Value>,
  take: (sandbox: Sandbox, value: Value) => unknown,
): fc.Arbitrary<Step> {
  return values.map((value) => (sandbox) => take(sandbox, value))
}

const anyControl: fc.Arbitrary<Step> = fc.oneof(
  stepWith(fc.nat(90_000_000), ({ clock }, ms) => clock.advance(ms)),
  stepWith(fc.integer({ min: -90_000, max: 90_000 }), ({ clock }, ms) =>
    clock.set(Math.max(0, clock.now() + ms)),
  ),
  stepWith(fc.oneof(anyGaps, anyUnpromised), (sandbox, gaps) => sandbox.setGaps(gaps)),
  stepWith(anyInt64, ({ pets }, id) => pets.create({ id, name: 'Rex', categoryId: id })),
  fc.constantFrom<Step>(
    ({ keys }) => keys.setRemaining('free-key', { minute: 0 }),
    ({ keys }) => keys.issue({ plan: 'pro', remaining: { minute: 1 } }),
    ({ keys }) => keys.update('free-key', { ban: '1m' }),
    ({ keys }) => keys.delete('pro-key'),
    ({ pets }) => pets.clear(),
    ({ faults }) => faults.add({ fault: 'status', status: 503, probability: 0.5 }),
    ({ faults }) => faults.add({ fault: 'truncated-body', times: 1 }),
    ({ faults }) => faults.clear(),
    (sandbox) => sandbox.scenario('flaky'),
    (sandbox) => sandbox.scenario('key-expired'),
    (sandbox) => sandbox.reset(),
    (sandbox) => sandbox.reset({ only: ['keys', 'quotas'] }),
    (sandbox) => sandbox.replaceSeed({ pets: [{ id: 2n ** 60n, name: 'Ada', categoryId: 1 }] }),
    (sandbox) => sandbox.restore(sandbox.snapshot()),
    (sandbox) => sandbox.setRateLimits('report-only'),
  ),
)

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: stepWith(anyRequest, (sandbox, request) => sandbox.handle(request)) },
  {
    weight: 3,
    arbitrary: stepWith(anyRequest, (sandbox, request) =>
      sandbox.handle(requestOf({ ...request, key: 'free-key' })),
    ),
  },
  { weight: 2, arbitrary: anyControl },
)

/** Takes a sandbox through steps; gives what became of its requests. */
async function outcomesOf(sandbox: Sandbox, steps: readonly Step[]): Promise<Outcome[]> {
  const found: Outcome[] = []
  for (const step of steps) {
    try {
      const answer = await step(sandbox)
      if (typeof answer === 'object' && answer !== null && 'kind' in answer) {
        found.push(answer as Outcome)
      }
    } catch (thrown) {
      if (!(thrown instanceof InputError)) throw thrown
    }
  }
  return found
}

function plainOf(outcome: Outcome): unknown {
  if (!('status' in outcome)) return { kind: outcome.kind }
  const { kind, status, headers, body } = outcome
  return { kind, status, headers, body }
}

/** Without the length of a body that isn't sent, which is that of another name. */
function unmeasured(outcome: unknown): unknown {
  return JSON.parse(toJson(outcome).replace(/,?"content-length":"\d+"/, ''))
}

/** Expects that a capture has what became of requests, up to the first that quotes a key, which has another name in it. */
function expectAlike(found: readonly unknown[], outcomes: readonly Outcome[]): void {
  for (const [index, outcome] of outcomes.entries()) {
    // Another name may be too long, and another number an id that isn't there, so that what comes after it differs, too.
    if (/key-|\b1{9,}\d/.test(toJson(found[index]))) return
    if (toJson(plainOf(outcome)).includes('…')) continue
    expect(unmeasured(found[index])).toEqual(unmeasured(plainOf(outcome)))
  }
}

describe('sandbox.capture()', () => {
  it('has what became of each request, whatever was asked and done, and replays to the same', async () => {
    const sometimes = new Sometimes('a rate limit', 'a new pet', 'an error')
    await fc.assert(
      fc.asyncProperty(
        anyGaps,
        fc.integer({ min: 0, max: 9 }),
        fc.array(anyStep, { maxLength: 25 }),
        async (gaps, randomSeed, steps) => {
          const sandbox = frozenSandbox({ gaps, randomSeed })
          const outcomes = await outcomesOf(sandbox, steps)
          const capture = await sandbox.capture()
          const found = outcomesIn(capture)
          expect(found).toHaveLength(outcomes.length)
          expectAlike(found, outcomes)
          const { requests, difference } = await replayCapture(throughFile(capture))
          expect(difference).toBeUndefined()
          expect(requests).toBe(outcomes.length)
          sometimes.meet(metIn(sandbox))
        },
      ),
      { numRuns: draws(20) },
    )
    sometimes.expectAllMet()
  })

  // R7
  it('gives a key another name that is sent as the type of a body', async () => {
    const sandbox = createSandbox({ seed: { keys: [{ key: 'zq9-secret-two', plan: 'free' }] } })
    const headers = { authorization: 'Bearer zq9-secret-two', 'content-type': 'zq9-secret-two' }
    await sandbox.handle(requestOf({ method: 'POST', headers }))
    const capture = await sandbox.capture()
    expect(JSON.stringify(capture)).not.toContain('secret-two')
    const request = { headers: { authorization: 'Bearer api-key-1', 'content-type': 'api-key-1' } }
    expect(capture.steps).toMatchObject([{ request }])
  })

  it.each([
    { how: 'percent-encoded', written: 'zq9%2Dsecret%2dtwo' },
    { how: 'plain', written: 'zq9-secret-two' },
  ])('gives a key another name where it is $how', async ({ written }) => {
    const sandbox = createSandbox({ seed: { keys: [{ key: 'zq9-secret-two', plan: 'free' }] } })
    const json = `{"name":"${written}","categoryId":1}`
    const key = 'zq9-secret-two'
    await sandbox.handle(requestOf({ key, url: `/v1/pets?limit=${written}` }))
    await sandbox.handle(requestOf({ key, json }))
    const capture = await sandbox.capture()
    const text = toJson(capture)
    expect(text).toContain('api-key-1')
    expect(text).not.toContain(written)
    for (const secret of ['zq9-', 'secret']) expect(text).not.toContain(secret)
    expect((await replayCapture(throughFile(capture))).difference).toBeUndefined()
  })

  it('gives a key another name in names of pets, whoever gave them', async () => {
    const key = 'sk-prod-ABCDEFGH'
    const named = (name: string) => ({ name, categoryId: 1 })
    const seed = (text: string) => ({ pets: [{ id: 1, ...named(text) }], keys: [] })
    const sandbox = createSandbox({ seed: { ...seed(`Rex ${key}`), keys: [{ key, plan: 'pro' }] } })
    sandbox.pets.create(named(`${key}%2D`))
    sandbox.pets.update(1, { name: encodeURIComponent(key).replace('-', '%2D') })
    sandbox.replaceSeed({ ...seed(key), keys: [{ key, plan: 'free' }] })
    sandbox.keys.issue({ key: 'issued-at-last', plan: 'pro' })
    sandbox.pets.create(named('before issued-at-last'))
    await send(sandbox, { key })
    sandbox.restore(sandbox.snapshot())
    await send(sandbox, { key })
    const capture = await sandbox.capture()
    const text = toJson(capture)
    for (const secret of ['prod', 'ABCD', 'issued']) expect(text).not.toContain(secret)
    expect(capture).toMatchObject({ options: { seed: { pets: [{ name: 'Rex api-key-1' }] } } })
    expect((await replayCapture(throughFile(capture))).difference).toBeUndefined()
  })

  it('hides what else the process keeps secret, such as its token', async () => {
    const sandbox = frozenSandbox()
    sandbox.keepSecret('t0ken-4711')
    await sandbox.handle(requestOf({ url: '/v1/t0ken%2D4711?limit=t0ken-4711' }))
    const capture = await sandbox.capture()
    expect(toJson(capture)).not.toContain('t0ken')
    expect((await replayCapture(throughFile(capture))).difference).toBeUndefined()
  })

  it('gives keys other names, the same wherever they stand, and leaves out other headers', async () => {
    const keys = [
      { key: 'secret-one', plan: 'free' as const },
      { key: 'secret/two', plan: 'pro' as const },
    ]
    const sandbox = createSandbox({ seed: { keys } })
    sandbox.keys.setRemaining('secret-one', { minute: 0 })
    const { key } = sandbox.keys.issue({ plan: 'pro' })
    sandbox.faults.add({ fault: 'status', key: 'secret/two', times: 1 })
    await sandbox.handle({
      method: 'GET',
      url: '/v1/pets/secret%2Ftwo?x=secret-one',
      headers: {
        authorization: 'Bearer secret/two',
        cookie: 'secret-cookie',
        'user-agent': 'client/1',
      },
      body: 'secret-one',
    })
    await send(sandbox, { key: 'secret-one' })
    await send(sandbox, { key })
    await send(sandbox, { key: 'unknown-secret' })
    await sandbox.handle(requestOf({ key: null, headers: { authorization: 'Basic c2VjcmV0' } }))
    sandbox.restore(sandbox.snapshot())
    const capture = await sandbox.capture()
    const text = toJson(capture)
    for (const secret of ['secret', key, 'c2VjcmV0', 'cookie']) expect(text).not.toContain(secret)
    const [, , , first, second] = capture.steps
    expect(first).toMatchObject({
      request: {
        url: '/v1/pets/api-key-2?x=api-key-1',
        headers: { authorization: 'Bearer api-key-2', 'user-agent': 'client/1' },
        body: 'api-key-1',
      },
      outcome: { status: 500 },
    })
    expect(second).toMatchObject({ outcome: { status: 429 } })
    expect((await replayCapture(throughFile(capture))).difference).toBeUndefined()
  })

  it('keeps of a header that no response hangs on nothing but the keys in it', async () => {
    const sandbox = createSandbox({ seed: { keys: [{ key: 'zq9-secret', plan: 'free' }] } })
    const headers = { cookie: 'id=4711; key=zq9-secret', 'x-api-key': 'free-key', accept: 'any' }
    await sandbox.handle(requestOf({ key: 'zq9-secret', headers }))
    const [step] = (await sandbox.capture()).steps
    expect(step).toHaveProperty('request.headers', {
      authorization: 'Bearer api-key-1',
      cookie: 'api-key-1',
      'x-api-key': 'free-key',
    })
  })

  it('has another number for a key that is a number, so that a body with it stays JSON', async () => {
    const sandbox = frozenSandbox()
    const key = '8007199254740993'
    await send(sandbox, { key })
    await sandbox.handle(
      requestOf({ method: 'POST', url: '/v1/pets', json: `{"name":"Rex","categoryId":${key}}` }),
    )
    const capture = await sandbox.capture()
    expect(toJson(capture)).not.toContain(key)
    expect(outcomesIn(capture)).toMatchObject([{ status: 401 }, { status: 201 }])
    expect((await replayCapture(throughFile(capture))).difference).toBeUndefined()
  })

  it('keeps the names of the keys that everybody knows', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    expect(toJson(await sandbox.capture())).toContain('"authorization":"Bearer free-key"')
  })

  it('has digests of bodies beyond the first 8 MiB, and knows a change of those', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    const name = 'x'.repeat(1_000)
    for (let made = 0; made < 100; made++) sandbox.pets.create({ name, categoryId: 1 })
    await sandbox.handle(requestOf({ url: '/v1/pets/31' }))
    for (let read = 0; read < 120; read++) {
      await sandbox.handle(requestOf({ url: '/v1/pets?limit=100' }))
    }
    const capture = await sandbox.capture()
    const text = toJson(capture)
    expect(text.length).toBeLessThan(20_000_000)
    expect(text).toContain('"bodyDigest":')
    expect((await replayCapture(throughFile(capture))).difference).toBeUndefined()
    const other = readInput(captureFile, parseJson(text.replace('"Bella"', '"Stella"')))
    expect((await replayCapture(other)).difference).toMatchObject({ number: 2 })
  })

  it('has the size of a body that is too large to be kept', async () => {
    const sandbox = frozenSandbox()
    const { status } = await send(sandbox, { json: '', bodyBytes: 2_000_000 })
    expect(status).toBe(413)
    const { difference } = await replayCapture(throughFile(await sandbox.capture()))
    expect(difference).toBeUndefined()
  })

  it('replays to the same from the middle on, too, once it has forgotten the beginning', {
    timeout: 600_000,
  }, async () => {
    const half = Array.from({ length: maxSteps / 2 }, (): Step => {
      return (sandbox) => sandbox.handle(requestOf({ method: 'PUT', key: 'pro-key' }))
    })
    const anySteps = fc.array(anyStep, { minLength: 3, maxLength: 15 })
    const sometimes = new Sometimes('a forgotten request')
    await fc.assert(
      fc.asyncProperty(
        anyGaps,
        fc.integer({ min: 0, max: 9 }),
        fc.tuple(anySteps, anySteps, anySteps),
        async (gaps, randomSeed, [first, second, third]) => {
          const sandbox = frozenSandbox({ gaps, randomSeed })
          const steps = [...first, ...half, ...second, ...half, ...third]
          const outcomes = await outcomesOf(sandbox, steps)
          const capture = await sandbox.capture()
          const found = outcomesIn(capture)
          expect(capture.dropped?.requests ?? 0).toBe(outcomes.length - found.length)
          expect(found.length).toBeGreaterThanOrEqual(maxSteps / 2)
          sometimes.meet({ 'a forgotten request': capture.dropped !== undefined })
          expectAlike(found, outcomes.slice(-found.length))
          const { requests, difference } = await replayCapture(throughFile(capture))
          expect({ requests, difference }).toEqual({
            requests: found.length,
            difference: undefined,
          })
        },
      ),
      { numRuns: draws(3) },
    )
    sometimes.expectAllMet()
  })
})

describe('captureFile', () => {
  // Shrunk: any JSON was all but null.
  it('takes null for what a control was given', () => {
    const step = { do: 'control', at: '2030-12-05T00:00:00Z', name: 'reset', given: [null] }
    const capture = { petstoreCapture: 1, options: {}, steps: [step] }
    expect(captureFile.encode(readInput(captureFile, capture, 'capture'))).toEqual(capture)
  })
})

describe('replayCapture()', () => {
  it('says which part of which response is another one first', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    await send(sandbox, { url: '/v1/pets/1' })
    const text = toJson(await sandbox.capture())
    const other = text
      .replace('"id":1,\\"name\\":\\"Bella', '"id":1,\\"name\\":\\"Bell')
      .replaceAll('"x-ratelimit-remaining":"58"', '"x-ratelimit-remaining":"57"')
    const capture = readInput(captureFile, parseJson(other))
    expect(await replayCapture(capture)).toEqual({
      requests: 2,
      difference: {
        number: 2,
        method: 'GET',
        url: '/v1/pets/1',
        changes: [{ field: 'headers.x-ratelimit-remaining', expected: '57', found: '58' }],
      },
    })
    expect(await replayCapture(capture, { until: 1 })).toEqual({
      requests: 1,
      difference: undefined,
    })
  })

  it.each([
    { petstoreCapture: 2, options: {}, steps: [] },
    { petstoreCapture: 1, options: {} },
    { petstoreCapture: 1, options: {}, steps: [{ do: 'request' }] },
    ...['constructor', 'handle', '__proto__.toString', 'pets.list', 'clock.now'].map((name) => ({
      ...{ petstoreCapture: 1, options: {} },
      steps: [{ do: 'control', at: 0, name, given: [] }],
    })),
  ])('rejects what is not a capture: %j', (found) => {
    expect(() => readInput(captureFile, found)).toThrow(/^Cannot set capture/)
  })
})
