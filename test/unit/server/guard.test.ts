import { describe, expect, it } from 'vitest'
import type { RunningServer, ServerOptions } from '../../../src/server/start-server.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { connectRaw, type RawReply, sendRaw } from '../../kit/raw-client.ts'
import { stateOf } from '../../kit/state-of.ts'
import { testServer } from '../../kit/test-server.ts'
import { controlRows } from '../sandbox/controls/http/controls-table.ts'

const jsonType = 'Content-Type: application/json'

/** A request as it stands on the wire, with the lines that are given and no others. */
function rawOf(requestLine: string, lines: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [requestLine, ...lines, ...length, '', body].join('\r\n')
}

/** A request that would change a lot. */
const resetLine = 'POST /_sandbox/reset HTTP/1.1'

/** Serves a sandbox that any reset would show in, and a named one. */
async function guardedServer(options: ServerOptions = {}): Promise<RunningServer> {
  const sandbox = frozenSandbox()
  sandbox.clock.advance('1h')
  sandbox.pets.clear()
  const server = await testServer({ sandbox, ...options })
  await server.pool.create({ name: 'mine' })
  await server.pool.getOrCreate('mine').pets.clear()
  return server
}

async function allOf({ sandbox, pool }: RunningServer): Promise<unknown> {
  const names = await pool.names()
  const snapshots = await Promise.all(
    names.map(async (name) => await pool.getOrCreate(name).snapshot()),
  )
  return [stateOf(sandbox), names, ...snapshots]
}

/** Sends a request that is to be rejected, and checks that nothing is changed. */
async function rejected(server: RunningServer, request: string): Promise<RawReply> {
  const before = await allOf(server)
  const reply = await sendRaw(server.port, request)
  expect(await allOf(server)).toEqual(before)
  return reply
}

function expectForbidden({ status, headers, body }: RawReply): void {
  expect([status, headers['content-type']]).toEqual([403, 'application/json'])
  expect(JSON.parse(body)).toEqual({
    code: 'forbidden',
    message: expect.stringMatching(/^Cannot use the control API: .+[^.]$/),
    status: 403,
    path: [],
    reason: expect.stringMatching(/^(?:forbidden|unauthorized)$/),
  })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
  expect(headers.date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
}

describe('what no control answers', () => {
  it.each([
    {
      what: 'one without access',
      target: '/_sandbox/clock',
      date: 'Thu, 01 Jan 2026 01:00:00 GMT',
    },
    {
      what: 'one without access to a named sandbox',
      target: '/sandboxes/mine/_sandbox/clock',
      date: 'Thu, 05 Dec 2030 00:00:00 GMT',
    },
    {
      what: 'one who asks for a sandbox that there is not',
      target: '/sandboxes/none/_sandbox/clock',
      host: 'localhost',
      date: 'Thu, 01 Jan 2026 01:00:00 GMT',
    },
    {
      what: 'a bad name of a sandbox of the API',
      target: '/sandboxes/-/v1/pets',
      date: 'Thu, 01 Jan 2026 01:00:00 GMT',
    },
  ])('has the time of the sandbox for $what', async ({ target, host = 'evil.test', date }) => {
    const server = await guardedServer()
    const { clock } = server.pool.getOrCreate('mine')
    await clock.set('2030-12-05')
    await clock.freeze()
    const reply = await sendRaw(server.port, rawOf(`GET ${target} HTTP/1.1`, [`Host: ${host}`]))
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.headers.date).toBe(date)
  })
})

describe('the control API', () => {
  it.each([
    { host: 'evil.test' },
    { host: 'evil.test:{port}' },
    { host: '127.0.0.1.evil.test' },
    { host: 'localhost.evil.test:{port}' },
    { host: '.localhost' },
    { host: '128.0.0.1' },
    { host: 'localhost.' },
    { host: 'user@127.0.0.1:{port}' },
    { host: '127.0.0.1@evil.test' },
    { host: 'evil.test#.localhost' },
    { host: '0.0.0.0:{port}' },
    { host: '[::]:{port}' },
    { host: '[::ffff:127.0.0.1]' },
    { host: '::1' },
    { host: '2130706433' },
    { host: '127.1' },
    { host: 'EVIL.TEST:{port}' },
    { host: ':{port}' },
    { host: '' },
    { host: 'evil.test, 127.0.0.1' },
    { host: 'x'.repeat(5_000) },
  ])('rejects the Host $host', async ({ host }) => {
    const server = await guardedServer()
    const named = host.replace('{port}', String(server.port))
    expectForbidden(await rejected(server, rawOf(resetLine, [`Host: ${named}`])))
  })

  it('rejects a request without Host, of HTTP/1.1 and 1.0', async () => {
    const server = await guardedServer()
    expectForbidden(await rejected(server, rawOf(resetLine, [])))
    expectForbidden(await rejected(server, rawOf('POST /_sandbox/reset HTTP/1.0', [])))
  })

  it.each([
    ['Host: evil.test', 'Host: 127.0.0.1'],
    ['Host: 127.0.0.1', 'Host: evil.test'],
    ['Host: 127.0.0.1', 'Host: 127.0.0.1'],
    ['Host: evil.test', 'Host: a.localhost'],
  ])('rejects %s with %s', async (...lines) => {
    const server = await guardedServer()
    expectForbidden(await rejected(server, rawOf(resetLine, lines)))
  })

  it.each([
    '127.0.0.1',
    '127.0.0.1:{port}',
    '127.0.0.1:',
    '127.8.9.10:1',
    'localhost',
    'LocalHost:{port}',
    'app.localhost:{port}',
    '[::1]',
    '[::1]:{port}',
  ])('lets the Host %s in', async (host) => {
    const server = await guardedServer()
    const named = host.replace('{port}', String(server.port))
    expect((await sendRaw(server.port, rawOf(resetLine, [`Host: ${named}`]))).status).toBe(204)
    expect(await server.sandbox.pets.size).toBe(30)
  })

  it.each([
    { origin: 'http://evil.test' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'http://localhost:{port}' },
    { origin: 'http://127.0.0.1:{port}.evil.test' },
    { origin: 'http://evil.test?http://127.0.0.1:{port}' },
    { origin: 'http://user@127.0.0.1:{port}' },
    { origin: 'chrome-extension://abcdef' },
    { origin: 'ftp://127.0.0.1:{port}' },
  ])('rejects a page of $origin', async ({ origin }) => {
    const server = await guardedServer()
    const host = `127.0.0.1:${server.port}`
    const lines = [`Host: ${host}`, `Origin: ${origin.replace('{port}', String(server.port))}`]
    expectForbidden(await rejected(server, rawOf(resetLine, lines)))
    expectForbidden(await rejected(server, rawOf(resetLine, [...lines, jsonType], '{}')))
    expectForbidden(await rejected(server, rawOf('GET /_sandbox/snapshot HTTP/1.1', lines)))
  })

  it('lets a page of its own in', async () => {
    const server = await guardedServer()
    const own = `127.0.0.1:${server.port}`
    const lines = [`Host: ${own}`, `Origin: http://${own}`, 'Sec-Fetch-Site: same-origin']
    expect((await sendRaw(server.port, rawOf(resetLine, lines))).status).toBe(204)
  })

  it.each([
    { type: 'application/x-www-form-urlencoded', body: '{"only":["pets"]}=' },
    { type: 'application/x-www-form-urlencoded', body: '' },
    { type: 'text/plain', body: '{"only":["pets"]}' },
    { type: 'text/plain;charset=application/json', body: '{}' },
    { type: 'multipart/form-data; boundary=x', body: '--x--' },
  ])(
    'rejects a form of type $type with "$body", even without an Origin',
    async ({ type, body }) => {
      const server = await guardedServer()
      for (const path of ['/reset', '/faults', '/state/save', '/sandboxes']) {
        const lines = [`Host: 127.0.0.1:${server.port}`, `Content-Type: ${type}`]
        const empty = body === '' ? ['Content-Length: 0'] : []
        const request = rawOf(`POST /_sandbox${path} HTTP/1.1`, [...lines, ...empty], body)
        expect((await rejected(server, request)).status).toBe(400)
      }
    },
  )

  it.each([
    { site: 'cross-site', mode: 'no-cors' },
    { site: 'cross-site', mode: 'cors' },
    { site: 'same-site', mode: 'no-cors' },
    { site: 'same-site', mode: 'cors' },
  ])('rejects what a $site page loads with $mode', async ({ site, mode }) => {
    const server = await guardedServer()
    const lines = [
      `Host: 127.0.0.1:${server.port}`,
      `Sec-Fetch-Site: ${site}`,
      `Sec-Fetch-Mode: ${mode}`,
    ]
    expectForbidden(await rejected(server, rawOf('GET /_sandbox/snapshot HTTP/1.1', lines)))
    expectForbidden(await rejected(server, rawOf(resetLine, lines)))
  })

  it('leads to the console who follows a link from elsewhere, or types its address', async () => {
    const server = await guardedServer()
    for (const site of ['cross-site', 'none', 'same-origin']) {
      const lines = [`Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: navigate', 'Accept: text/html']
      const head = rawOf('GET /_sandbox HTTP/1.1', [`Host: 127.0.0.1:${server.port}`, ...lines])
      const reply = await sendRaw(server.port, head)
      expect([reply.status, reply.headers.location]).toEqual([302, '/_sandbox/ui/'])
    }
  })

  it.each([
    'POST http://evil.test/_sandbox/reset HTTP/1.1',
    'POST http://127.0.0.1@evil.test/_sandbox/reset HTTP/1.1',
    'POST http:///_sandbox/reset HTTP/1.1',
    'POST ftp://127.0.0.1/_sandbox/reset HTTP/1.1',
    'POST //_sandbox/reset HTTP/1.1',
    'POST /%5fsandbox/reset HTTP/1.1',
    'POST /_SANDBOX/reset HTTP/1.1',
    'POST /v1/../_sandbox/reset HTTP/1.1',
    'POST /sandboxes/mine/v1/../_sandbox/reset HTTP/1.1',
    'POST /sandboxes//_sandbox/reset HTTP/1.1',
  ])('is not to be had at %s', async (requestLine) => {
    const server = await guardedServer()
    for (const host of ['127.0.0.1', 'evil.test']) {
      const reply = await sendRaw(server.port, rawOf(requestLine, [`Host: ${host}`]))
      expect(reply.status).toBeGreaterThanOrEqual(400)
      const sizes = [
        await server.sandbox.pets.size,
        await server.pool.getOrCreate('mine').pets.size,
      ]
      expect(sizes).toEqual([0, 0])
    }
  })

  it('lets in who sends a whole URL, as to a proxy, if its host and Host are both allowed', async () => {
    const server = await guardedServer()
    const line = `POST http://127.0.0.1:${server.port}/_sandbox/reset HTTP/1.1`
    expectForbidden(await rejected(server, rawOf(line, ['Host: evil.test'])))
    expect((await sendRaw(server.port, rawOf(line, ['Host: localhost']))).status).toBe(204)
    expect(await server.sandbox.pets.size).toBe(30)
    const named = 'POST HTTP://LOCALHOST/sandboxes/mine/_sandbox/reset HTTP/1.1'
    expect((await sendRaw(server.port, rawOf(named, ['Host: localhost']))).status).toBe(204)
    expect(await server.pool.getOrCreate('mine').pets.size).toBe(30)
  })

  it('rejects who has no access before anything of a body is read', async () => {
    const server = await guardedServer()
    const lines = ['Host: evil.test', jsonType, 'Content-Length: 33554432']
    const clients = await Promise.all(Array.from({ length: 20 }, () => connectRaw(server.port)))
    for (const client of clients) {
      await client.send(rawOf('PUT /_sandbox/snapshot HTTP/1.1', lines))
      expectForbidden(await client.reply())
    }
    // What is sent on all the same is read past, and the connection serves on.
    const [first] = clients
    await first?.send(Buffer.alloc(33_554_432, ' '), rawOf(resetLine, ['Host: localhost']))
    expect(await first?.reply()).toMatchObject({ status: 204 })
  })

  it('rejects who has no access at each of its routes, of the default sandbox and a named one', async () => {
    const server = await guardedServer({ save: () => expect.fail('the state is saved') })
    const host = `Host: 127.0.0.1:${server.port}`
    const paths = [
      ...controlRows.map(({ method, path }) => ({ method, path })),
      { method: 'GET', path: '/events' },
      { method: 'GET', path: '/control.openapi.json' },
      { method: 'GET', path: '' },
      { method: 'PUT', path: '/snapshot' },
      { method: 'OPTIONS', path: '/reset' },
      { method: 'GET', path: '/nothing' },
    ]
    for (const prefix of ['', '/sandboxes/mine', '/sandboxes/none']) {
      const client = await connectRaw(server.port)
      const before = await allOf(server)
      for (const { method, path } of paths) {
        const line = `${method} ${prefix}/_sandbox${path} HTTP/1.1`
        for (const lines of [['Host: evil.test'], [host, 'Origin: http://evil.test']]) {
          await client.send(rawOf(line, lines))
          expectForbidden(await client.reply())
        }
      }
      expect(await allOf(server)).toEqual(before)
    }
  })

  it('gives no page leave by a preflight', async () => {
    const server = await guardedServer()
    const lines = [
      `Host: 127.0.0.1:${server.port}`,
      'Origin: http://evil.test',
      'Access-Control-Request-Method: PATCH',
      'Access-Control-Request-Headers: content-type',
    ]
    const reply = await rejected(server, rawOf('OPTIONS /_sandbox/clock HTTP/1.1', lines))
    expectForbidden(reply)
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-'))).toEqual([])
  })

  it('leaves the API open to pages of any origin and host', async () => {
    const server = await guardedServer()
    const lines = [
      'Host: evil.test',
      'Origin: http://evil.test',
      'Sec-Fetch-Site: cross-site',
      'Authorization: Bearer free-key',
    ]
    const reply = await sendRaw(server.port, rawOf('GET /v1/pets HTTP/1.1', lines))
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, '*'])
  })
})

describe('a server that listens on more than the loopback', () => {
  it('lets nobody control it without the token that it makes up', async () => {
    const server = await guardedServer({ host: '0.0.0.0' })
    const token = server.controlToken ?? ''
    expect(token).toMatch(/^[\w-]{36}$/)
    for (const authorization of [
      [],
      ['Authorization: Bearer '],
      ['Authorization: Bearer free-key'],
      [`Authorization: Bearer ${token.slice(0, -1)}`],
      [`Authorization: Bearer ${token}x`],
      [`Authorization: Bearer ${token.toUpperCase()}`],
      [`Authorization: Basic ${token}`],
      [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`],
      [`X-Control-Token: ${token}`],
      [`Cookie: token=${token}`],
    ]) {
      for (const host of ['127.0.0.1', 'localhost', '0.0.0.0']) {
        const lines = [`Host: ${host}:${server.port}`, ...authorization]
        expectForbidden(await rejected(server, rawOf(resetLine, lines)))
      }
    }
    const inQuery = `POST /_sandbox/reset?token=${token} HTTP/1.1`
    expectForbidden(await rejected(server, rawOf(inQuery, ['Host: 127.0.0.1'])))
  })

  it('lets in who has it, by the address it listens on or the loopback, in any spelling of Bearer', async () => {
    const server = await guardedServer({ host: '0.0.0.0' })
    for (const host of [`127.0.0.1:${server.port}`, `0.0.0.0:${server.port}`]) {
      for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
        await server.sandbox.pets.clear()
        const lines = [`Host: ${host}`, `Authorization: ${scheme} ${server.controlToken}`]
        expect((await sendRaw(server.port, rawOf(resetLine, lines))).status).toBe(204)
        expect(await server.sandbox.pets.size).toBe(30)
      }
    }
  })

  it('rejects a foreign page or name even with the token', async () => {
    const server = await guardedServer({ host: '0.0.0.0' })
    const authorization = `Authorization: Bearer ${server.controlToken}`
    for (const lines of [
      ['Host: evil.test'],
      ['Host: 127.0.0.1', 'Origin: http://evil.test'],
      ['Host: 127.0.0.1', 'Sec-Fetch-Site: cross-site'],
    ]) {
      expectForbidden(await rejected(server, rawOf(resetLine, [...lines, authorization])))
    }
  })

  it('says no token in what it rejects', async () => {
    const server = await guardedServer({ host: '0.0.0.0' })
    const reply = await rejected(server, rawOf(resetLine, ['Host: 127.0.0.1']))
    expect(JSON.stringify(reply)).not.toContain(server.controlToken)
  })
})

describe('a server with a control token of its own', () => {
  it('asks for it on the loopback, too', async () => {
    const server = await guardedServer({ controlToken: 'my token, and more' })
    const host = `Host: 127.0.0.1:${server.port}`
    expectForbidden(await rejected(server, rawOf(resetLine, [host])))
    const lines = [host, 'Authorization: Bearer my token, and more']
    expect((await sendRaw(server.port, rawOf(resetLine, lines))).status).toBe(204)
  })
})

describe('a server with allowed hosts', () => {
  it('lets those names in, with any port and in any letter case, and no others', async () => {
    const server = await guardedServer({ allowedHosts: ['Petstore.test', '[2001:db8::1]'] })
    for (const host of ['petstore.test', 'PETSTORE.TEST:80', '[2001:db8::1]:8080', 'localhost']) {
      expect((await sendRaw(server.port, rawOf(resetLine, [`Host: ${host}`]))).status).toBe(204)
    }
    for (const host of ['petstore.test.evil.test', 'a.petstore.test', 'petstore.test.', '*']) {
      expectForbidden(await rejected(server, rawOf(resetLine, [`Host: ${host}`])))
    }
  })
})
