import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { connectRaw, sendRaw } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'

const page = '<!doctype html><title>Pets</title>'
const asHtml = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Makes a built frontend, and beside it what must not be read. */
function frontend(): string {
  const parent = mkdtempSync(join(tmpdir(), 'petstore-sandbox-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, 'dist')
  for (const path of ['assets', '.git', 'v1', 'about us']) {
    mkdirSync(join(folder, path), { recursive: true })
  }
  const files = {
    '../secret.txt': 'secret',
    'index.html': page,
    'assets/app.3f2a.js': 'export {}',
    'assets/app.css': 'a{}',
    'assets/icon.svg': '<svg/>',
    'assets/data.wasm': '\0asm',
    '.env': 'SECRET=1',
    '.git/config': 'secret',
    'v1/pets': 'not the API',
    'about us/index.html': '<title>About</title>',
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return folder
}

function frontendServer(): Promise<RunningServer> {
  return testServer({ staticFolder: frontend() })
}

describe('startServer() with a static folder', () => {
  it.each([
    { path: '/', type: 'text/html; charset=utf-8', text: page },
    { path: '/index.html', type: 'text/html; charset=utf-8', text: page },
    { path: '/about%20us/', type: 'text/html; charset=utf-8', text: '<title>About</title>' },
    { path: '/assets/app.3f2a.js', type: 'text/javascript; charset=utf-8', text: 'export {}' },
    { path: '/assets/app.css?v=1', type: 'text/css; charset=utf-8', text: 'a{}' },
    { path: '/assets/data.wasm', type: 'application/wasm', text: '\0asm' },
  ])('serves $path as $type', async ({ path, type, text }) => {
    const { url } = await frontendServer()
    const reply = await fetch(`${url}${path}`)
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      200,
      type,
      text,
    ])
    expect(reply.headers.get('date')).toMatch(/GMT$/)
    expect(reply.headers.has('x-powered-by')).toBe(false)
  })

  it.each(['/pets', '/pets/7', '/pets/7/edit?tab=1', '/v1x', '/sandboxesx', '/a%20b', '/assets/'])(
    "gives index.html for the client's route %s",
    async (path) => {
      const { url } = await frontendServer()
      const reply = await fetch(`${url}${path}`, { headers: asHtml })
      expect([reply.status, await reply.text()]).toEqual([200, page])
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(reply.headers.get('vary')).toContain('Accept')
    },
  )

  it.each([
    { path: '/assets/missing.js', headers: asHtml },
    { path: '/favicon.ico', headers: asHtml },
    { path: '/pets', headers: {} },
    { path: '/pets', headers: { Accept: 'application/json' } },
    { path: '/.env', headers: asHtml },
    { path: '/.git/config', headers: asHtml },
    { path: '/%2eenv', headers: {} },
    { path: '/a/.b/c', headers: asHtml },
  ])('has no $path for $headers, which is no request of the API', async ({ path, headers }) => {
    const { url, sandbox } = await frontendServer()
    const reply = await fetch(`${url}${path}`, { headers })
    expect([reply.status, await reply.json()]).toEqual([
      404,
      { code: 'not_found', message: expect.stringMatching(/^Cannot find the file: /), status: 404 },
    ])
    expect(await sandbox.requests.last()).toBeUndefined()
  })

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '//secret.txt',
    '/%zz',
  ])('gives nothing beside the folder for %s', async (target) => {
    const { port } = await frontendServer()
    for (const lines of [[], [`Accept: ${asHtml.Accept}`]]) {
      const reply = await sendRaw(port, rawHead({ target, lines }))
      expect([200, 404]).toContain(reply.status)
      expect(reply.body).not.toContain('secret')
    }
  })

  it('handles HEAD as GET, without the body', async () => {
    const { port } = await frontendServer()
    const client = await connectRaw(port)
    for (const target of ['/', '/assets/app.css', '/missing.js']) {
      await client.send(rawHead({ target }))
      const { status, headers } = await client.reply()
      await client.send(rawHead({ target, method: 'HEAD' }))
      const head = await client.reply('headOnly')
      expect([head.status, head.headers['content-length'], head.body]).toEqual([
        status,
        headers['content-length'],
        '',
      ])
    }
  })

  it('never stands before the API, control and named sandboxes', async () => {
    const { url, port } = await frontendServer()
    await expectServing({ url })
    expect((await fetch(`${url}/v1/pets`, { headers: asHtml })).status).toBe(401)
    const headers = { Accept: asHtml.Accept }
    expect(await (await fetch(`${url}/_sandbox`, { headers })).text()).toContain('petstore-sandbox')
    expect((await fetch(`${url}/_sandbox/health`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/_sandbox/nothing`, { headers })).status).toBe(404)
    expect((await fetch(`${url}/sandboxes/none/v1/pets`, { headers })).status).toBe(404)
    for (const [method, target, status] of [
      ['POST', '/', 404],
      ['DELETE', '/index.html', 404],
      ['GET', '/v1', 404],
      ['GET', '/sandboxes', 404],
      ['GET', 'http://store.example/v1/pets', 200],
      ['GET', 'http://store.example/index.html', 200],
    ] as const) {
      expect((await sendRaw(port, rawHead({ method, target }))).status).toBe(status)
    }
  })

  it('follows no path out of the API by its redirects', async () => {
    const { port } = await frontendServer()
    const reply = await sendRaw(port, rawHead({ target: '//evil.test/..%2f..%2fassets' }))
    expect(reply.headers.location ?? '/').toMatch(/^\/(?!\/)/)
  })

  it('gives the API 404 for pages, as long as there is no index.html', async () => {
    const folder = join(frontend(), 'assets')
    const { url } = await testServer({ staticFolder: folder })
    const reply = await fetch(`${url}/pets`, { headers: asHtml })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'application/json'])
    writeFileSync(join(folder, 'index.html'), page)
    expect(await (await fetch(`${url}/pets`, { headers: asHtml })).text()).toBe(page)
  })
})
