import { describe, expect, it } from 'vitest'
import { connectSandbox } from '../../../src/client/connect-sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { connectRaw } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'

/** The head of a document for a control. */
function putHead(path: string, length: number | undefined): string {
  const how = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  const lines = ['Content-Type: application/json', how]
  return rawHead({ method: 'PUT', target: `/_sandbox${path}`, host: 'localhost', key: null, lines })
}

/** A snapshot that is far longer than what is sent at once. */
function longSnapshot(): string {
  const sandbox = frozenSandbox()
  const name = 'Zoë 🐢 '.repeat(50)
  sandbox.pets.create(Array.from({ length: 3_000 }, () => ({ name, categoryId: 1 })))
  return JSON.stringify(sandbox.snapshot())
}

const pets = Array.from({ length: 20_000 }, (_, index) => ({
  id: index + 1,
  name: `Rex ${index}`,
  categoryId: 1,
}))

describe.each([
  { path: '/snapshot', json: longSnapshot(), size: 3_030 },
  { path: '/seed', json: JSON.stringify({ pets }), size: 20_000 },
])('a document for $path', ({ path, json, size }) => {
  it('is in force at its end, and answers others until then as before', async () => {
    const server = await testServer({ sandbox: frozenSandbox() })
    const client = await connectRaw(server.port)
    const bytes = Buffer.from(json)
    await client.send(putHead(path, bytes.length), bytes.subarray(0, -10))
    await expectServing(server)
    expect(await server.sandbox.pets.size).toBe(30)
    await client.send(bytes.subarray(-10))
    expect((await client.reply()).status).toBe(204)
    expect(await server.sandbox.pets.size).toBe(size)
  })

  it('changes nothing when its client leaves halfway', async () => {
    const server = await testServer({ sandbox: frozenSandbox() })
    const client = await connectRaw(server.port)
    await client.send(putHead(path, Buffer.byteLength(json)), json.slice(0, -10))
    client.leave()
    await expectServing(server)
    expect(await server.sandbox.pets.size).toBe(30)
  })

  it.each([
    { what: 'wrong', sent: '{"pets":[{"id":1,"name":5}]}', length: 28, status: 400 },
    {
      what: 'deep',
      sent: `{"a":${'['.repeat(100_000)}`.padEnd(300_000),
      length: 300_000,
      status: 400,
    },
    { what: 'too large', sent: ' '.repeat(300_000), length: 2 ** 26 + 1, status: 413 },
    { what: 'one without access', sent: '{"a":'.padEnd(300_000), length: 300_000, status: 403 },
  ])('that is $what is rejected, and the connection goes on', async ({ sent, length, status }) => {
    const token = status === 403 ? { controlToken: 'secret' } : {}
    const server = await testServer({ sandbox: frozenSandbox(), ...token })
    const client = await connectRaw(server.port)
    void client.send(putHead(path, length), sent)
    const { body } = await client.reply()
    expect(JSON.parse(body)).toMatchObject({ status })
    for (let left = length - sent.length; left > 0; left -= 1_048_576) {
      void client.send(Buffer.alloc(Math.min(left, 1_048_576), ' '))
    }
    void client.send(rawHead())
    expect((await client.reply()).status).toBe(200)
    expect(await server.sandbox.pets.size).toBe(30)
  })

  it('that sends on and on beyond what may be is ended', async () => {
    const server = await testServer({ sandbox: frozenSandbox() })
    const client = await connectRaw(server.port)
    await client.send(putHead(path, undefined))
    const part = `100000\r\n${' '.repeat(1_048_576)}\r\n`
    void client.send(...Array.from({ length: 140 }, () => part))
    expect((await client.reply()).status).toBe(413)
    await client.closed()
    await expectServing(server)
  })
})

describe('a seed over HTTP', () => {
  it('stands in a capture as a reseed', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    const client = connectSandbox(url)
    const seed = {
      pets: pets.slice(0, 2),
      keys: [{ key: 'own-key', plan: 'enterprise', limits: { minute: 5, day: 9 } } as const],
    }
    await client.replaceSeed(seed)
    const { steps } = await client.capture()
    expect(steps.at(-1)).toMatchObject({
      do: 'control',
      name: 'replaceSeed',
      given: [{ pets: seed.pets, keys: [{ plan: 'enterprise' }] }],
    })
  })
})

describe('a snapshot over HTTP', () => {
  it('is the state of one instant, however slowly it is read, and says how long it is', async () => {
    const sandbox = frozenSandbox()
    sandbox.restore(JSON.parse(longSnapshot()))
    const before = JSON.stringify(sandbox.snapshot())
    const server = await testServer({ sandbox })
    const reply = await fetch(`${server.url}/_sandbox/snapshot`)
    await server.sandbox.pets.clear()
    await expect(fetch(`${server.url}/_sandbox/health`)).resolves.toMatchObject({ status: 200 })
    expect((await reply.text()) === before).toBe(true)
    const head = await fetch(`${server.url}/_sandbox/snapshot`, { method: 'HEAD' })
    const whole = await (await fetch(`${server.url}/_sandbox/snapshot`)).arrayBuffer()
    expect(head.headers.get('content-length')).toBe(String(whole.byteLength))
  })

  it('is rejected once its body has come if its sandbox is deleted meanwhile', async () => {
    const server = await testServer()
    await server.pool.create({ name: 'mine' })
    const client = await connectRaw(server.port)
    const bytes = Buffer.from(longSnapshot())
    const head = putHead('/snapshot', bytes.length)
    const named = head.replace(' /_sandbox', ' /sandboxes/mine/_sandbox')
    await client.send(named, bytes.subarray(0, 100_000))
    await server.pool.delete('mine')
    await client.send(bytes.subarray(100_000))
    expect((await client.reply()).status).toBe(404)
    await client.send(rawHead())
    expect((await client.reply()).status).toBe(200)
  })
})
