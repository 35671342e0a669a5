import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'
import { testServer } from '../../kit/test-server.ts'

// What is served is what is built.
expectFreshBuild()

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const token = 'secret-token'

function get({ url }: RunningServer, path: string, headers = {}): Promise<Response> {
  return fetch(url + path, { headers, redirect: 'manual' })
}

describe('the console', () => {
  it.each([
    { path: '/_sandbox/ui/', type: 'text/html; charset=utf-8', has: 'console.js' },
    { path: '/_sandbox/ui/?sandbox=mine', type: 'text/html; charset=utf-8', has: 'console.js' },
    { path: '/_sandbox/ui/console.js', type: 'text/javascript; charset=utf-8', has: 'Requests' },
    { path: '/_sandbox/ui/calibrate.js', type: 'text/javascript; charset=utf-8', has: 'HAR file' },
    { path: '/_sandbox/ui/console.css', type: 'text/css; charset=utf-8', has: '--accent' },
    { path: '/_sandbox/ui/console.html', type: 'text/html; charset=utf-8', has: '>Requests</h2>' },
    { path: '/_sandbox/ui/api.html', type: 'text/html; charset=utf-8', has: 'id="clause-8"' },
  ])('is served at $path under its policy, to who has no token too', async (row) => {
    const server = await testServer({ controlToken: token })
    const reply = await get(server, row.path)
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': row.type,
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    const text = await reply.text()
    expect(text).toContain(row.has)
    expect(text).not.toContain(token)
  })

  it('is where a browser starts that opens the address of the server (S13)', async () => {
    const server = await testServer({ controlToken: token })
    const { status, headers } = await get(server, '/', asBrowser)
    expect({ status, vary: headers.get('vary') }).toEqual({ status: 302, vary: 'Accept' })
    const start = await get(server, String(headers.get('location')), asBrowser)
    expect(start.headers.get('content-security-policy')).toContain("default-src 'none'")
    const page = await start.text()
    expect(page).toContain(`The API is at <code>${server.url}/v1</code>`)
    const links = [...page.matchAll(/href="([^"#,]+)[#"]/g)].flatMap(([, href]) => href ?? [])
    expect(links).toContain('playground.html')
    for (const link of links) {
      expect([link, (await get(server, `/_sandbox/ui/${link}`)).status]).toEqual([link, 200])
    }
    expect(server.sandbox.requests.list()).toEqual([])
  })

  it.each([
    { path: '/', headers: {}, status: 401 },
    { path: '/', headers: { ...asBrowser, authorization: 'Bearer free-key' }, status: 404 },
    { path: '/pets', headers: asBrowser, status: 401 },
  ])('sends a client of the API nowhere else: $path, $headers', async (row) => {
    const reply = await get(await testServer(), row.path, row.headers)
    expect(await reply.json()).toMatchObject({ status: row.status })
  })

  it('serves every script and style that its build made, and no other file', async () => {
    const server = await testServer()
    const built = globSync('*.{js,css}', { cwd: 'dist/console' })
    expect(built.length).toBeGreaterThan(2)
    const others = ['nothing.js', 'THIRD-PARTY.md', '../cli.js', '%2e%2e/cli.js', 'a/console.js']
    for (const file of [...built, ...others]) {
      const { status } = await get(server, `/_sandbox/ui/${file}`)
      expect([file, status]).toEqual([file, built.includes(file) ? 200 : 404])
    }
  })

  it('has nothing inline that its policy would reject', async () => {
    const page = await (await get(await testServer(), '/_sandbox/ui/')).text()
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/)
    expect(page).toMatch(/<noscript>[\s\S]*href="\.\.\/controls"/)
  })

  it.each([
    { path: '/_sandbox', to: '/_sandbox/ui/' },
    { path: '/_sandbox/ui', to: '/_sandbox/ui/' },
    { path: '/_sandbox/ui?sandbox=mine', to: '/_sandbox/ui/?sandbox=mine' },
    { path: '/sandboxes/mine/_sandbox', to: '/_sandbox/ui/?sandbox=mine' },
    { path: '/sandboxes/mine/_sandbox/ui/', to: '/_sandbox/ui/?sandbox=mine' },
  ])('is where a browser gets to from $path', async ({ path, to }) => {
    const server = await testServer({ controlToken: token })
    const reply = await get(server, path, asBrowser)
    expect([reply.status, reply.headers.get('location')]).toEqual([302, to])
    expect(await server.pool.names()).toEqual([])
  })

  it('leaves the index to programs, and the list of controls to who runs no scripts', async () => {
    const server = await testServer()
    const index = await get(server, '/_sandbox', { accept: '*/*' })
    expect(index.headers.get('content-type')).toBe('application/json')
    const controls = await get(server, '/_sandbox/controls')
    expect(controls.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await controls.text()).toContain('/_sandbox/requests.har')
  })

  it('keeps the list of controls for who has the token', async () => {
    const server = await testServer({ controlToken: token })
    expect((await get(server, '/_sandbox/controls')).status).toBe(403)
    const headers = { authorization: `Bearer ${token}` }
    expect((await get(server, '/_sandbox/controls', headers)).status).toBe(200)
  })

  it.each([
    '/_sandbox/ui/index.html',
    '/_sandbox/ui/..%2f..%2fpackage.json',
    '/_sandbox/ui/THIRD-PARTY.md',
    '/_sandbox/ui/constructor',
    '/_sandbox/ui//console.js',
  ])('has no other file: %s', async (path) => {
    const reply = await get(await testServer(), path)
    expect(reply.status).toBe(404)
    expect(await reply.json()).toMatchObject({ code: 'not_found', status: 404 })
  })
})
