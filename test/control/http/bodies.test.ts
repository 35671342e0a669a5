import { describe, expect, it } from 'vitest'
import type { ApiRequest } from '../../../src/contract/message.ts'
import { handleControl } from '../../../src/control/http/handle-control.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'

const json = { 'content-type': 'application/json' }

/** Sends a control request to a sandbox of its own. */
async function ask(request: Partial<ApiRequest>) {
  const controls = frozenSandbox()
  const host = { controls, origin: 'http://sandbox.test' }
  const whole = { method: 'GET', url: '/_sandbox/pets', headers: {}, body: '', ...request }
  const reply = await handleControl(whole, host)
  if (reply.kind !== 'reply') throw new Error('Cannot read the reply: it is a stream')
  const { message = '' } = reply.body === '' ? {} : JSON.parse(reply.body)
  return { controls, reply, message: String(message) }
}

/** A pet as JSON with so many characters beyond ASCII, filled up with blanks to so many bytes. */
function petOf(characters: number, bytes: number): string {
  const text = `{"categoryId":1,"name":"${'€'.repeat(characters)}"}`
  return text + ' '.repeat(bytes - text.length - 2 * characters)
}

const mebibyte = 2 ** 20

describe('the body of a control', () => {
  it.each([
    { what: 'as large as may be', body: petOf(0, mebibyte), status: 201 },
    { what: 'a byte larger', body: petOf(0, mebibyte + 1), status: 413 },
    {
      what: 'as large as may be in other characters',
      body: petOf(1_000, mebibyte),
      status: 201,
    },
    { what: 'larger only in bytes', body: petOf(349_500, mebibyte + 1), status: 413 },
    { what: 'kept by nobody', body: '', bodyBytes: mebibyte + 1, status: 413 },
    { what: 'of bytes that are no text', body: '\udfff', bodyBytes: mebibyte, status: 400 },
  ])('may be 1 MiB: $what', async ({ status, body, ...request }) => {
    const { reply } = await ask({ method: 'POST', headers: json, body, ...request })
    expect(reply.status).toBe(status)
  })

  it.each(['application/json', 'text/plain'])(
    'may be missing from a GET of type %s, as some clients send it',
    async (type) => {
      expect((await ask({ headers: { 'content-type': type } })).reply.status).toBe(200)
    },
  )
})
