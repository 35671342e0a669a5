import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { realNow } from '../../../../src/mock/api/real-time.ts'
import type { SandboxOptions } from '../../../../src/mock/state/beginning.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../../../kit/send.ts'

/** The last entry of a request log after some requests. */
async function entryOf(requests: readonly TestRequest[], options: SandboxOptions = {}) {
  const sandbox = frozenSandbox(options)
  for (const request of requests) await sandbox.handle(requestOf(request))
  return sandbox.requests.last()
}

describe('a logged request', () => {
  it('shows the request: its message, outcome, operation, key, time, and the window it spent', async () => {
    expect(await entryOf([{ url: '/v1/pets?limit=1' }])).toEqual({
      id: 1,
      at: '2026-01-01T00:00:00Z',
      durationMs: 0,
      operation: 'listPets',
      key: 'free…',
      request: {
        method: 'GET',
        url: '/v1/pets?limit=1',
        headers: { authorization: 'Bearer free…' },
        body: '',
      },
      outcome: {
        kind: 'response',
        status: 200,
        headers: {
          'content-type': 'application/json',
          date: 'Thu, 01 Jan 2026 00:00:00 GMT',
          'x-ratelimit-limit': '60',
          'x-ratelimit-remaining': '59',
          'x-ratelimit-reset': '1767225660',
        },
        body: expect.stringMatching(/^\[\{"id":1,.*\}\]$/),
      },
      quota: {
        window: 'minute',
        limit: 60,
        remaining: 59,
        resetAt: '2026-01-01T00:01:00Z',
        counted: true,
      },
      faults: [],
      why: '200: listPets; spec 4.1',
      decision: { spec: '4.1', total: 30, count: 1 },
      sequence: { start: 1, end: 2 },
      receivedMs: expect.any(Number),
      endedMs: expect.any(Number),
      client: 1,
      adapter: 'direct',
      delivery: 'delivered',
    })
  })

  it('shows neither operation nor key where there is none', async () => {
    const entry = await entryOf([{ url: '/v1/nothing', key: null }])
    expect(entry).not.toHaveProperty('operation')
    expect(entry).not.toHaveProperty('key')
    expect(entry).toMatchObject({ quota: { counted: true } })
  })

  it.each([
    { sent: 'Bearer unknown-key', shown: 'Bearer unkn…' },
    { sent: 'Bearer unknown-key  ', shown: 'Bearer unkn…  ' },
    { sent: 'Basic dXNlcjpwYXNz', shown: 'Basic dXNl…' },
    { sent: 'unknown-key', shown: 'unkn…' },
    { sent: 'Bearer one-unknown, Bearer other-unknown', shown: 'Bearer one-…, Bearer othe…' },
    { sent: 'Bearer one-unknown other-unknown', shown: 'Bearer one-… othe…' },
    { sent: 'Digest username="anna", response="secret"', shown: 'Digest user…, resp…' },
  ])('shows the Authorization $sent as $shown, whoever knows it', async ({ sent, shown }) => {
    const entry = await entryOf([{ headers: { authorization: sent } }])
    expect(entry?.request.headers.authorization).toBe(shown)
  })

  it.each<{ request: TestRequest; options?: SandboxOptions; spent: boolean }>([
    { request: {}, spent: true },
    { request: { url: '/v1/nothing' }, spent: true },
    { request: { json: '{}' }, spent: true },
    { request: { key: 'minute-exhausted-key' }, spent: false },
    { request: { key: 'banned-key' }, spent: false },
    { request: { json: '{}' }, options: { gaps: { countedRequests: 'successful' } }, spent: false },
    {
      request: { key: null },
      options: { gaps: { unauthenticatedQuota: 'not-counted' } },
      spent: false,
    },
  ])('says whether $request spent quota with $options', async ({ request, options, spent }) => {
    expect(await entryOf([request], options)).toMatchObject({ quota: { counted: spent } })
  })
})

describe('why', () => {
  it('names every fault that struck, and what it did', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add([{ fault: 'latency', ms: 0 }, { fault: 'malformed-json' }])
    await sandbox.handle(requestOf({}))
    expect(sandbox.requests.last()).toMatchObject({
      faults: [1, 2],
      why: '200: listPets; spec 4.1; fault 1 (latency); fault 2 (malformed-json)',
    })
  })
})

const newPet = '{"name":"Rex","categoryId":1}'

describe('the facts of a request', () => {
  it.each<{ what: string; request: TestRequest; options?: SandboxOptions; decision: object }>([
    { what: 'a list', request: {}, decision: { spec: '4.1', total: 30, count: 20 } },
    {
      what: 'a list of a status',
      request: { url: '/v1/pets?status=sold&limit=1' },
      decision: { spec: '4.1', total: 5, count: 1 },
    },
    { what: 'a new pet', request: { json: newPet }, decision: { spec: '4.2', petId: '31' } },
    {
      what: 'a new pet with a large id',
      request: { json: newPet },
      options: { gaps: { idSequence: 'large' } },
      decision: { spec: '4.2', petId: '9007199254740993' },
    },
    {
      what: 'an invalid pet',
      request: { json: '{}' },
      decision: { code: 'invalid_request', spec: '4.2' },
    },
    {
      what: 'a pet that is rejected by a choice',
      request: { json: '{"name":"","categoryId":1}' },
      options: { gaps: { emptyName: 'reject' } },
      decision: { code: 'invalid_request', spec: '4.2', gap: 'emptyName' },
    },
    {
      what: 'no key, whatever the gap errorCodes makes of the code',
      request: { key: null },
      options: { gaps: { errorCodes: 'opaque' } },
      decision: { code: 'unauthorized', spec: '5' },
    },
    {
      what: 'a full window',
      request: { key: 'minute-exhausted-key' },
      options: { gaps: { retryAfterFormat: 'http-date' } },
      decision: { code: 'rate_limit_exceeded', spec: '8', retryAt: '2026-01-01T00:01:00Z' },
    },
  ])('say what decided about $what', async ({ request, options, decision }) => {
    expect((await entryOf([request], options))?.decision).toEqual(decision)
  })

  it('say of an injected error its code alone, since no clause is behind it', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503 })
    await sandbox.handle(requestOf({ json: newPet }))
    expect(sandbox.requests.last()?.decision).toEqual({ code: 'internal_error' })
  })

  it('say of a lost response that the pet was added all the same', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'disconnect' })
    await sandbox.handle(requestOf({ json: newPet }))
    expect(sandbox.requests.last()).toMatchObject({
      decision: { petId: '31' },
      outcome: { kind: 'disconnect' },
      delivery: 'broken',
    })
  })

  it('count callers by their tokens, not by what is shown of them', async () => {
    const sandbox = frozenSandbox()
    for (const key of ['same-1', 'same-2', null, 'same-1']) {
      await sandbox.handle(requestOf({ key }))
    }
    const callers = sandbox.requests.list().map(({ client, key }) => ({ client, key }))
    expect(callers).toEqual([
      { client: 1, key: 'sam…' },
      { client: 2, key: 'sam…' },
      { client: 3, key: undefined },
      { client: 1, key: 'sam…' },
    ])
  })

  it('have starts, answers and marks in one sequence: one after the other', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    sandbox.clock.advance('1s')
    await sandbox.handle(requestOf({}))
    expect(sandbox.requests.list().map(({ sequence }) => sequence)).toEqual([
      { start: 1, end: 2 },
      { start: 4, end: 5 },
    ])
    expect(sandbox.requests.changes()).toEqual([
      { sequence: 3, at: '2026-01-01T00:00:01Z', kind: 'clock-moved' },
    ])
  })

  it('have starts, answers and marks in one sequence: requests that are sent together', async () => {
    const sandbox = frozenSandbox()
    await Promise.all([sandbox.handle(requestOf({})), sandbox.handle(requestOf({}))])
    expect(sandbox.requests.list().map(({ sequence }) => sequence)).toEqual([
      { start: 1, end: 3 },
      { start: 2, end: 4 },
    ])
  })

  it('go on with their sequence and their callers over a reset', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    sandbox.reset()
    await sandbox.handle(requestOf({ key: 'pro-key' }))
    await sandbox.handle(requestOf({}))
    expect(sandbox.requests.list()).toMatchObject([
      { id: 2, sequence: { start: 4 }, client: 2 },
      { id: 3, sequence: { start: 6 }, client: 1 },
    ])
  })

  it.each([
    { what: 'more', sent: 9, before: 0 },
    { what: 'less', sent: 1, before: 9 },
  ])('go on after a snapshot of a sandbox that was asked $what', async (row) => {
    const keys = ['free-key', 'pro-key', 'business-key']
    const ask = async (sandbox: Sandbox, count: number) => {
      for (let sent = 0; sent < count; sent++) {
        await sandbox.handle(requestOf({ key: keys[sent % 3] ?? null }))
      }
    }
    const [original, sandbox] = [frozenSandbox(), frozenSandbox()]
    await ask(original, row.sent)
    await ask(sandbox, row.before)
    sandbox.restore(JSON.parse(JSON.stringify(original.snapshot())))
    await sandbox.handle(requestOf({ key: 'enterprise-key' }))
    // After nine starts, nine answers, and the mark of the restore.
    expect(sandbox.requests.last()).toMatchObject({ sequence: { start: 20 }, client: 4 })
    sandbox.reset()
    await sandbox.handle(requestOf({ key: 'enterprise-key' }))
    expect(sandbox.requests.last()?.client).toBe(4)
  })

  it('have real times that faked timers and the clock of the sandbox leave alone', async () => {
    const sandbox = frozenSandbox()
    const before = realNow()
    await sandbox.handle(requestOf({}))
    const after = realNow()
    vi.useFakeTimers({ now: 0 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    sandbox.clock.set(0)
    await sandbox.handle(requestOf({}))
    // To the microsecond.
    const { receivedMs, endedMs } = sandbox.requests.get(1)
    expect(receivedMs).toBeGreaterThan(before - 0.001)
    expect(endedMs).toBeLessThan(after + 0.001)
    for (const time of [receivedMs, endedMs]) expect(String(time)).toMatch(/^\d+(\.\d{1,3})?$/)
    const times = sandbox.requests.list().flatMap((one) => [one.receivedMs, one.endedMs ?? 0])
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times.every((time) => time > 0)).toBe(true)
  })

  it('say that a response is on its way, and then that its client left', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'timeout' })
    const arrived = sandbox.arrivals.arrive('server', 3)
    await sandbox.handle(requestOf({}), undefined, arrived)
    expect(sandbox.requests.last()).not.toHaveProperty('delivery')
    expect(sandbox.requests.last()).toMatchObject({ sequence: { start: 2 }, connection: 3 })
    sandbox.arrivals.abort(arrived)
    expect(sandbox.requests.last()).toMatchObject({
      delivery: 'aborted',
      sequence: { start: 2, end: 3 },
      adapter: 'server',
    })
    sandbox.arrivals.close(arrived)
    expect(sandbox.requests.last()).toMatchObject({ delivery: 'aborted', sequence: { end: 3 } })
  })
})

describe('what became of a response', () => {
  it.each([
    { delivery: 'delivered', fault: undefined },
    { delivery: 'broken', fault: 'truncated-body' },
    { delivery: 'broken', fault: 'disconnect' },
    { delivery: 'aborted', fault: undefined, hasLeft: true },
    { delivery: 'broken', fault: 'disconnect', hasLeft: true },
  ] as const)('is $delivery after the fault $fault, in a snapshot too', async (row) => {
    const sandbox = frozenSandbox()
    if (row.fault !== undefined) sandbox.faults.add({ fault: row.fault })
    const arrived = sandbox.arrivals.arrive('server')
    await sandbox.handle(requestOf({}), undefined, arrived)
    sandbox.arrivals.close(arrived)
    // A reply is thought to be with its client until the adapter says that it never got there.
    if ('hasLeft' in row) sandbox.arrivals.abort(arrived)
    expect(sandbox.requests.last()).toMatchObject({ delivery: row.delivery })
    sandbox.restore(sandbox.snapshot())
    expect(sandbox.requests.last()).toMatchObject({ delivery: row.delivery })
  })
})
