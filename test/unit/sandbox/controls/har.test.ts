import { STATUS_CODES } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import manifest from '../../../../package.json' with { type: 'json' }
import type { Seed } from '../../../../src/mock/state/beginning.ts'
import type { HarDocument } from '../../../../src/sandbox/controls/har.ts'
import { anyRequest } from '../../../kit/arbitraries.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../../../kit/send.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'

const text = { type: 'string' }
const size = { type: 'integer', minimum: -1 }
const all = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const named = { type: 'array', items: all({ name: text, value: text }) }

/** The fields that HAR 1.2 requires (http://www.softwareishard.com/blog/har-12-spec/). */
const harSchema = all({
  log: all({
    version: { const: '1.2' },
    creator: all({ name: text, version: text }),
    entries: {
      type: 'array',
      items: all({
        startedDateTime: {
          type: 'string',
          pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
        },
        time: { type: 'number', minimum: 0 },
        request: {
          ...all({
            method: text,
            url: text,
            httpVersion: { const: 'HTTP/1.1' },
            cookies: { type: 'array' },
            headers: named,
            queryString: named,
            headersSize: size,
            bodySize: size,
          }),
          dependentSchemas: {
            postData: { type: 'object', properties: { postData: all({ mimeType: text, text }) } },
          },
        },
        response: all({
          status: { type: 'integer', minimum: -1, maximum: 599 },
          statusText: text,
          httpVersion: text,
          cookies: { type: 'array' },
          headers: named,
          content: all({ size, mimeType: text, text }),
          redirectURL: text,
          headersSize: size,
          bodySize: size,
        }),
        cache: { type: 'object' },
        timings: all({
          send: { type: 'number', minimum: 0 },
          wait: { type: 'number', minimum: 0 },
          receive: { type: 'number', minimum: 0 },
        }),
      }),
    },
  }),
})

const matches = new Ajv2020({ allErrors: true }).compile(harSchema)

/** Checks a document as a browser's developer tools would. */
function expectHar(har: HarDocument): void {
  const plain: HarDocument = JSON.parse(JSON.stringify(har))
  expect([matches(plain), matches.errors]).toEqual([true, null])
  for (const { request } of plain.log.entries) {
    expect(URL.canParse((request as { url: string }).url)).toBe(true)
  }
}

/** An entry of an archive, as these tests look at it. */
interface Entry {
  readonly request: {
    readonly url: string
    readonly cookies: unknown
    readonly headers: unknown
    readonly bodySize: number
    readonly postData?: object
  }
  readonly response: {
    readonly status: number
    readonly statusText: string
    readonly headers: readonly { readonly name: string; readonly value: string }[]
    readonly content: { readonly size: number; readonly text: string }
  }
}

const entriesOf = (har: HarDocument): readonly Entry[] =>
  JSON.parse(JSON.stringify(har.log.entries))

/** The entry of a request. */
async function harEntryOf(request: TestRequest, seed: Seed = {}): Promise<Entry> {
  const sandbox = frozenSandbox({ seed })
  await sandbox.handle(requestOf(request))
  const [entry] = entriesOf(await sandbox.requests.har())
  if (entry === undefined) throw new Error('Cannot go on: there is no entry')
  return entry
}

describe('requests.har()', () => {
  it('is valid whatever was sent, and whatever went wrong', async () => {
    const sometimes = new Sometimes('a disconnect', 'a timeout', 'a cut body', 'a success')
    const requestLists = fc.array(anyRequest, { minLength: 3, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.nat(), requestLists, async (randomSeed, requests) => {
        const sandbox = frozenSandbox({ randomSeed })
        sandbox.faults.add([
          { fault: 'disconnect', probability: 0.2 },
          { fault: 'timeout', probability: 0.2 },
          { fault: 'truncated-body', probability: 0.2 },
        ])
        for (const request of requests) await sandbox.handle(request)
        const har = await sandbox.requests.har({}, 'http://127.0.0.1:7387')
        expect(har.log.entries).toHaveLength(requests.length)
        expectHar(har)
        sometimes.meet(metIn(sandbox))
      }),
      { numRuns: draws(60) },
    )
    sometimes.expectAllMet()
  })

  it('hides a key and the token that was sent, encoded in a query, and nothing else', async () => {
    const sandbox = frozenSandbox()
    const [known, sent] = ['free-key', 'unknown-token-1'].map((key) =>
      [...key].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
    )
    const url = `/v1/pets?x=${known}&${sent}=1&status=a%2520b&unkn=%2541`
    await sandbox.handle(requestOf({ url, key: 'unknown-token-1' }))
    const [entry] = (await sandbox.requests.har()).log.entries
    const queryString = [
      { name: 'x', value: 'free…' },
      { name: 'unkn…', value: '1' },
      { name: 'status', value: 'a%20b' },
      { name: 'unkn', value: '%41' },
    ]
    expect(entry).toMatchObject({ request: { queryString } })
  })

  it('shows each request with its address, query, body, times and why', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: 250, operation: 'createPet' })
    await sandbox.handle(requestOf({ url: '/v1/pets?limit=1&status=sold' }))
    const posted = sandbox.handle(requestOf({ json: '{"name":"Zoë","categoryId":1}' }))
    sandbox.clock.advance(250)
    await posted
    const { entries } = (await sandbox.requests.har({}, 'http://127.0.0.1:7387')).log
    expect(entries).toMatchObject([
      {
        startedDateTime: '2026-01-01T00:00:00.000Z',
        time: 0,
        request: {
          method: 'GET',
          url: 'http://127.0.0.1:7387/v1/pets?limit=1&status=sold',
          queryString: [
            { name: 'limit', value: '1' },
            { name: 'status', value: 'sold' },
          ],
          headers: [{ name: 'authorization', value: 'Bearer free…' }],
        },
        response: { status: 200, content: { mimeType: 'application/json' } },
        comment: '200: listPets; spec 4.1',
      },
      {
        time: 250,
        timings: { wait: 250 },
        request: {
          bodySize: 30,
          postData: { mimeType: 'application/json', text: '{"name":"Zoë","categoryId":1}' },
        },
        response: { status: 201, statusText: 'Created', content: { size: 59 } },
      },
    ])
  })

  it('shows what broke the connection as a failed request', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'timeout' })
    await sandbox.handle(requestOf({}))
    expect((await sandbox.requests.har()).log.entries).toMatchObject([
      {
        response: {
          status: -1,
          headers: [],
          content: { size: 0, mimeType: 'x-unknown', text: '' },
          bodySize: 0,
          _error: 'net::ERR_TIMED_OUT',
        },
      },
    ])
  })

  it('has no time below zero when the clock was set back meanwhile', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const request = sandbox.handle(requestOf({}))
    sandbox.clock.set('2020-01-01')
    sandbox.reset({ only: ['clock'] })
    await request
    expectHar(await sandbox.requests.har())
  })

  it.each<TestRequest>([
    { url: '/v1/pets' },
    { json: '{"name":"Rex","categoryId":1}' },
    { url: '/v1/pets?limit=0' },
    { url: '/v1/pets/404' },
    { url: '/v1/pets', key: null },
    { url: '/v1/pets', method: 'DELETE' },
    { url: '/v1/store/orders' },
  ])('has the reason phrase of the response to %j', async (request) => {
    const { response } = await harEntryOf(request)
    expect(response.statusText).toBe(STATUS_CODES[response.status])
  })

  it('is written by this package, in this version', async () => {
    const { name, version } = manifest
    expect((await frozenSandbox().requests.har()).log.creator).toEqual({ name, version })
  })

  it('has the cookies that were sent', async () => {
    const { request } = await harEntryOf({ headers: { cookie: 'a=b; c=d=e;f' } })
    expect(request.cookies).toEqual([
      { name: 'a', value: 'b' },
      { name: 'c', value: 'd=e' },
      { name: 'f', value: '' },
    ])
  })

  it('has what a host adds to a response: its length, and other headers', async () => {
    const addedLines = ['Access-Control-Allow-Origin', '*', 'Connection', 'close']
    const { response } = await harEntryOf({ addedLines })
    const lines = response.headers.map(({ name, value }) => [name, value])
    expect(lines).toContainEqual(['Content-Length', String(response.content.size)])
    expect(lines).toContainEqual(['Access-Control-Allow-Origin', '*'])
    expect(lines).toContainEqual(['connection', 'close'])
  })

  it('says so where it does not have a body as it was sent', async () => {
    const name = 'x'.repeat(100_000)
    const cut = await harEntryOf({ json: `{"name":"${name}","categoryId":1}` })
    expect(cut.request.bodySize).toBe(100_026)
    expect(cut.request.postData).toMatchObject({
      text: expect.stringMatching(/x…$/),
      comment: 'Cut, or with keys hidden: 100026 bytes were sent',
    })
    const long = { name: 'x'.repeat(1_000), categoryId: 1 }
    const pets = Array.from({ length: 100 }, (_, id) => ({ id, ...long }))
    const page = await harEntryOf({ url: '/v1/pets?limit=100' }, { pets })
    expect(page.response).toMatchObject({
      bodySize: 103_491,
      content: { size: 103_491, comment: expect.stringMatching(/103491 bytes/) },
    })
    const whole = await harEntryOf({ json: '{"name":"Rex","categoryId":1}' })
    expect(whole.request.postData).not.toHaveProperty('comment')
    expect(whole.response.content).not.toHaveProperty('comment')
    const unkept = await harEntryOf({ json: '', bodyBytes: 2_000_000 })
    expect(unkept.request).toMatchObject({ bodySize: 2_000_000 })
    expect(unkept.request).not.toHaveProperty('postData')
  })

  it.each([
    { fault: { fault: 'truncated-body' }, error: 'net::ERR_CONTENT_LENGTH_MISMATCH' },
    { fault: { fault: 'disconnect', when: 'body' }, error: 'net::ERR_CONNECTION_RESET' },
  ] as const)('has of a body that $fault breaks off what was sent', async ({ fault, error }) => {
    const sandbox = frozenSandbox()
    sandbox.faults.add(fault)
    const outcome = await sandbox.handle(requestOf({ json: '{"name":"Zoë","categoryId":1}' }))
    if (outcome.kind !== 'broken-response') throw new Error('Cannot go on: there are no pieces')
    let sent = ''
    for await (const piece of outcome.pieces) sent += piece
    const size = Buffer.byteLength(sent)
    const [entry] = entriesOf(await sandbox.requests.har())
    expect(entry?.response).toMatchObject({
      status: 201,
      content: { text: sent, size },
      bodySize: size,
      _error: error,
    })
    expect(size).toBeLessThan(Buffer.byteLength(outcome.body))
  })

  it('says that a client has left before its response', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const client = new AbortController()
    const responded = sandbox.handle(requestOf({}), client.signal)
    client.abort()
    await responded
    const [entry] = entriesOf(await sandbox.requests.har())
    expect(entry?.response).toMatchObject({ status: 200, _error: 'net::ERR_ABORTED' })
    expect((await harEntryOf({})).response).not.toHaveProperty('_error')
  })

  it('has the time of a slow body, and no error', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add([
      { fault: 'latency', ms: 100 },
      { fault: 'slow-body', ms: 0 },
    ])
    const responded = sandbox.handle(requestOf({}))
    sandbox.clock.advance(100)
    const outcome = await responded
    if (outcome.kind !== 'broken-response') throw new Error('Cannot go on: there are no pieces')
    for await (const _ of outcome.pieces) sandbox.clock.advance(30)
    const [entry] = entriesOf(await sandbox.requests.har())
    expect(entry).toMatchObject({ time: 400, timings: { send: 0, wait: 100, receive: 300 } })
    expect(entry?.response).not.toHaveProperty('_error')
    expect(entry?.response.content.text).toBe(outcome.body)
  })

  it.each([
    { host: 'localhost:7387', begins: 'http://localhost:7387/v1' },
    { host: '[::1]:80', begins: 'http://[::1]:80/v1' },
    { host: undefined, begins: 'http://localhost/v1' },
    { host: 'x/../', begins: 'http://localhost/v1' },
  ])('has addresses by the Host $host, unless it is told an origin', async ({ host, begins }) => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf(host === undefined ? {} : { headers: { host } }))
    const urlOf = (har: HarDocument) => entriesOf(har)[0]?.request.url
    expect(urlOf(await sandbox.requests.har())).toBe(`${begins}/pets`)
    expect(urlOf(await sandbox.requests.har({}, 'https://pets.test'))).toBe(
      'https://pets.test/v1/pets',
    )
  })

  it('has the addresses of a named sandbox, in links too', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
    const [entry] = entriesOf(await sandbox.requests.har({}, 'http://127.0.0.1:1/sandboxes/a'))
    expect(entry?.request.url).toBe('http://127.0.0.1:1/sandboxes/a/v1/pets/1')
    expect(entry?.response.headers).toContainEqual({
      name: 'Link',
      value: '</sandboxes/a/v1/pets>; rel="successor-version"',
    })
  })

  it.each([
    { url: 'http://petstore.test/v1/pets', shown: 'http://petstore.test/v1/pets' },
    { url: '*', shown: 'http://localhost/' },
    { url: '//pets', shown: 'http://localhost//pets' },
  ])('gives the target $url as $shown', async ({ url, shown }) => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url }))
    expect((await sandbox.requests.har()).log.entries).toMatchObject([{ request: { url: shown } }])
  })

  it('has the facts of each request under names that begin with an underscore', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ key: 'minute-exhausted-key' }))
    expect((await sandbox.requests.har()).log.entries).toMatchObject([
      {
        _decision: {
          code: 'rate_limit_exceeded',
          spec: '8',
          retryAt: '2026-01-01T00:01:00Z',
        },
        _sequence: { start: 1, end: 2 },
        _receivedMs: expect.any(Number),
        _endedMs: expect.any(Number),
        _client: 1,
        _adapter: 'direct',
        _delivery: 'delivered',
      },
    ])
  })
})
