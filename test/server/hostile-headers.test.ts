import { describe, expect, it } from 'vitest'
import { connectRaw, sendRaw } from '../kit/raw-client.ts'
import { postHead, rawHead } from '../kit/raw-request.ts'
import { expectServing, testServer } from '../kit/test-server.ts'
import { expectError } from './expect-error.ts'

const pet = '{"name":"Bella","categoryId":1}'

describe('a server that gets odd headers', () => {
  it.each([
    { what: 'the same key twice', lines: ['Authorization: Bearer business-key'] },
    { what: 'two keys', lines: ['Authorization: Bearer free-key'] },
    { what: 'a key and another scheme', lines: ['Authorization: Basic YTpi'] },
    { what: 'a key and an empty one', lines: ['authorization:'] },
  ])('refuses $what with 401', async ({ lines }) => {
    const server = await testServer()
    expectError(await sendRaw(server.port, rawHead({ lines })), 401)
    await expectServing(server)
  })

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer __proto__',
    'Bearer constructor',
    'Basic YTpi',
    'business-key',
    'Bearer business-key,',
    'Bearer "business-key"',
    `Bearer ${'k'.repeat(10_000)}`,
    'Bearer kl\u00fc\u00df',
  ])('refuses the Authorization %j with 401', async (authorization) => {
    const server = await testServer()
    const lines = [`Authorization: ${authorization}`]
    expectError(await sendRaw(server.port, rawHead({ key: null, lines })), 401)
    await expectServing(server)
  })

  it('refuses a request without Host with 400, but for HTTP/1.0', async () => {
    const server = await testServer()
    expectError(await sendRaw(server.port, rawHead({ host: null })), 400)
    const old = await sendRaw(server.port, rawHead({ host: null, version: 'HTTP/1.0' }))
    expect(old).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await expectServing(server)
  })

  it('refuses a request with two Hosts with 400', async () => {
    const server = await testServer()
    expectError(await sendRaw(server.port, rawHead({ lines: ['Host: other.example'] })), 400)
    await expectServing(server)
  })

  it.each([
    { what: 'one header of 20,000 bytes', lines: [`Accept: ${'a'.repeat(20_000)}`] },
    { what: 'a header name of 20,000 bytes', lines: [`${'a'.repeat(20_000)}: b`] },
    { what: '10,000 headers', lines: Array.from({ length: 10_000 }, () => 'a: b') },
    { what: '200,000 headers', lines: Array.from({ length: 200_000 }, () => 'a: b') },
  ])('refuses $what with 400', async ({ lines }) => {
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
})
