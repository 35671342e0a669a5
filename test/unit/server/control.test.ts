import { describe, expect, it } from 'vitest'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { frozenSandbox, startAt } from '../../kit/frozen-sandbox.ts'
import { connectRaw, sendRaw } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'
import { stateOf } from '../../kit/state-of.ts'
import { testServer } from '../../kit/test-server.ts'

/** The head of a control request. */
function headOf(method: string, path: string, ...lines: readonly string[]): string {
  return rawHead({ method, target: `/_sandbox${path}`, host: '127.0.0.1', key: null, lines })
}

function frozenServer(): Promise<RunningServer> {
  return testServer({ sandbox: frozenSandbox() })
}

const jsonType = 'Content-Type: application/json'

describe('a control request over HTTP', () => {
  it('is no request of the API: it spends no quota and is not in the request log', async () => {
    const { url, sandbox } = await frozenServer()
    for (const path of ['', '/clock', '/nothing', '/keys/free-key']) {
      await (
        await fetch(`${url}/_sandbox${path}`, { headers: { Authorization: 'Bearer free-key' } })
      ).text()
    }
    expect(stateOf(sandbox)).toEqual(stateOf(frozenSandbox()))
  })

  it('handles a HEAD as a GET, without the body', async () => {
    const { port } = await frozenServer()
    const client = await connectRaw(port)
    await client.send(headOf('GET', '/clock'))
    const { body, headers } = await client.reply()
    await client.send(headOf('HEAD', '/clock'))
    expect(await client.reply('headOnly')).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': headers['content-length'] },
    })
    expect(Buffer.byteLength(body)).toBe(Number(headers['content-length']))
  })

  it('takes a body in chunks, and one that waits for leave', async () => {
    const { port, sandbox } = await frozenServer()
    const chunked = headOf('PATCH', '/clock', jsonType, 'Transfer-Encoding: chunked')
    const reply = await sendRaw(
      port,
      chunked,
      '6\r\n{"adva\r\n',
      '9\r\nnce":"1h"\r\n',
      '1\r\n}\r\n0\r\n\r\n',
    )
    expect(reply.status).toBe(200)
    const client = await connectRaw(port)
    await client.send(
      headOf('PATCH', '/clock', jsonType, 'Content-Length: 16', 'Expect: 100-continue'),
    )
    expect((await client.reply()).status).toBe(100)
    await client.send('{"advance":"1h"}')
    expect((await client.reply()).status).toBe(200)
    expect(await sandbox.clock.now()).toBe(startAt + 7_200_000)
  })

  it.each([
    { name: 'bytes that are not UTF-8', body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) },
    { name: 'half of it', body: Buffer.from('{"advance":') },
    { name: 'a byte order mark', body: Buffer.from('\ufeff{"advance":"1h"}') },
    { name: 'NaN', body: Buffer.from('{"advance":NaN}') },
    { name: 'nesting without end', body: Buffer.from('['.repeat(200_000)) },
  ])('rejects a body with $name, and changes nothing', async ({ body }) => {
    const { port, sandbox } = await frozenServer()
    const head = headOf('PATCH', '/clock', jsonType, `Content-Length: ${body.length}`)
    const reply = await sendRaw(port, head, body)
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body)).toMatchObject({ code: 'invalid_request', status: 400 })
    expect(await sandbox.clock.now()).toBe(startAt)
  })

  it('is done in the order in which it comes on a connection', async () => {
    const { port, sandbox } = await frozenServer()
    const client = await connectRaw(port)
    const advance = (text: string) =>
      `${headOf('PATCH', '/clock', jsonType, `Content-Length: ${text.length}`)}${text}`
    await client.send(advance('{"advance":1}') + advance('{"set":0}') + advance('{"advance":5}'))
    const replies = [await client.reply(), await client.reply(), await client.reply()]
    expect(replies.map(({ body }) => JSON.parse(body).now)).toEqual([
      '2026-01-01T00:00:00.001Z',
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:00.005Z',
    ])
    expect(await sandbox.clock.now()).toBe(5)
  })

  it('shows bugs of ours as 500 without their text', async () => {
    const faults: unknown[] = []
    const sandbox = frozenSandbox()
    const fault = new Error('Cannot go on: this is a test')
    const reset = () => {
      throw fault
    }
    const { url } = await testServer({
      sandbox: Object.assign(sandbox, { reset }),
      onError: (error) => faults.push(error),
    })
    const reply = await fetch(`${url}/_sandbox/reset`, { method: 'POST' })
    expect([reply.status, await reply.json()]).toEqual([
      500,
      {
        code: 'internal_error',
        message: 'Cannot respond: the sandbox has a bug; its standard error says more',
        status: 500,
        path: [],
        reason: 'internal-error',
      },
    ])
    expect(faults).toEqual([fault])
  })
})
