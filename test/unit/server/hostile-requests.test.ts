import { describe, expect, it } from 'vitest'
import { maxBodyBytes } from '../../../src/mock/api/http.ts'
import { connectRaw, sendRaw } from '../../kit/raw-client.ts'
import { postHead, rawHead, rawPost } from '../../kit/raw-request.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'
import { expectError } from './expect-error.ts'

const pet = '{"name":"Bella","categoryId":1}'
const depth = 10_000
const deepArray = '['.repeat(depth) + ']'.repeat(depth)
const deepObject = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const chunked = postHead('Transfer-Encoding: chunked')
const bytesOf = (...codes: readonly number[]): Uint8Array => Uint8Array.from(codes)

/** Writes a body as chunks of 64 KiB. */
function inChunks(body: string): string {
  const chunks = body.match(/[\s\S]{1,65536}/g) ?? []
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`
}

/** What is not HTTP, or not as Node reads it: rejected with 400, after which nothing can be read. */
const unreadable: readonly { readonly what: string; readonly bytes: string | Uint8Array }[] = [
  { what: 'a method with a bracket', bytes: rawHead({ method: 'GE(T' }) },
  { what: 'a method that HTTP does not have', bytes: rawHead({ method: 'FOO' }) },
  { what: 'a version that HTTP does not have', bytes: rawHead({ version: 'HTTP/9.9' }) },
  { what: 'a preface of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { what: 'a TLS hello', bytes: Buffer.from('16030100b5010000b10303', 'hex') },
  { what: 'noise', bytes: Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 7) % 256)) },
  { what: 'lines that end in LF', bytes: rawHead().replaceAll('\r\n', '\n') },
  { what: 'a blank before the colon', bytes: rawHead({ lines: ['Accept : text/html'] }) },
  { what: 'a folded header', bytes: rawHead({ lines: ['Accept: text/html,', ' text/plain'] }) },
  { what: 'a CR within a header', bytes: rawHead({ lines: ['Accept: a\rb'] }) },
  { what: 'a NUL within a header', bytes: rawHead({ lines: ['Accept: a\0b'] }) },
  { what: 'a negative length', bytes: postHead('Content-Length: -5') },
  { what: 'a length past 2^64', bytes: postHead('Content-Length: 99999999999999999999999') },
  { what: 'two lengths', bytes: postHead('Content-Length: 5', 'Content-Length: 6') },
  {
    what: 'a length and chunks',
    bytes: `${postHead('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  },
  { what: 'a coding that is not chunked', bytes: postHead('Transfer-Encoding: gzip') },
  { what: 'chunked not last', bytes: postHead('Transfer-Encoding: chunked, gzip') },
  { what: 'a chunk size that is no number', bytes: `${chunked}zz\r\nhello\r\n0\r\n\r\n` },
  { what: 'a chunk longer than its size', bytes: `${chunked}2\r\nhello\r\n0\r\n\r\n` },
  {
    what: 'a flood of chunk extensions',
    bytes: `${chunked}2;${'a=b;'.repeat(25_000)}\r\n{}\r\n0\r\n\r\n`,
  },
  { what: 'a broken trailer', bytes: `${chunked}2\r\n{}\r\n0\r\nbro ken: a\r\n\r\n` },
]

/** Targets of a GET, and how they are answered. */
const targets = [
  { target: '/', status: 404 },
  { target: '//', status: 404 },
  { target: '/v1//pets', status: 404 },
  { target: '/v1/../v1/pets', status: 404 },
  { target: '/v1/pets/..%2f1', status: 404 },
  { target: '/V1/PETS', status: 404 },
  { target: '/%76%31/pets', status: 404 },
  { target: '/v1/pets/%zz', status: 404 },
  { target: '/v1/pets/%00', status: 404 },
  { target: '/v1/pets/__proto__', status: 404 },
  { target: '/v1/pets#top', status: 404 },
  { target: '/v1/pets?limit=%zz', status: 400 },
  { target: '/v1/pets?status=%ff', status: 400 },
  { target: '/v1/pets?limit=1&limit=2', status: 400 },
  { target: '/v1/pets?__proto__[limit]=1', status: 200 },
  { target: '/v1/pets???&&&===', status: 200 },
  { target: `/v1/pets?${'a=b&'.repeat(3_500)}`, status: 200 },
  { target: `/v1/pets/${'1'.repeat(10_000)}`, status: 404 },
  { target: '*', status: 404 },
  { target: 'http://', status: 404 },
  { target: 'https://other.example:99999/v1/nothing', status: 404 },
  { target: 'http://other.example/v1/pets?limit=1', status: 200 },
  { target: 'HTTP://user:password@[::1]/v1/pets', status: 200 },
]

/** Bodies of a POST that are no pets. */
const bodies = [
  { what: 'nothing', body: '' },
  { what: '500,000 brackets that are not closed', body: '['.repeat(500_000) },
  { what: '10,000 arrays deep for a name', body: `{"name":${deepArray},"categoryId":1}` },
  { what: '10,000 objects deep for a category', body: `{"name":"a","categoryId":${deepObject}}` },
  { what: 'an own __proto__ for the name', body: '{"__proto__":{"name":"a"},"categoryId":1}' },
  { what: 'a category past int64', body: '{"name":"a","categoryId":9223372036854775808}' },
  {
    what: 'a category of 100,000 digits',
    body: `{"name":"a","categoryId":${'9'.repeat(100_000)}}`,
  },
  { what: 'a category of 1e999999999', body: '{"name":"a","categoryId":1e999999999}' },
  { what: 'a byte order mark', body: `\ufeff${pet}` },
  { what: 'a text after the JSON', body: `${pet}{}` },
  { what: 'invalid UTF-8', body: bytesOf(0x7b, 0x22, 0xff, 0x22, 0x7d) },
  {
    what: 'a surrogate in UTF-8',
    body: Buffer.concat([
      Buffer.from('{"name":"'),
      bytesOf(0xed, 0xa0, 0x80),
      Buffer.from('","categoryId":1}'),
    ]),
  },
  { what: 'UTF-16', body: Buffer.from(pet, 'utf16le') },
]

/** A key in more ways than one, or in a wrong one. */
const authorizations = [
  ...['Bearer business-key', 'Bearer free-key', 'Basic YTpi', ''].map((more) => [
    'Bearer business-key',
    more,
  ]),
  ...['Bearer', 'Bearer ', 'Bearer a b', 'Bearer __proto__', 'Basic YTpi', 'business-key'],
  ...['Bearer business-key,', 'Bearer "business-key"', `Bearer ${'k'.repeat(10_000)}`],
  'Bearer kl\u00fc\u00df',
]

describe('a server', () => {
  it.each(unreadable)('rejects $what with 400, and closes the connection', async ({ bytes }) => {
    const server = await testServer()
    const client = await connectRaw(server.port)
    void client.send(bytes)
    expectError(await client.reply(), 400)
    await client.closed()
    await expectServing(server)
  })

  it.each([
    { lines: ['Transfer-Encoding: gzip'], body: '' },
    { lines: ['Transfer-Encoding: xchunked'], body: '' },
    { lines: ['Transfer-Encoding: chunked'], body: 'zz\r\n' },
  ])('answers a GET once that breaks in its body: $lines', async ({ lines, body }) => {
    const server = await testServer()
    const client = await connectRaw(server.port)
    await client.send(rawHead({ lines }) + rawHead({ lines }) + body)
    expectError(await client.reply(), 400)
    await expect(client.reply()).rejects.toThrow('the connection is closed after')
    await expectServing(server)
  })

  it('takes blank lines before a request, small chunk extensions and trailers as HTTP has them', async () => {
    const server = await testServer()
    expect(await sendRaw(server.port, `\r\n\r\n${rawHead()}`)).toMatchObject({ status: 200 })
    const pet = '{"name":"Bella","categoryId":1}'
    const bytes = `${chunked}${pet.length.toString(16)};a=b\r\n${pet}\r\n0\r\nX-Checksum: 1\r\n\r\n`
    expect(await sendRaw(server.port, bytes)).toMatchObject({ status: 201 })
  })

  it('says what it found, and nothing of itself', async () => {
    const { port } = await testServer()
    const { body } = await sendRaw(port, rawHead({ lines: ['Acc ept: a'] }))
    expect(JSON.parse(body)).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^Cannot read the request: it is not valid HTTP\/1\.1 \(/),
    })
    expect(body).not.toMatch(/HPE_|llhttp|node:|\.ts|\.js/)
  })

  it.each(targets)('handles $target with $status', async ({ target, status }) => {
    const server = await testServer()
    const reply = await sendRaw(server.port, rawHead({ target }))
    if (status === 200) expect(reply).toMatchObject({ status })
    else expectError(reply, status)
    await expectServing(server)
  })

  it.each([
    { target: 'http://localhost/_sandbox/clock', status: 200 },
    { target: 'HTTP://127.0.0.1:1/_sandbox', status: 200 },
    { target: 'http://localhost/_sandbox/nothing', status: 404 },
    { target: 'http://localhost/sandboxes/mine/_sandbox/clock', status: 200 },
    { target: 'http://store.example/sandboxes/mine/v1/pets?limit=1', status: 200 },
    { target: 'http://store.example/_sandbox/clock', status: 403 },
  ])('serves more than the API at $target, as proxies get it', async ({ target, status }) => {
    const server = await testServer()
    await server.pool.create({ name: 'mine' })
    const reply = await sendRaw(server.port, rawHead({ target, host: 'localhost' }))
    expect(reply.status).toBe(status)
  })

  it.each([
    { what: 'without a slash', target: 'v1/pets' },
    { what: 'that is empty', target: '' },
    { what: 'with a blank', target: '/v1/pets/1 2' },
    { what: 'with a NUL', target: '/v1/pe\0ts' },
    { what: 'in UTF-8', target: '/v1/pets/ż' },
    { what: 'of 20,000 characters', target: `/${'a'.repeat(20_000)}` },
  ])('rejects a target $what with 400', async ({ target }) => {
    const server = await testServer()
    const bytes = ['GET ', target, rawHead().slice('GET /v1/pets?limit=1'.length)]
    const whole = Buffer.concat(bytes.map((part) => Buffer.from(part)))
    expectError(await sendRaw(server.port, whole), 400)
    await expectServing(server)
  })

  it.each([
    { method: 'CONNECT', target: 'other.example:443', status: 404 },
    { method: 'CONNECT', target: '/v1/pets', status: 405 },
    { method: 'OPTIONS', target: '*', status: 404 },
    { method: 'TRACE', target: '/v1/pets', status: 405 },
    { method: 'PUT', target: '/v1/pets', status: 405 },
    { method: 'M-SEARCH', target: '/v1/pets', status: 405 },
    { method: 'POST', target: '/v1/store/orders', status: 405 },
    { method: 'GET', target: '/v1/store/orders', status: 501 },
  ])('answers $method $target with $status', async ({ method, target, status }) => {
    const server = await testServer()
    const reply = await sendRaw(server.port, rawHead({ method, target }))
    expectError(reply, status)
    // What a TRACE gives back may be another client's key.
    expect(reply.body).not.toContain('business-key')
    expectError(await sendRaw(server.port, rawHead({ method, target, key: null })), 401)
    await expectServing(server)
  })

  it.each(authorizations)('rejects the Authorization %j with 401', async (...values) => {
    const server = await testServer()
    const lines = values.flat().map((value) => `Authorization: ${value}`)
    expectError(await sendRaw(server.port, rawHead({ key: null, lines })), 401)
    await expectServing(server)
  })

  it('wants one Host, but for HTTP/1.0', async () => {
    const server = await testServer()
    expectError(await sendRaw(server.port, rawHead({ host: null })), 400)
    expectError(await sendRaw(server.port, rawHead({ lines: ['Host: other.example'] })), 400)
    const old = await sendRaw(server.port, rawHead({ host: null, version: 'HTTP/1.0' }))
    expect(old).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await expectServing(server)
  })

  it.each([
    { what: 'one header of 20,000 bytes', lines: [`Accept: ${'a'.repeat(20_000)}`] },
    { what: '200,000 headers', lines: Array.from({ length: 200_000 }, () => 'a: b') },
  ])('rejects $what with 400', async ({ lines }) => {
    const server = await testServer()
    const reply = await sendRaw(server.port, rawHead({ lines }))
    expectError(reply, 400)
    expect(reply.body).toContain('larger than 16384 bytes')
    await expectServing(server)
  })

  it('reads all of 2,500 short headers, the key last', async () => {
    const server = await testServer()
    const lines = Array.from({ length: 2_500 }, () => 'a:b')
    const bytes = rawHead({ key: null, lines: [...lines, 'Authorization: Bearer free-key'] })
    expect(await sendRaw(server.port, bytes)).toMatchObject({ status: 200 })
  })

  it.each([
    {
      what: '__proto__, constructor and toString',
      lines: ['__proto__: a', 'constructor: b', 'toString: c'],
    },
    { what: 'bytes past ASCII', lines: ['Accept: \u00ff\u00fe'] },
    {
      what: 'an upgrade to WebSocket',
      lines: ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a'],
    },
    {
      what: 'an upgrade to h2c',
      lines: [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ],
    },
    { what: 'an expectation that it does not know', lines: ['Expect: 200-maybe'] },
    { what: 'X-HTTP-Method-Override', lines: ['X-HTTP-Method-Override: DELETE'] },
    { what: 'other hops', lines: ['X-Forwarded-Host: a', 'X-Forwarded-For: b', 'Forwarded: c'] },
  ])('serves a request with $what as any other', async ({ lines }) => {
    const server = await testServer()
    const client = await connectRaw(server.port)
    await client.send(rawHead({ lines }))
    expect(await client.reply()).toMatchObject({ status: 200 })
    await client.send(rawHead())
    expect(await client.reply()).toMatchObject({ status: 200 })
    await expectServing(server)
  })

  it.each(['100-continue', '100-CONTINUE', 'something-else'])(
    'reads the body of a POST that expects %s',
    async (expectation) => {
      const server = await testServer()
      const client = await connectRaw(server.port)
      await client.send(postHead(`Content-Length: ${pet.length}`, `Expect: ${expectation}`))
      if (/^100/.test(expectation)) expect(await client.reply()).toMatchObject({ status: 100 })
      await client.send(pet)
      expect(await client.reply()).toMatchObject({ status: 201 })
    },
  )

  it.each(bodies)('rejects $what with 400', async ({ body }) => {
    const server = await testServer()
    expectError(await sendRaw(server.port, rawPost(body)), 400)
    await expectServing(server)
  })

  it.each([
    { what: 'a lone surrogate, escaped', name: '"\\ud800"', read: '\ud800' },
    { what: 'a NUL, escaped', name: '"\\u0000"', read: '\0' },
    { what: 'a byte order mark in a name', name: '"\ufeff"', read: '\ufeff' },
    { what: 'markup', name: '"<script>alert(1)</script>"', read: '<script>alert(1)</script>' },
  ])('takes $what and gives it back', async ({ name, read }) => {
    const server = await testServer()
    const reply = await sendRaw(server.port, rawPost(`{"name":${name},"categoryId":1}`))
    expect({ ...reply, body: JSON.parse(reply.body) }).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json' },
      body: { name: read },
    })
    await expectServing(server)
  })

  it.each([
    {
      what: '__proto__ and constructor',
      body: '{"__proto__":{"status":"sold"},"constructor":{"prototype":{"status":"sold"}},"name":"Bella","categoryId":1}',
    },
    {
      what: '10,000 arrays deep beside a category past 2^53',
      body: `{"name":"Bella","categoryId":9007199254740993,"more":${deepArray}}`,
    },
  ])('takes $what for unknown properties, which it ignores', async ({ body }) => {
    const server = await testServer()
    const reply = await sendRaw(server.port, rawPost(body))
    expect(reply.status).toBe(201)
    expect(JSON.parse(reply.body)).toEqual({
      id: expect.any(Number),
      name: 'Bella',
      categoryId: expect.any(Number),
      status: 'available',
    })
    expect(Object.prototype).not.toHaveProperty('status')
    await expectServing(server)
  })

  it.each([
    { bytes: maxBodyBytes, status: 201 },
    { bytes: maxBodyBytes + 1, status: 413 },
  ])(
    'answers a body of $bytes bytes with $status, and serves the connection on',
    async ({ bytes, status }) => {
      const server = await testServer()
      const body = pet.padEnd(bytes)
      const client = await connectRaw(server.port)
      for (const request of [
        rawPost(body),
        postHead('Transfer-Encoding: chunked') + inChunks(body),
      ]) {
        void client.send(request)
        const reply = await client.reply()
        if (status === 413) expectError(reply, status)
        else expect(reply.status).toBe(status)
      }
      const sizes = (await server.sandbox.requests.list()).map(({ request }) => request.bodyBytes)
      // Of a chunked body only what had come by then is known.
      if (status === 413) expect([sizes[0], (sizes[1] ?? 0) > maxBodyBytes]).toEqual([bytes, true])
      else expect(sizes).toEqual([bytes, bytes])
      await client.send(rawHead())
      expect(await client.reply()).toMatchObject({ status: 200 })
      await expectServing(server)
    },
  )

  it('rejects a body that says beforehand that it is too large, before it comes', async () => {
    const server = await testServer()
    expectError(await sendRaw(server.port, postHead('Content-Length: 9007199254740993')), 413)
    const { request } = await server.sandbox.requests.get(1)
    expect(request).toMatchObject({ body: '', bodyBytes: Number.MAX_SAFE_INTEGER })
    await server.sandbox.restore(await server.sandbox.snapshot())
    await expectServing(server)
  })

  it('breaks off a client that sends on and on', async () => {
    const server = await testServer({ bounds: { requestMs: 3_000 } })
    const client = await connectRaw(server.port)
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`
    void client.send(
      postHead('Transfer-Encoding: chunked'),
      ...Array.from({ length: 100 }, () => chunk),
    )
    expectError(await client.reply(), 413)
    await client.closed()
    await expectServing(server)
  })

  it('creates no pet from half a body, and spends nothing of its key', async () => {
    const server = await testServer()
    const before = await server.sandbox.pets.size
    const client = await connectRaw(server.port)
    await client.send(postHead(`Content-Length: ${pet.length}`, 'Expect: 100-continue'))
    await client.reply()
    await client.send(pet.slice(0, -1))
    client.leave()
    await expectServing(server)
    await server.close()
    expect(await server.sandbox.pets.size).toBe(before)
    const { requests } = server.sandbox
    expect(await requests.list({ method: 'POST' })).toEqual([])
    expect((await requests.last({ method: 'GET' }))?.quota.remaining).toBe(4_999)
  })

  it('says so when a client ends its side in the middle of a body', async () => {
    const server = await testServer()
    const client = await connectRaw(server.port)
    await client.send(postHead(`Content-Length: ${pet.length}`), pet.slice(0, -1))
    client.end()
    expectError(await client.reply(), 400)
    await client.closed()
    await expectServing(server)
  })

  it.each(['GET', 'HEAD'])('reads past the body of a %s', async (method) => {
    const server = await testServer()
    const client = await connectRaw(server.port)
    await client.send(rawHead({ method, lines: ['Content-Length: 5'] }), 'hello', rawHead())
    expect(await client.reply(method === 'HEAD' ? 'headOnly' : 'whole')).toMatchObject({
      status: 200,
    })
    expect(await client.reply()).toMatchObject({ status: 200 })
  })
})
