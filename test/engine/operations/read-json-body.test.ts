import { describe, expect, it } from 'vitest'
import { decodeBody, maxBodyBytes } from '../../../src/contract/http.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'

const json = '{"name":"Rex","categoryId":1}'

/** A pet as JSON of so many bytes, its name made of one character again and again. */
function petOfBytes(bytes: number, character = 'a'): string {
  const width = new TextEncoder().encode(character).length
  const frame = '{"categoryId":1,"name":""}'
  const count = Math.floor((bytes - frame.length) / width)
  const name = character.repeat(count) + 'a'.repeat(bytes - frame.length - count * width)
  return frame.replace('""', `"${name}"`)
}

describe('readJsonBody()', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; charset = utf-8',
    'application/json;',
    'application/json; v=1',
    'application/json; odata="a;b"; charset=utf-8',
  ])('takes the type %s', async (type) => {
    const reply = await send(frozenSandbox(), { json, headers: { 'content-type': type } })
    expect(reply.status).toBe(201)
  })

  it.each([
    { what: '20,000 properties', count: 20_000, status: 201 },
    { what: 'more than 20,000 properties', count: 20_001, status: 400 },
  ])('answers a body with $what with $status', async ({ count, status }) => {
    // What is in strings is no property.
    const more = Array.from({ length: count - 3 }, (_, index) => `"p${index}":"\\":"`)
    const body = `{"name":"${'":'.repeat(200).replaceAll('"', '\\"')}","categoryId":1,"all":{${more}}}`
    const reply = await send(frozenSandbox(), { json: body })
    expect(reply.status).toBe(status)
    const message = 'Cannot read the body: it has more than 20000 properties; send'
    if (status === 400) expect(JSON.parse(reply.body).message).toContain(message)
  })

  it.each(['identity', 'Identity'])('takes the encoding %s', async (encoding) => {
    const reply = await send(frozenSandbox(), { json, headers: { 'content-encoding': encoding } })
    expect(reply.status).toBe(201)
  })

  it.each(['gzip', 'br', 'identity, gzip', ''])(
    'refuses the encoding %j with 400, saying what would do',
    async (encoding) => {
      const reply = await send(frozenSandbox(), { json, headers: { 'content-encoding': encoding } })
      expect([reply.status, JSON.parse(reply.body).message]).toEqual([
        400,
        `Cannot use Content-Encoding: found "${encoding}"; send the body unencoded`,
      ])
    },
  )

  it.each([
    '',
    'text/plain',
    'text/json',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/jsonx',
    'xapplication/json',
    'application/json; charset=latin1',
    'application/json; v=1; charset=latin1',
    'application/json v=1',
    'application/json, application/json',
    'application/x-www-form-urlencoded',
  ])('refuses the type %j with 400, saying which would do', async (type) => {
    const reply = await send(frozenSandbox(), { json, headers: { 'content-type': type } })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body)).toMatchObject({
      code: 'invalid_request',
      message: `Cannot use Content-Type: found "${type}"; send application/json`,
    })
  })

  it.each([
    '{',
    '{"name":"Rex","categoryId":1',
    "{'name':'Rex','categoryId':1}",
    '{"name":"Rex","categoryId":1,}',
    '{"name":"Rex","categoryId":01}',
    '{"name":"Rex","categoryId":+1}',
    '{"name":"Rex","categoryId":NaN}',
    '{"name":"Rex","categoryId":1}{}',
    '\ufeff{"name":"Rex","categoryId":1}',
    'name=Rex&categoryId=1',
    ' ',
  ])('refuses %j with 400, as it is not valid JSON', async (body) => {
    const reply = await send(frozenSandbox(), { json: body })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body).message).toMatch(
      /^Cannot read the body: found ".*, which is not valid JSON; send a JSON object with name and categoryId$/,
    )
  })

  it('refuses an empty body with 400', async () => {
    const reply = await send(frozenSandbox(), { json: '' })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body).message).toBe(
      'Cannot read the body: it is empty; send a JSON object with name and categoryId',
    )
  })

  it('refuses bytes that are not UTF-8 with 400', async () => {
    const reply = await send(frozenSandbox(), { json: `{"name":"\ud800","categoryId":1}` })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body).message).toBe(
      'Cannot read the body: it is not valid UTF-8; send JSON in UTF-8',
    )
  })

  it.each(['a', 'é', '€', '🐢'])('takes 1 MiB of %s and not a byte more', async (character) => {
    const sandbox = frozenSandbox()
    const largest = await send(sandbox, { json: petOfBytes(maxBodyBytes, character) })
    const larger = await send(sandbox, { json: petOfBytes(maxBodyBytes + 1, character) })
    // It is read whole: its name is too long for a pet.
    expect(largest.status).toBe(400)
    expect(JSON.parse(largest.body).message).toContain('Cannot use name')
    expect(larger.status).toBe(413)
    expect(JSON.parse(larger.body)).toEqual({
      code: 'payload_too_large',
      message: 'Cannot read the body: it is larger than 1048576 bytes; send less',
      status: 413,
    })
  })

  it.each([
    { bytes: maxBodyBytes, status: 400, message: 'it is not valid UTF-8; send JSON in UTF-8' },
    { bytes: maxBodyBytes + 1, status: 413, message: 'it is larger than 1048576 bytes; send less' },
  ])('refuses $bytes bytes that are not UTF-8 with $status', async ({ bytes, status, message }) => {
    const unreadable = decodeBody(new Uint8Array(bytes).fill(0xff))
    const reply = await send(frozenSandbox(), { json: '', ...unreadable })
    expect(reply.status).toBe(status)
    expect(JSON.parse(reply.body).message).toBe(`Cannot read the body: ${message}`)
  })

  it('refuses a large body for its size before anything else about it', async () => {
    const body = ' '.repeat(maxBodyBytes + 1)
    const reply = await send(frozenSandbox(), { method: 'POST', body })
    expect(reply.status).toBe(413)
  })

  it.each([
    { what: 'arrays', json: '['.repeat(500_000) },
    { what: 'closed arrays', json: '['.repeat(500_000) + ']'.repeat(500_000) },
    {
      what: 'arrays around a large number',
      json: `${'['.repeat(10_000)}9007199254740993${']'.repeat(10_000)}`,
    },
    {
      what: 'an unknown property beside a large number',
      json: `{"name":"Rex","categoryId":9007199254740993.5,"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    },
  ])('refuses deeply nested $what with 400', async ({ json: body }) => {
    const reply = await send(frozenSandbox(), { json: body })
    expect(reply.status).toBe(400)
  })

  // V8 needs a tenth of a second to read it, in which nobody else is answered.
  it('does not read what is nested deeper than 20,000 levels', async () => {
    const body = `{"name":"Rex","categoryId":1,"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}`
    const reply = await send(frozenSandbox(), { json: body })
    expect(JSON.parse(reply.body)).toMatchObject({
      code: 'invalid_request',
      message:
        'Cannot read the body: it is nested more than 20000 levels deep; send a JSON object with name and categoryId',
    })
  })

  it('reads over a deeply nested property that a pet does not have', async () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    const body = `{"name":"Rex","categoryId":9007199254740993,"x":${deep}}`
    const reply = await send(frozenSandbox(), { json: body })
    expect(reply.status).toBe(201)
  })
})
