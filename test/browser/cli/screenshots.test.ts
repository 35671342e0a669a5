import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findBrowser } from '../../../scripts/browsers.ts'
import { takeScreenshots } from '../../../src/cli/screenshots/take-screenshots.ts'
import { Cli, runCli, testFolder } from '../../kit/cli-process.ts'
import { listen } from '../../kit/listen.ts'
import { testServer } from '../../kit/test-server.ts'

process.env.CHROMIUM_PATH ??= findBrowser('chromium')

/** A page that shows the names of pets, and has four flaws. */
const page = `<!doctype html><title>Shop</title><p id="shown" class="spinner">…</p><script>
  const shown = document.getElementById('shown')
  const { api, key = 'free-key', retry, worker } = Object.fromEntries(new URLSearchParams(location.search))
  const headers = key === '' ? {} : { authorization: 'Bearer ' + key }
  const list = () => fetch(api + '/pets', { headers })
  const start = async () => {
    if (!worker) return
    await navigator.serviceWorker.register('/sw.js')
    const { active } = await navigator.serviceWorker.ready
    while (active.state !== 'activated') await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const later = (response) => new Promise((resolve) => setTimeout(resolve, 900, response))
  start()
    .then(list)
    .then((response) => (retry && response.status === 503 ? later().then(list) : response))
    .then(async (response) => {
      shown.className = ''
      if (response.status === 429) shown.textContent = ''
      else if (response.status === 503) {
        shown.textContent = 'Down'
        render(undefinedPets)
      }
      else if (response.ok) shown.textContent = (await response.json()).length + ' pets'
      else shown.textContent = (await response.json()).message
    })
    .catch((error) => {
      if (error instanceof ReferenceError) throw error
      shown.className = ''
      shown.textContent = 'Not there'
    })
</script>`

/** A service worker that responds itself. */
const mocks = `
  addEventListener('install', () => skipWaiting())
  addEventListener('activate', (event) => event.waitUntil(clients.claim()))
  addEventListener('fetch', (event) => {
    if (event.request.url.endsWith('/pets')) event.respondWith(new Response('[{}]'))
  })`

async function pageUrl(api: string, more = ''): Promise<string> {
  const { url } = await listen((request, response) => {
    const [type, text] = request.url === '/sw.js' ? ['javascript', mocks] : ['html', page]
    response.writeHead(200, { 'content-type': `text/${type}` }).end(text)
  })
  return `${url}/?api=${encodeURIComponent(api)}${more}`
}

const options = {
  apiUrl: undefined,
  sandbox: undefined,
  sizes: [{ width: 300, height: 200 }],
  dark: false,
  before: undefined,
  settleMs: 1_500,
}

const nothing = (): void => {}

describe('takeScreenshots()', () => {
  const names = [
    'empty',
    'down',
    'unreachable',
    'unreadable',
    'hanging',
    'banned',
    'key-expired',
  ] as const

  it('finds the flaws of a page whose API is anywhere, the same ones each time', async () => {
    const url = await pageUrl('https://api.example.com/shop/v1')
    const [to, again] = [testFolder(), testFolder()]
    const sheet = await takeScreenshots({ ...options, url, to, scenarios: names }, nothing)
    expect(sheet.apis).toEqual(['https://api.example.com/shop/v1'])
    expect(
      Object.fromEntries(
        sheet.states.map(({ name, flaws }) => [name, flaws.map(({ kind }) => kind)]),
      ),
    ).toEqual({
      'as it is': [],
      empty: [],
      down: ['uncaught-error'],
      banned: ['blank-page'],
      unreachable: ['looks-alike'],
      unreadable: ['looks-alike'],
      hanging: ['still-loading'],
      'key-expired': ['api-text'],
    })
    expect(sheet.states.find(({ name }) => name === 'empty')?.text).toBe('0 pets')
    expect(readdirSync(to)).toHaveLength(8)
    const second = await takeScreenshots({ ...options, url, to: again, scenarios: names }, nothing)
    expect(second.states.map(({ pictureHash }) => pictureHash)).toEqual(
      sheet.states.map(({ pictureHash }) => pictureHash),
    )
  })

  it('uses sandboxes of a running server, and leaves none behind', async () => {
    const server = await testServer()
    const url = await pageUrl('https://api.example.com/v1')
    const sheet = await takeScreenshots(
      { ...options, url, to: testFolder(), sandbox: server.url, scenarios: ['empty', 'banned'] },
      nothing,
    )
    const shown = Object.fromEntries(sheet.states.map(({ name, text }) => [name, text]))
    expect(shown).toEqual({ 'as it is': '20 pets', empty: '0 pets', banned: '' })
    expect(server.pool.names()).toEqual([])
  })

  it.each([
    {
      api: 'https://api.example.com/v1',
      key: 'psk_live_1',
      note: "The page's own API key counted",
    },
    { api: '/api/v1', key: '', note: 'The page sent no API key to its own server' },
  ])('knows the key of a page that sends "$key" to $api', async ({ api, key, note }) => {
    const url = await pageUrl(api, `&key=${key}`)
    const { states, notes } = await takeScreenshots(
      { ...options, url, to: testFolder(), scenarios: ['key-revoked'] },
      nothing,
    )
    const shown = Object.fromEntries(states.map(({ name, text }) => [name, text]))
    expect(shown['as it is']).toBe('20 pets')
    expect(shown['key-revoked']).toMatch(/^Cannot authenticate/)
    expect(notes.join()).toContain(note)
  })

  it("bypasses the mocks of the page's own service worker", async () => {
    const url = await pageUrl('/v1', '&worker=1')
    const { states, notes } = await takeScreenshots(
      { ...options, url, to: testFolder(), scenarios: ['empty'] },
      nothing,
    )
    const shown = Object.fromEntries(states.map(({ name, text }) => [name, text]))
    expect(shown).toEqual({ 'as it is': '20 pets', empty: '0 pets' })
    expect(notes).toEqual(["Requests bypassed the page's service worker."])
  })

  it('waits for the retries of a page that is loading', async () => {
    const url = await pageUrl('/v1', '&retry=1')
    const taken = { ...options, url, to: testFolder(), settleMs: 20_000 }
    const { states } = await takeScreenshots({ ...taken, scenarios: ['down'] }, nothing)
    const down = states.find(({ name }) => name === 'down')
    expect(down?.requests).toHaveLength(2)
    expect(down?.text).toBe('Down')
  })

  it('names the addresses of a page that sends nothing to the API', async () => {
    const url = await pageUrl('/other')
    const { apis, notes } = await takeScreenshots(
      { ...options, url, to: testFolder(), scenarios: [] },
      nothing,
    )
    expect(apis).toEqual([])
    expect(notes).toEqual([
      `The page sent no request to an address that ends in /v1/pets, but to ${new URL('/other/pets', url)}: name the API's base address with --api-url.`,
    ])
  })

  it('runs a module before each picture, in light and in dark', async () => {
    const url = await pageUrl('/v1')
    const [to, folder] = [testFolder(), testFolder()]
    const before = join(folder, 'before.mjs')
    writeFileSync(before, `export default (page) => page.evaluate("document.body.append('Added')")`)
    const sheet = await takeScreenshots(
      { ...options, url, to, before, dark: true, scenarios: ['empty'] },
      nothing,
    )
    expect(
      sheet.states.map(({ name, scheme, text }) => [name, scheme, text.replace(/\s+/g, ' ')]),
    ).toEqual([
      ['as it is', 'light', '20 pets Added'],
      ['empty', 'light', '0 pets Added'],
      ['as it is', 'dark', '20 pets Added'],
      ['empty', 'dark', '0 pets Added'],
    ])
  })

  it('is a command, which says what looks wrong and where the sheet is', async () => {
    const url = await pageUrl('/v1')
    const cwd = testFolder()
    const env = { CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? '' }
    symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(cwd, 'node_modules'))
    const args = [
      'screenshots',
      url,
      '--only',
      'down,empty',
      '--fail-on',
      'error',
      '--settle',
      '1s',
    ]
    const { code, stdout } = await runCli(args, { cwd, env })
    expect(code).toBe(4)
    expect(stdout).toMatch(/^3 pictures, 1 flaw\n {2}Down: Uncaught: render is not defined/)
    expect(stdout).toContain(`Open ${pathToFileURL(join(cwd, 'sheet/index.html')).href}\n`)
    expect(readFileSync(join(cwd, 'sheet/index.html'), 'utf8')).toContain('render is not defined')
    const bare = await runCli(['screenshots', url])
    expect(bare.code).toBe(1)
    expect(bare.stderr).toMatch(/Playwright isn't installed here; run npm install/)
  })

  it('ends with one line if a signal closes its browser', async () => {
    const cwd = testFolder()
    const env = { CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? '' }
    symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(cwd, 'node_modules'))
    const cli = new Cli(['screenshots', await pageUrl('/v1'), '--only', 'hanging'], { cwd, env })
    await cli.printed(/Hanging/, 'stderr')
    const { code, stderr } = await cli.stop('SIGTERM')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /Hanging\npetstore-sandbox: Cannot take pictures of \S+: its page or the browser was closed\n$/,
    )
  })

  it.each([
    { change: { url: 'http://127.0.0.1:9' }, message: /^Cannot open http:\/\/127\.0\.0\.1:9: / },
    { change: { before: 'none.mjs' }, message: /^Cannot read none\.mjs: / },
    { change: { to: import.meta.filename }, message: /^Cannot write to / },
    { change: { sandbox: 'http://127.0.0.1:9' }, message: /^Cannot reach http:\/\/127\.0\.0\.1:9/ },
  ])('ends with one line for $change', async ({ change, message }) => {
    const url = await pageUrl('/v1')
    const taken = takeScreenshots(
      { ...options, url, to: testFolder(), scenarios: [], ...change },
      nothing,
    )
    await expect(taken).rejects.toThrow(message)
  })
})
