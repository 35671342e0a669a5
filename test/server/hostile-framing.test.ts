import { describe, expect, it } from 'vitest'
import { connectRaw, sendRaw } from '../kit/raw-client.ts'
import { postHead, rawHead } from '../kit/raw-request.ts'
import { expectServing, testServer } from '../kit/test-server.ts'
import { expectError } from './expect-error.ts'

const chunked = postHead('Transfer-Encoding: chunked')

describe('a server that gets broken framing', () => {
  it.each([
    { what: 'a method with a bracket', bytes: rawHead({ method: 'GE(T' }) },
    { what: 'a method that HTTP does not have', bytes: rawHead({ method: 'FOO' }) },
    { what: 'a method in lower case', bytes: rawHead({ method: 'get' }) },
    { what: 'no method', bytes: rawHead({ method: '' }) },
    { what: 'a version that HTTP does not have', bytes: rawHead({ version: 'HTTP/9.9' }) },
    { what: 'another protocol', bytes: rawHead({ version: 'HTTQ/1.1' }) },
    { what: 'a preface of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
    { what: 'a TLS hello', bytes: Buffer.from('16030100b5010000b10303', 'hex') },
    { what: 'noise', bytes: Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 7) % 256)) },
    { what: 'lines that end in LF', bytes: rawHead().replaceAll('\r\n', '\n') },
    { what: 'lines that end in CR', bytes: rawHead().replaceAll('\r\n', '\r') },
    { what: 'a blank before the colon', bytes: rawHead({ lines: ['Accept : text/html'] }) },
    { what: 'a blank in a header name', bytes: rawHead({ lines: ['Acc ept: text/html'] }) },
    { what: 'a header without a name', bytes: rawHead({ lines: [': text/html'] }) },
    { what: 'a header without a colon', bytes: rawHead({ lines: ['Accept'] }) },
    { what: 'a folded header', bytes: rawHead({ lines: ['Accept: text/html,', ' text/plain'] }) },
    { what: 'a CR within a header', bytes: rawHead({ lines: ['Accept: a\rb'] }) },
    { what: 'a NUL within a header', bytes: rawHead({ lines: ['Accept: a\0b'] }) },
    { what: 'a NUL within a header name', bytes: rawHead({ lines: ['Acc\0ept: a'] }) },
  ])('refuses $what with 400', async ({ bytes }) => {
    const server = await testServer()
    expectError(await sendRaw(server.port, bytes), 400)
    await expectServing(server)
  })

  it.each([
    { what: 'a negative length', bytes: postHead('Content-Length: -5') },
    { what: 'a length in words', bytes: postHead('Content-Length: five') },
    { what: 'a length with a sign', bytes: postHead('Content-Length: +5') },
    { what: 'an empty length', bytes: postHead('Content-Length:') },
    { what: 'a length past 2^64', bytes: postHead('Content-Length: 99999999999999999999999') },
    { what: 'two lengths', bytes: postHead('Content-Length: 5', 'Content-Length: 6') },
    { what: 'a length twice', bytes: postHead('Content-Length: 5', 'Content-Length: 5') },
    { what: 'a list of lengths', bytes: postHead('Content-Length: 5, 5') },
    {
      what: 'a length and chunks',
      bytes: `${postHead('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    },
    {
      what: 'chunks and a length',
      bytes: `${postHead('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n`,
    },
    { what: 'a coding that is not chunked', bytes: postHead('Transfer-Encoding: gzip') },
    { what: 'chunked not last', bytes: postHead('Transfer-Encoding: chunked, gzip') },
    { what: 'a chunk size that is no number', bytes: `${chunked}zz\r\nhello\r\n0\r\n\r\n` },
    { what: 'a negative chunk size', bytes: `${chunked}-1\r\nhello\r\n0\r\n\r\n` },
    { what: 'a chunk size past 2^64', bytes: `${chunked}fffffffffffffffff\r\nhello\r\n` },
    { what: 'a chunk longer than its size', bytes: `${chunked}2\r\nhello\r\n0\r\n\r\n` },
    {
      what: 'a flood of chunk extensions',
      bytes: `${chunked}2;${'a=b;'.repeat(25_000)}\r\n{}\r\n0\r\n\r\n`,
    },
    { what: 'a broken trailer', bytes: `${chunked}2\r\n{}\r\n0\r\nbro ken: a\r\n\r\n` },
  ])('refuses $what with 400, and closes the connection', async ({ bytes }) => {
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
})
