import { describe, expect, it } from 'vitest'
import { maxBodyBytes } from '../../src/contract/http.ts'
import { connectRaw, sendRaw } from '../kit/raw-client.ts'
import { postHead, rawHead, rawPost } from '../kit/raw-request.ts'
import { expectServing, testServer } from '../kit/test-server.ts'
import { expectError } from './expect-error.ts'

const pet = '{"name":"Bella","categoryId":1}'
const depth = 10_000
const deepArray = '['.repeat(depth) + ']'.repeat(depth)
const deepObject = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const bytesOf = (...codes: readonly number[]): Uint8Array => Uint8Array.from(codes)

/** Writes a body as chunks of 64 KiB. */
function inChunks(body: string): string {
  const chunks = body.match(/[\s\S]{1,65536}/g) ?? []
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`
}

describe('a server that gets odd bodies', () => {
  it.each([
    { what: 'nothing', body: '' },
    { what: 'a NUL', body: '\0' },
    { what: '10,000 arrays deep', body: deepArray },
    { what: '10,000 objects deep', body: deepObject },
    { what: '500,000 brackets that are not closed', body: '['.repeat(500_000) },
    { what: '10,000 arrays deep for a name', body: `{"name":${deepArray},"categoryId":1}` },
    { what: '10,000 objects deep for a category', body: `{"name":"a","categoryId":${deepObject}}` },
    { what: 'an own __proto__ for the name', body: '{"__proto__":{"name":"a"},"categoryId":1}' },
    { what: 'a constructor for the name', body: '{"name":{"constructor":"a"},"categoryId":1}' },
    { what: 'a name with toString', body: '{"name":{"toString":"a"},"categoryId":1}' },
    { what: 'a category past int64', body: '{"name":"a","categoryId":9223372036854775808}' },
    {
      what: 'a category of 100,000 digits',
      body: `{"name":"a","categoryId":${'9'.repeat(100_000)}}`,
    },
    { what: 'a category of 1e400', body: '{"name":"a","categoryId":1e400}' },
    { what: 'a category of 1e999999999', body: '{"name":"a","categoryId":1e999999999}' },
    { what: 'a byte order mark', body: `\ufeff${pet}` },
    { what: 'a NUL within a string', body: '{"name":"a\0b","categoryId":1}' },
    { what: 'a text after the JSON', body: `${pet}{}` },
    { what: 'a comment', body: `${pet} // a pet` },
    { what: 'invalid UTF-8', body: bytesOf(0x7b, 0x22, 0xff, 0x22, 0x7d) },
    { what: 'half a character', body: Buffer.from('{"name":"ż').subarray(0, -1) },
    {
      what: 'an overlong character',
      body: Buffer.concat([
        Buffer.from('{"name":"'),
        bytesOf(0xc0, 0xaf),
        Buffer.from('","categoryId":1}'),
      ]),
    },
    {
      what: 'a surrogate in UTF-8',
      body: Buffer.concat([
        Buffer.from('{"name":"'),
        bytesOf(0xed, 0xa0, 0x80),
        Buffer.from('","categoryId":1}'),
      ]),
    },
    { what: 'UTF-16', body: Buffer.from(pet, 'utf16le') },
  ])('refuses $what with 400', async ({ body }) => {
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
    { what: '10,000 arrays deep', body: `{"name":"Bella","categoryId":1,"more":${deepArray}}` },
    {
      what: '10,000 arrays deep beside a category past 2^53',
      body: `{"name":"Bella","categoryId":9007199254740993,"more":${deepArray}}`,
    },
    {
      what: '10,000 objects deep beside a category past 2^53',
      body: `{"name":"Bella","categoryId":9007199254740993,"more":${deepObject}}`,
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
    { bytes: 3 * maxBodyBytes, status: 413 },
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
      const sizes = (await server.sandbox.journal.entries()).map(({ request }) => request.bodyBytes)
      // Of a chunked body only what had come by then is known.
      if (status === 413) expect([sizes[0], (sizes[1] ?? 0) > maxBodyBytes]).toEqual([bytes, true])
      else expect(sizes).toEqual([bytes, bytes])
      await client.send(rawHead())
      expect(await client.reply()).toMatchObject({ status: 200 })
      await expectServing(server)
    },
  )

  it('refuses a body that says beforehand that it is too large, before it comes', async () => {
    const server = await testServer()
    expectError(await sendRaw(server.port, postHead('Content-Length: 9007199254740993')), 413)
    const { request } = await server.sandbox.journal.get(1)
    expect(request).toMatchObject({ body: '', bodyBytes: Number.MAX_SAFE_INTEGER })
    await server.sandbox.restore(await server.sandbox.snapshot())
    await expectServing(server)
  })

  it('breaks off a client that sends on and on', async () => {
    const server = await testServer()
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
    const { journal } = server.sandbox
    expect(await journal.entries({ method: 'POST' })).toEqual([])
    expect((await journal.last({ method: 'GET' }))?.quota.remaining).toBe(4_999)
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
