import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  defaultMaxRequests,
  type LogPosition,
  RequestLog,
  type SandboxEvent,
} from '../../../../src/mock/log/request-log.ts'
import { type RequestView, requestFilter, savedLog } from '../../../../src/mock/log/request-view.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send, sendMany, type TestRequest } from '../../../kit/send.ts'

async function logOf(...requests: readonly TestRequest[]) {
  const sandbox = frozenSandbox()
  for (const request of requests) await sandbox.handle(requestOf(request))
  return sandbox.requests
}

/** Steps from a position to the end of a request log. */
function walk({ requests }: Sandbox, from: LogPosition) {
  const ids: number[] = []
  let isWhole = true
  let step = requests.next(from)
  for (; step.show !== undefined; step = requests.next(step.position)) {
    ids.push(step.show().id)
    isWhole &&= step.isWhole
  }
  expect(step.position).toEqual(requests.position)
  return { ids, isWhole: isWhole && step.isWhole }
}

/** A sandbox with some requests, the position after them, and some more. */
async function usedSandbox(maxRequests = 1_000) {
  const sandbox = frozenSandbox({ maxRequests, rateLimits: 'report-only' })
  await sendMany(sandbox, 2)
  const { position } = sandbox.requests
  return { sandbox, position }
}

/** The number of a client that sends a request. */
function clientOf(log: RequestLog, token: string): number | undefined {
  const logged = log.begin(requestOf({}), log.arrive('direct', undefined), startAt)
  const reply = { kind: 'response', status: 200, headers: {}, body: '' } as const
  log.end(logged, reply, { ...logged.result, token }, startAt, undefined)
  return log.knownClient(token)
}

const idsOf = (entries: readonly RequestView[]) => entries.map(({ id }) => id)

describe('RequestLog', () => {
  it('keeps 1,000 requests by default', async () => {
    expect(defaultMaxRequests).toBe(1_000)
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    await sendMany(sandbox, 1_005)
    const ids = idsOf(sandbox.requests.list())
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([1_000, 6, 1_005])
  })

  it.each([1, 3])('keeps the latest %i, in order, and forgets the others', async (maxRequests) => {
    const sandbox = frozenSandbox({ maxRequests })
    for (let sent = 1; sent <= 20; sent++) {
      await send(sandbox)
      const kept = Math.min(sent, maxRequests)
      const expected = Array.from({ length: kept }, (_, index) => sent - kept + 1 + index)
      expect(idsOf(sandbox.requests.list())).toEqual(expected)
      for (const id of expected) expect(sandbox.requests.get(id).id).toBe(id)
      expect(() => sandbox.requests.get(sent - kept)).toThrow('no such request in the log')
    }
    expect(sandbox.requests.last()?.id).toBe(20)
  })

  it('keeps nothing with a size of 0, also of a snapshot, but tells who listens', async () => {
    const sandbox = frozenSandbox({ maxRequests: 0 })
    const heard: number[] = []
    sandbox.requests.onRequest(({ id }) => heard.push(id))
    await sendMany(sandbox, 3)
    expect(sandbox.requests.list()).toEqual([])
    expect(sandbox.requests.last()).toBeUndefined()
    const other = frozenSandbox()
    await send(other)
    sandbox.restore(other.snapshot())
    expect(sandbox.requests.list()).toEqual([])
    expect(() => sandbox.requests.get(1)).toThrow('Cannot find request 1')
    expect(heard).toEqual([1, 2, 3])
  })

  it.each([
    { maxRequests: 1, kept: [5], later: [7] },
    { maxRequests: 3, kept: [3, 4, 5], later: [5, 6, 7] },
  ])('keeps of a snapshot, in whatever order, the latest $maxRequests', async (row) => {
    const sandbox = frozenSandbox({ maxRequests: row.maxRequests })
    const other = frozenSandbox()
    await sendMany(other, 5)
    const snapshot = JSON.parse(JSON.stringify(other.snapshot()))
    snapshot.requests.list.reverse()
    sandbox.restore(snapshot)
    expect(idsOf(sandbox.requests.list())).toEqual(row.kept)
    await sendMany(sandbox, 2)
    expect(idsOf(sandbox.requests.list())).toEqual(row.later)
  })

  it('cuts bodies that are very long, and keeps the others whole', async () => {
    const name = 'x'.repeat(500_000)
    const { handle, requests, pets } = frozenSandbox({ seed: { pets: [] } })
    pets.create(Array.from({ length: 100 }, () => ({ name: 'x'.repeat(1_000), categoryId: 1 })))
    for (const json of [`{"name":"${name}","categoryId":1}`, '{}'])
      await handle(requestOf({ json }))
    const page = await handle(requestOf({ url: '/v1/pets?limit=100' }))
    const [long, short, listed] = requests.list()
    expect(long?.request.body).toHaveLength(65_537)
    expect(long?.request.bodyBytes).toBe(500_026)
    expect(short?.request).not.toHaveProperty('bodyBytes')
    expect(long?.request.body.endsWith('x…')).toBe(true)
    expect(listed?.outcome).toMatchObject({
      status: 200,
      body: expect.stringMatching(/…$/),
      bodyBytes: 'body' in page ? page.body.length : 0,
    })
    expect(short?.request.body).toBe('{}')
  })

  it('says how many bytes a body has in which keys are hidden', async () => {
    const json = '{"name":"Zoë pro-key","categoryId":1}'
    const log = await logOf({ json })
    expect(log.last()).toMatchObject({
      request: { body: '{"name":"Zoë pro…","categoryId":1}', bodyBytes: 38 },
      outcome: { body: expect.stringContaining('Zoë pro…'), bodyBytes: 67 },
    })
  })

  it('shows nothing of a body that was too large to be kept, and says how many bytes it has', async () => {
    const sandbox = frozenSandbox()
    const outcome = await sandbox.handle(requestOf({ json: '', bodyBytes: 2_000_000 }))
    expect(outcome).toMatchObject({ status: 413 })
    expect(sandbox.requests.last()?.request).toMatchObject({ body: '', bodyBytes: 2_000_000 })
  })

  it.each([
    { what: 'as it was', restored: false },
    { what: 'that was restored', restored: true },
  ])('shows each time anew what it keeps, $what', async ({ restored }) => {
    const sandbox = frozenSandbox()
    const reply = await send(sandbox)
    if (restored) sandbox.restore(sandbox.snapshot())
    const { outcome } = sandbox.requests.get(1)
    if (!('headers' in outcome)) throw new Error('Cannot go on: there is no reply')
    const whole = structuredClone(outcome)
    for (const { headers } of [outcome, sandbox.requests.get(1).outcome as typeof outcome]) {
      Object.assign(headers, { date: 'changed' })
    }
    expect(sandbox.requests.get(1).outcome).toEqual(whole)
    expect(reply.headers.date).not.toBe('changed')
  })

  it('counts on after it is cleared, and after a reset', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 3)
    sandbox.requests.clear()
    expect(sandbox.requests.list()).toEqual([])
    await send(sandbox)
    expect(sandbox.requests.last()?.id).toBe(4)
    sandbox.reset()
    expect(sandbox.requests.last()).toBeUndefined()
    await send(sandbox)
    expect(sandbox.requests.last()?.id).toBe(5)
  })
})

describe('RequestLog.entries()', () => {
  const requests: readonly TestRequest[] = [
    {},
    { key: 'pro-key', url: '/v1/pets/1' },
    { key: null },
    { json: '{}' },
    { url: '/v1/nothing', method: 'PUT' },
    { method: 'HEAD' },
  ]

  it.each([
    { query: {}, ids: [1, 2, 3, 4, 5, 6] },
    { query: { operation: 'listPets' }, ids: [1, 3, 6] },
    { query: { operation: 'getPet' }, ids: [2] },
    { query: { method: 'post' }, ids: [4] },
    { query: { method: 'HEAD' }, ids: [6] },
    { query: { status: 401 }, ids: [3] },
    { query: { status: 400 }, ids: [4] },
    { query: { status: 'timeout' }, ids: [] },
    { query: { key: 'pro-key' }, ids: [2] },
    { query: { key: 'pro…' }, ids: [2] },
    { query: { key: 'pro' }, ids: [] },
    { query: { afterId: 4 }, ids: [5, 6] },
    { query: { limit: 2 }, ids: [5, 6] },
    { query: { limit: 2, operation: 'listPets' }, ids: [3, 6] },
    { query: { key: 'free-key', method: 'GET', status: 200 }, ids: [1] },
  ] as const)('finds $ids by $query', async ({ query, ids }) => {
    expect(idsOf((await logOf(...requests)).list(query))).toEqual(ids)
  })

  it('finds by time: from since on, up to and without until', async () => {
    const sandbox = frozenSandbox()
    for (let second = 0; second < 5; second++) {
      await send(sandbox)
      sandbox.clock.advance('1s')
    }
    const { requests } = sandbox
    expect(idsOf(requests.list({ since: startAt + 2_000 }))).toEqual([3, 4, 5])
    expect(idsOf(requests.list({ until: '2026-01-01T00:00:02Z' }))).toEqual([1, 2])
    expect(idsOf(requests.list({ since: startAt + 1_000, until: startAt + 3_000 }))).toEqual([2, 3])
  })

  it('tells keys with one beginning apart, even when one of them was deleted', async () => {
    const sandbox = frozenSandbox()
    for (const key of ['same-one', 'same-two', 'same-three']) {
      sandbox.keys.issue({ key, plan: 'free' })
      await send(sandbox, { key })
    }
    sandbox.keys.delete('same-two')
    expect(idsOf(sandbox.requests.list({ key: 'same-two' }))).toEqual([2])
    expect(idsOf(sandbox.requests.list({ key: 'same…' }))).toEqual([1, 2, 3])
  })

  it('finds what broke the connection', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add([
      { fault: 'disconnect', times: 1 },
      { fault: 'timeout', times: 1 },
    ])
    await sandbox.handle(requestOf({}))
    await sandbox.handle(requestOf({}))
    expect(idsOf(sandbox.requests.list({ status: 'disconnect' }))).toEqual([1])
    expect(idsOf(sandbox.requests.list({ status: 'timeout' }))).toEqual([2])
  })
})

describe('RequestLog.subscribe()', () => {
  it.each([1_000, 0])(
    'tells a listener no more of a body than a request log of %i keeps',
    async (size) => {
      const sandbox = frozenSandbox({ maxRequests: size })
      const heard: RequestView[] = []
      sandbox.requests.onRequest((entry) => heard.push(entry))
      const json = JSON.stringify({ name: 'Rex', categoryId: 1, more: '\u4e2d'.repeat(300_000) })
      await sandbox.handle(requestOf({ json }))
      const [{ request } = {}] = heard
      expect(request?.body).toHaveLength(65_537)
      expect(request?.bodyBytes).toBe(Buffer.byteLength(json))
      expect(heard.slice(0, size)).toEqual(sandbox.requests.list())
    },
  )

  it('tells each entry as it comes, the same that is read later', async () => {
    const sandbox = frozenSandbox()
    const heard: RequestView[] = []
    sandbox.requests.onRequest((entry) => heard.push(entry))
    await sendMany(sandbox, 3)
    await send(sandbox, { key: null })
    expect(heard).toEqual(sandbox.requests.list())
  })

  it('goes on over resets and restores, each entry told once, until it is ended', async () => {
    const sandbox = frozenSandbox()
    const heard: number[] = []
    const end = sandbox.requests.onRequest(({ id }) => heard.push(id))
    await sendMany(sandbox, 2)
    sandbox.reset()
    await send(sandbox)
    sandbox.reset({ only: ['requests'] })
    await send(sandbox)
    const snapshot = sandbox.snapshot()
    sandbox.reset()
    sandbox.restore(snapshot)
    await send(sandbox)
    expect(heard).toEqual([1, 2, 3, 4, 5])
    end()
    await send(sandbox)
    sandbox.reset()
    await send(sandbox)
    expect(heard).toHaveLength(5)
  })
})

describe('RequestLog.watch()', () => {
  it('tells all that happens as it does, in the order that past() has it in, over resets too', async () => {
    const sandbox = frozenSandbox()
    const heard: unknown[] = []
    const shown = (event: SandboxEvent): unknown =>
      'mark' in event ? event.mark.kind : [event.id, event.request.url, event.startOrder]
    sandbox.state().requests.watch((event) => heard.push(shown(event)))
    await send(sandbox, { url: '/v1/pets/1' })
    sandbox.clock.advance('1s')
    const slow = sandbox.handle(requestOf({ url: '/v1/pets/2' }))
    sandbox.setGaps({})
    await slow
    const all = [[1, '/v1/pets/1', 1], 'clock-moved', 'gaps-changed', [2, '/v1/pets/2', 4]]
    expect(heard).toEqual(all)
    expect(sandbox.state().requests.past().map(shown)).toEqual(all)
    sandbox.reset()
    await send(sandbox)
    expect(heard.slice(4)).toEqual(['reset', [3, '/v1/pets', 8]])
    expect(sandbox.state().requests.past().map(shown)).toEqual(heard.slice(4))
  })
})

describe('a listener that throws', () => {
  /** Hears what is reported as an uncaught error. */
  function reported(): unknown[] {
    const errors: unknown[] = []
    vi.stubGlobal('reportError', (error: unknown) => errors.push(error))
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    return errors
  }

  it('harms neither the request, nor its quota, nor other listeners, and is reported', async () => {
    const errors = reported()
    const sandbox = frozenSandbox()
    const heard: number[] = []
    const failure = new Error('an expectation that failed')
    sandbox.requests.onRequest(() => {
      throw failure
    })
    sandbox.requests.onRequest(({ id }) => heard.push(id))
    const replies = await sendMany(sandbox, 2)
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['59', '58'])
    expect(heard).toEqual([1, 2])
    expect(idsOf(sandbox.requests.list())).toEqual([1, 2])
    expect(errors).toEqual([failure, failure])
  })
})

const wholeEntry = {
  id: 1,
  at: '2026-01-01T00:00:00Z',
  durationMs: 0,
  request: { method: 'GET', url: '/v1/pets', headers: {}, body: '' },
  outcome: { kind: 'response', status: 200, headers: {}, body: '[]' },
  quota: {
    window: 'minute',
    limit: 60,
    remaining: 59,
    resetAt: '2026-01-01T00:01:00Z',
    counted: true,
  },
  faults: [],
  why: '200: listPets; spec 4.1',
  decision: { spec: '4.1' },
  sequence: { start: 1, end: 2 },
  receivedMs: 1.5,
  endedMs: 2.25,
  client: 1,
  connection: 3,
  adapter: 'server',
  delivery: 'delivered',
} as const

describe('RequestLog.restore()', () => {
  it('takes what a snapshot has', () => {
    const log = new RequestLog(10, (text) => text)
    log.restore(savedLog.parse({ lastId: 1, list: [wholeEntry], changes: [] }))
    expect(log.entries(requestFilter.parse({}))).toEqual([wholeEntry])
    expect(savedLog.encode(log.save())).toEqual({
      lastId: 1,
      list: [wholeEntry],
      changes: [],
    })
  })

  it('goes on with the sequence and the callers of what it takes', async () => {
    const log = new RequestLog(10, (text) => text)
    const mark = { sequence: 7, at: '2026-01-01T00:00:00Z', kind: 'reset' } as const
    log.restore(savedLog.parse({ lastId: 1, list: [wholeEntry], changes: [mark] }))
    expect(log.arrive('direct', undefined).startOrder).toBe(8)
    expect(clientOf(log, 'any')).toBe(2)
  })

  it('finds restored entries by key, whole or as the request log shows it', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    await send(sandbox, { key: 'pro-key' })
    sandbox.restore(sandbox.snapshot())
    expect(idsOf(sandbox.requests.list({ key: 'pro-key' }))).toEqual([2])
    expect(idsOf(sandbox.requests.list({ key: 'free…' }))).toEqual([1])
  })
})

describe('RequestLog.next()', () => {
  it('steps through the entries after a position, one by one', async () => {
    const { sandbox, position } = await usedSandbox()
    expect(walk(sandbox, position)).toEqual({ ids: [], isWhole: true })
    await sendMany(sandbox, 3)
    expect(walk(sandbox, position)).toEqual({ ids: [3, 4, 5], isWhole: true })
    expect(sandbox.requests.next(position).show?.()).toEqual(sandbox.requests.get(3))
    expect(walk(sandbox, { ...position, id: 0 })).toEqual({ ids: [1, 2, 3, 4, 5], isWhole: true })
  })

  it('says that entries are missing which were too old to keep', async () => {
    const { sandbox, position } = await usedSandbox(3)
    await sendMany(sandbox, 5)
    expect(walk(sandbox, position)).toEqual({ ids: [5, 6, 7], isWhole: false })
  })

  it.each([
    { what: 'cleared', size: 1_000, clear: (sandbox: Sandbox) => sandbox.requests.clear() },
    { what: 'never kept', size: 0, clear: () => {} },
  ])('says that entries are missing which were $what', async ({ size, clear }) => {
    const { sandbox, position } = await usedSandbox(size)
    clear(sandbox)
    expect(walk(sandbox, position)).toEqual({ ids: [], isWhole: true })
    await send(sandbox)
    clear(sandbox)
    expect(walk(sandbox, position)).toEqual({ ids: [], isWhole: false })
  })

  it('goes on over a reset without a gap where the position was the end of the request log', async () => {
    const { sandbox, position } = await usedSandbox()
    sandbox.reset()
    expect(walk(sandbox, position)).toEqual({ ids: [], isWhole: true })
    await sendMany(sandbox, 2)
    expect(walk(sandbox, position)).toEqual({ ids: [3, 4], isWhole: true })
  })

  it('says that entries are missing which a reset has deleted', async () => {
    const { sandbox, position } = await usedSandbox()
    await send(sandbox)
    sandbox.reset()
    await send(sandbox)
    expect(walk(sandbox, position)).toEqual({ ids: [4], isWhole: false })
  })

  it('gives of a restored request log only what came after the snapshot', async () => {
    const { sandbox, position } = await usedSandbox()
    await send(sandbox)
    sandbox.restore(sandbox.snapshot())
    await send(sandbox)
    expect(walk(sandbox, position)).toEqual({ ids: [4], isWhole: false })
    const other = frozenSandbox()
    other.restore(sandbox.snapshot())
    await send(other)
    expect(walk(other, sandbox.requests.position)).toEqual({ ids: [5], isWhole: false })
  })

  it('takes no position of another request log for its own', async () => {
    const { position } = await usedSandbox()
    const other = frozenSandbox()
    await sendMany(other, 3)
    expect(other.requests.position.epoch).not.toBe(position.epoch)
    expect(walk(other, position)).toEqual({ ids: [1, 2, 3], isWhole: false })
  })

  it.each([{ id: 99 }, { id: -5 }, { id: Number.NaN }])(
    'does not take a position that never was for whole: $id',
    async ({ id }) => {
      const { sandbox, position } = await usedSandbox()
      await send(sandbox)
      expect(walk(sandbox, { ...position, id }).isWhole).toBe(false)
    },
  )
})

describe('RequestLog.knownClient()', () => {
  it('knows 1,000 clients; the one that came first is forgotten first', () => {
    const log = new RequestLog(0, (text) => text)
    for (let number = 1; number <= 1_000; number++) clientOf(log, `token-${number}`)
    expect([clientOf(log, 'token-1'), clientOf(log, 'one more')]).toEqual([1, 1_001])
    expect([clientOf(log, 'token-2'), clientOf(log, 'token-1')]).toEqual([2, 1_002])
  })
})
