import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src/mock/api/message.ts'
import type { FaultSettings } from '../../../../src/mock/faults/fault-rules.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send, sendMany, type TestRequest } from '../../../kit/send.ts'
import { begin } from '../../../kit/under-way.ts'

/** Sends one request to a sandbox with faults. */
async function strike(
  faults: FaultSettings | readonly FaultSettings[],
  request: TestRequest = {},
  sandbox: Sandbox = frozenSandbox(),
): Promise<Outcome> {
  sandbox.faults.add([faults].flat())
  return await sandbox.handle(requestOf(request))
}

/** All that is sent of a body, and how the connection ends. */
async function sentOf(outcome: Outcome) {
  if (outcome.kind !== 'broken-response')
    throw new Error(`Cannot read the pieces of ${outcome.kind}`)
  const pieces: string[] = []
  for await (const piece of outcome.pieces) pieces.push(piece)
  const { status, headers, body, end } = outcome
  return { pieces, sent: pieces.join(''), status, length: headers['content-length'], body, end }
}

/** A store whose bodies have characters of one to four bytes. */
const oddStore = () =>
  frozenSandbox({
    seed: {
      pets: [{ id: 1, name: '🐢é漢🐢é漢🐢é漢🐢é漢', categoryId: 2n ** 62n, status: 'sold' }],
    },
  })

describe('the fault status', () => {
  it.each([
    { status: 400, code: 'invalid_request' },
    { status: 403, code: 'forbidden' },
    { status: 404, code: 'not_found' },
    { status: 418, code: 'invalid_request' },
    { status: 499, code: 'invalid_request' },
    { status: 500, code: 'internal_error' },
    { status: 503, code: 'internal_error' },
    { status: 599, code: 'internal_error' },
  ])('answers $status with an Error body and all headers', async ({ status, code }) => {
    const outcome = await strike({ fault: 'status', status })
    expect(outcome).toMatchObject({
      kind: 'response',
      status,
      headers: {
        'content-type': 'application/json',
        date: 'Thu, 01 Jan 2026 00:00:00 GMT',
        'x-ratelimit-remaining': '59',
      },
    })
    expect(JSON.parse('body' in outcome ? outcome.body : '')).toEqual({
      code,
      message: `Cannot respond: a fault injects status ${status}`,
      status,
    })
  })

  it('responds with 500 if it says no status', async () => {
    expect(await strike({ fault: 'status' })).toMatchObject({ status: 500 })
  })

  it.each([
    { retryAfter: '30s', after: 30_000, gap: 'seconds', header: '30' },
    { retryAfter: 1_500, after: 1_500, gap: 'seconds', header: '2' },
    { retryAfter: 0, after: 0, gap: 'seconds', header: '0' },
    { retryAfter: '30s', after: 30_000, gap: 'http-date', header: 'Thu, 01 Jan 2026 00:00:30 GMT' },
    { retryAfter: 1_500, after: 1_500, gap: 'http-date', header: 'Thu, 01 Jan 2026 00:00:02 GMT' },
  ] as const)('sends Retry-After for $retryAfter as the gap says: $gap', async (row) => {
    const { retryAfter, after, gap, header } = row
    const sandbox = frozenSandbox({ gaps: { retryAfterFormat: gap } })
    const outcome = await strike({ fault: 'status', status: 503, retryAfter }, {}, sandbox)
    expect(outcome).toMatchObject({ status: 503, headers: { 'retry-after': header } })
    const [entry] = sandbox.requests.list()
    expect(Date.parse(entry?.decision.retryAt ?? '')).toBe(startAt + after)
  })

  it.each(['seconds', 'http-date'] as const)(
    'tells no instant after the last one that can be written, in %s',
    async (retryAfterFormat) => {
      const last = Date.parse('9999-12-31T23:59:59.999Z')
      const sandbox = frozenSandbox({
        clock: { now: last, mode: 'frozen' },
        gaps: { retryAfterFormat },
      })
      const outcome = await strike({ fault: 'status', retryAfter: '1d' }, {}, sandbox)
      expect(outcome).toMatchObject({ status: 500 })
      expect(sandbox.requests.list()).toMatchObject([
        { decision: { retryAt: '9999-12-31T23:59:59.999Z' } },
      ])
    },
  )

  it('takes the place of the operation, which is not done, but spends quota', async () => {
    const sandbox = frozenSandbox()
    await strike({ fault: 'status', times: 1 }, { json: '{"name":"Rex","categoryId":1}' }, sandbox)
    expect(sandbox.pets.size).toBe(30)
    expect((await send(sandbox)).headers['x-ratelimit-remaining']).toBe('58')
  })

  it.each([
    { request: { key: null }, status: 401 },
    { request: { key: 'revoked-key' }, status: 401 },
    { request: { key: 'minute-exhausted-key' }, status: 429 },
    { request: { key: 'banned-key' }, status: 429 },
  ])('leaves the rejection of $request as it is', async ({ request, status }) => {
    const sandbox = frozenSandbox()
    expect(await strike({ fault: 'status' }, request, sandbox)).toMatchObject({ status })
    expect(sandbox.faults.list()).toMatchObject([{ applied: 0 }])
  })

  it('is told in the request log as what it is, whatever its status', async () => {
    const sandbox = frozenSandbox()
    for (const status of [429, 401, 404, 500]) {
      await strike({ fault: 'status', status, times: 1 }, {}, sandbox)
      const { id } = sandbox.faults.list().at(-1) ?? {}
      expect(sandbox.requests.last()).toMatchObject({
        why: `${status}: Cannot respond: a fault injects status ${status}; fault ${id} (status)`,
        faults: [id],
      })
    }
  })
})

describe('the fault latency', () => {
  it('lets a request wait on the sandbox clock; what it does is done before', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '3s' })
    const request = begin(sandbox, { json: '{"name":"Rex","categoryId":1}' })
    expect(sandbox.pets.size).toBe(31)
    sandbox.clock.advance(2_999)
    expect(await request.isComplete()).toBe(false)
    sandbox.clock.advance(1)
    expect(await request.outcome).toMatchObject({ status: 201 })
    expect(sandbox.requests.last()).toMatchObject({ at: '2026-01-01T00:00:00Z', durationMs: 3_000 })
  })

  it('lets every request wait for itself', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: 1_000, times: 1 })
    sandbox.faults.add({ fault: 'latency', ms: 2_000, times: 2 })
    const requests = [begin(sandbox), begin(sandbox), begin(sandbox)]
    const responded = () => Promise.all(requests.map((request) => request.isComplete()))
    expect(await responded()).toEqual([false, false, true])
    sandbox.clock.advance(2_000)
    expect(await responded()).toEqual([false, true, true])
    sandbox.clock.advance(1_000)
    expect(await responded()).toEqual([true, true, true])
  })

  it.each(['key', 'operation', 'method'] as const)(
    'holds up only what its %s fits',
    async (name) => {
      const filters = {
        key: { key: 'pro-key' },
        operation: { operation: 'getPet' },
        method: { method: 'POST' },
      } as const
      const sandbox = frozenSandbox()
      sandbox.faults.add({ fault: 'latency', ms: 1, ...filters[name] })
      const other = begin(sandbox)
      const fitting = begin(
        sandbox,
        {
          key: { key: 'pro-key' },
          operation: { url: '/v1/pets/1' },
          method: { json: '{"name":"Rex","categoryId":1}' },
        }[name] as TestRequest,
      )
      expect([await other.isComplete(), await fitting.isComplete()]).toEqual([true, false])
      sandbox.reset()
    },
  )

  it('comes before what else goes wrong', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add([{ fault: 'disconnect' }, { fault: 'latency', ms: '1s' }])
    const request = begin(sandbox)
    expect(await request.isComplete()).toBe(false)
    sandbox.clock.advance('1s')
    expect(await request.outcome).toEqual({ kind: 'disconnect' })
    expect(sandbox.requests.last()).toMatchObject({ faults: [1, 2], durationMs: 1_000 })
  })
})

describe('the fault rate-limit', () => {
  it.each([0, 1, 999, 12_345, 59_000, 59_999])(
    'rejects with true headers %i ms into a minute: exactly as long as Retry-After says',
    async (offset) => {
      const sandbox = frozenSandbox()
      sandbox.clock.advance(offset)
      sandbox.faults.add({ fault: 'rate-limit', times: 1 })
      const { status, headers, body } = await send(sandbox)
      expect(status).toBe(429)
      expect(JSON.parse(body).code).toBe('rate_limit_exceeded')
      const seconds = Number(headers['retry-after'])
      const resetAt = Number(headers['x-ratelimit-reset']) * 1000
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' })
      expect(resetAt).toBe(startAt + 60_000)
      // Never before the window ends: not at once, and not in its last millisecond.
      expect((await send(sandbox)).status).toBe(429)
      sandbox.clock.set(resetAt - 1)
      expect((await send(sandbox)).status).toBe(429)
      sandbox.clock.set(startAt + offset)
      sandbox.clock.advance(seconds * 1000)
      const retried = await send(sandbox)
      expect([retried.status, retried.headers['x-ratelimit-remaining']]).toEqual([200, '59'])
    },
  )

  it('strikes the key alone, and counts towards its ban', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'rate-limit', key: 'pro-key', times: 1 })
    const replies = await sendMany(sandbox, 11, { key: 'pro-key' })
    expect(JSON.parse(replies.at(-1)?.body ?? '').code).toBe('key_banned')
    expect((await send(sandbox)).status).toBe(200)
  })

  it('spends nothing of the day', async () => {
    const sandbox = frozenSandbox()
    await strike({ fault: 'rate-limit', times: 1 }, {}, sandbox)
    expect(sandbox.keys.get('free-key')).toMatchObject({
      minute: { remaining: 0 },
      day: { remaining: 1_000 },
    })
  })

  it('is told in the request log', async () => {
    const sandbox = frozenSandbox()
    await strike({ fault: 'rate-limit' }, {}, sandbox)
    expect(sandbox.requests.last()?.why).toBe(
      '429: the minute quota of key free… is exhausted, 60 of 60; spec 8; fault 1 (rate-limit)',
    )
  })

  it('rejects one request, too, when limits are only reported', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    await strike({ fault: 'rate-limit', times: 1 }, {}, sandbox)
    expect(sandbox.requests.last()?.outcome).toMatchObject({ status: 429 })
    expect((await send(sandbox)).status).toBe(200)
  })
})

describe('a fault that breaks the connection', () => {
  it.each([
    { fault: 'disconnect', kind: 'disconnect' },
    { fault: 'timeout', kind: 'timeout' },
  ] as const)('$fault gives no reply, but the operation is done', async ({ fault, kind }) => {
    const sandbox = frozenSandbox()
    const outcome = await strike({ fault }, { json: '{"name":"Rex","categoryId":1}' }, sandbox)
    expect(outcome).toMatchObject({ kind })
    expect(sandbox.pets.size).toBe(31)
    expect(sandbox.requests.last()).toMatchObject({
      outcome: { kind },
      quota: { counted: true },
      why: `${kind}: createPet; spec 4.2; fault 1 (${fault})`,
    })
  })

  it.each([
    { fault: 'truncated-body', end: 'close' },
    { fault: 'disconnect', when: 'body', end: 'reset' },
  ] as const)(
    '$fault breaks off within the body, whose length is said whole',
    async ({ end, ...fault }) => {
      const { sent, body, length, ...rest } = await sentOf(await strike(fault, {}, oddStore()))
      expect(rest).toMatchObject({ status: 200, end })
      expect(JSON.parse(body)).toHaveLength(1)
      expect(length).toBe(String(Buffer.byteLength(body)))
      expect(body.startsWith(sent)).toBe(true)
      expect(sent.length).toBeGreaterThan(0)
      expect(sent.length).toBeLessThan(body.length)
    },
  )

  it.each<FaultSettings>([{ fault: 'truncated-body' }, { fault: 'slow-body', ms: 0 }])(
    '$fault leaves the headers as they are',
    async (fault) => {
      const outcome = await strike(fault)
      const whole = await frozenSandbox().handle(requestOf({}))
      const { headers } = whole as { headers: object }
      expect(outcome).toMatchObject({ headers })
    },
  )

  it('breaks no character, wherever the half of the body is', async () => {
    for (let length = 0; length < 12; length++) {
      const name = `${'x'.repeat(length)}🐢🐢🐢🐢`
      const sandbox = frozenSandbox({ seed: { pets: [{ id: 1, name, categoryId: 1 }] } })
      const { sent } = await sentOf(await strike({ fault: 'truncated-body' }, {}, sandbox))
      expect(sent).not.toMatch(/\p{Surrogate}/u)
    }
  })

  it('breaks off the shortest body, too', async () => {
    const sandbox = frozenSandbox({ seed: { pets: [] } })
    expect(await sentOf(await strike({ fault: 'truncated-body' }, {}, sandbox))).toMatchObject({
      sent: '[',
      length: '2',
    })
  })
})

describe('the fault malformed-json', () => {
  it.each([
    { request: {}, status: 200 },
    { request: { url: '/v1/pets/1' }, status: 200 },
    { request: { url: '/v1/pets?status=pending' }, status: 200 },
    { request: { json: '{"name":"Rex","categoryId":1}' }, status: 201 },
    { request: { url: '/v1/nothing' }, status: 404 },
    { request: { key: null }, status: 401 },
  ])('answers $request with $status and no JSON', async ({ request, status }) => {
    const outcome = await strike({ fault: 'malformed-json' }, request, oddStore())
    expect(outcome).toMatchObject({ kind: 'response', status })
    const body = 'body' in outcome ? outcome.body : ''
    expect(body).not.toBe('')
    expect(() => JSON.parse(body)).toThrow(SyntaxError)
  })
})

describe('the fault slow-body', () => {
  it('sends a body in ten pieces over the duration, on the sandbox clock', async () => {
    const sandbox = frozenSandbox()
    const outcome = await strike({ fault: 'slow-body', ms: '10s' }, {}, sandbox)
    if (outcome.kind !== 'broken-response') throw new Error('Cannot go on: there are no pieces')
    const pieces: string[] = []
    const iterator = outcome.pieces[Symbol.asyncIterator]()
    for (let second = 0; second < 10; second++) {
      const piece = iterator.next()
      sandbox.clock.advance('1s')
      pieces.push((await piece).value)
    }
    expect(await iterator.next()).toMatchObject({ done: true })
    expect(pieces).toHaveLength(10)
    expect(pieces.join('')).toBe(outcome.body)
    expect(outcome).toMatchObject({ status: 200, end: 'whole' })
  })

  it('sends the shortest body in pieces of one character', async () => {
    const sandbox = frozenSandbox({ seed: { pets: [] } })
    const { pieces } = await sentOf(await strike({ fault: 'slow-body', ms: 0 }, {}, sandbox))
    expect(pieces).toEqual(['[', ']'])
  })

  it('holds each piece back until its time', async () => {
    const sandbox = frozenSandbox()
    const outcome = await strike({ fault: 'slow-body', ms: '10s' }, {}, sandbox)
    const iterator = 'pieces' in outcome ? outcome.pieces[Symbol.asyncIterator]() : undefined
    let isSent = false
    const piece = iterator?.next().then(() => {
      isSent = true
    })
    sandbox.clock.advance(999)
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect(isSent).toBe(false)
    sandbox.clock.advance(1)
    await piece
    expect(isSent).toBe(true)
  })

  it('breaks no character', async () => {
    const sandbox = oddStore()
    const outcome = await strike({ fault: 'slow-body', ms: 0 }, {}, sandbox)
    const { pieces, sent, body, length } = await sentOf(outcome)
    expect(pieces.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([])
    expect([sent, length]).toEqual([body, String(Buffer.byteLength(body))])
  })

  it('pours out what is left when the sandbox is reset meanwhile', async () => {
    const sandbox = frozenSandbox()
    const outcome = await strike({ fault: 'slow-body', ms: '10s' }, {}, sandbox)
    const sent = sentOf(outcome)
    sandbox.reset()
    expect((await sent).sent).toBe('body' in outcome ? outcome.body : '')
  })
})

describe('faults on a HEAD', () => {
  it.each<FaultSettings>([
    { fault: 'malformed-json' },
    { fault: 'status' },
    { fault: 'truncated-body' },
    { fault: 'disconnect', when: 'body' },
    { fault: 'slow-body', ms: 0 },
  ])('$fault sends no body', async (fault) => {
    const outcome = await strike(fault, { method: 'HEAD' })
    const whole = await frozenSandbox().handle(requestOf({}))
    if (fault.fault !== 'status') {
      const length = String(Buffer.byteLength('body' in whole ? whole.body : ''))
      expect(outcome).toMatchObject({ body: '', headers: { 'content-length': length } })
    }
    expect(outcome).toMatchObject({ body: '' })
    if (outcome.kind === 'broken-response') expect((await sentOf(outcome)).sent).toBe('')
  })
})

describe('the probability of a fault', () => {
  it.each([0, 1])('may be %i: it strikes none, or all', async (probability) => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', probability })
    for (let sent = 0; sent < 5; sent++) await sandbox.handle(requestOf({}))
    expect(sandbox.requests.list({ status: 500 })).toHaveLength(probability * 5)
  })
})

describe('several faults', () => {
  it('strike by turns as their times and passes say', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add([
      { fault: 'status', status: 503, times: 2 },
      { fault: 'disconnect', times: 1 },
      { fault: 'malformed-json', operation: 'getPet' },
      { fault: 'timeout', method: 'POST', skip: 1 },
    ])
    const kinds: (string | number)[] = []
    for (const request of [
      {},
      {},
      {},
      {},
      { url: '/v1/pets/1' },
      { json: '{"name":"a","categoryId":1}' },
      { json: '{"name":"b","categoryId":1}' },
    ]) {
      const outcome = await sandbox.handle(requestOf(request))
      kinds.push(outcome.kind === 'response' ? outcome.status : outcome.kind)
    }
    expect(kinds).toEqual([503, 503, 'disconnect', 200, 200, 201, 'timeout'])
    expect(sandbox.faults.list().map(({ applied }) => applied)).toEqual([2, 1, 1, 1])
  })

  it('go wrong in the same way with the same random seed', async () => {
    const run = async (randomSeed: number) => {
      const sandbox = frozenSandbox({ randomSeed, rateLimits: 'report-only' })
      sandbox.scenario('flaky')
      const outcomes: unknown[] = []
      for (let sent = 0; sent < 200; sent++) outcomes.push(await sandbox.handle(requestOf({})))
      return outcomes
    }
    expect(await run(5)).toEqual(await run(5))
    expect(await run(5)).not.toEqual(await run(6))
  })

  it('are gone after they are cleared, or reset', async () => {
    const sandbox = frozenSandbox()
    await strike({ fault: 'status' }, {}, sandbox)
    sandbox.faults.clear()
    expect((await send(sandbox)).status).toBe(200)
    await strike({ fault: 'status' }, {}, sandbox)
    sandbox.reset({ only: ['faults'] })
    expect((await send(sandbox)).status).toBe(200)
  })
})
