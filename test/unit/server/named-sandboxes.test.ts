import { describe, expect, it } from 'vitest'
import type { SandboxPoolOptions } from '../../../src/sandbox/sandbox-pool.ts'
import { frozenSandbox, startAt } from '../../kit/frozen-sandbox.ts'
import { connectRaw, sendRaw } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'
import { stateOf } from '../../kit/state-of.ts'
import { testServer } from '../../kit/test-server.ts'

const bearer = { Authorization: 'Bearer free-key' }
const frozen = { mode: 'frozen', now: startAt } as const

/** Serves a default sandbox and a pool. */
function poolServer(options: SandboxPoolOptions = {}) {
  const pool = { defaults: { clock: frozen }, ...options }
  return testServer({ sandbox: frozenSandbox(), pool })
}

/** Sends a control request with JSON, and reads what comes back. */
async function control(url: string, method: string, path: string, body?: unknown) {
  const reply = await fetch(`${url}/_sandbox${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
}

describe('POST /_sandbox/sandboxes', () => {
  it('makes a sandbox, and says where its API and its controls are', async () => {
    const { url } = await poolServer()
    const made = await control(url, 'POST', '/sandboxes', {
      name: 'mine',
      seed: { pets: [{ id: '9223372036854775807', name: 'Rex', categoryId: 1 }] },
      gaps: { errorCodes: 'UPPER_CASE' },
      clock: { now: '2030-12-05', mode: 'frozen' },
    })
    expect(made).toEqual({
      status: 201,
      body: {
        name: 'mine',
        baseUrl: `${url}/sandboxes/mine/v1`,
        controlUrl: `${url}/sandboxes/mine/_sandbox`,
      },
    })
    const reply = await fetch(`${made.body.baseUrl}/pets`, { headers: bearer })
    expect(await reply.text()).toBe('[{"id":9223372036854775807,"name":"Rex","categoryId":1}]')
    expect(reply.headers.get('date')).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    const clock = await (await fetch(`${made.body.controlUrl}/clock`)).json()
    expect(clock).toEqual({ now: '2030-12-05T00:00:00Z', mode: 'frozen', speed: 1 })
  })

  it.each([
    { body: { name: 'taken' }, message: /it exists already; delete it first/ },
    { body: { name: '../x' }, message: /use 1 to 63 letters/ },
    {
      body: { name: 'x', seed: { keys: [{ key: '' }] } },
      message: /^Cannot set sandbox.seed.keys\[0\].key: found ""; /,
    },
  ])('rejects $body, and makes none', async ({ body, message }) => {
    const { url, pool } = await poolServer()
    await pool.create({ name: 'taken' })
    const rejected = await control(url, 'POST', '/sandboxes', body)
    expect(rejected).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) },
    })
    expect(await pool.names()).toEqual(['taken'])
  })
})

describe('DELETE /_sandbox/sandboxes/{name}', () => {
  it('deletes a sandbox with its API and its controls, and no other', async () => {
    const { url, pool } = await poolServer()
    await pool.create({ name: 'a' })
    await pool.create({ name: 'b' })
    expect(await control(url, 'DELETE', '/sandboxes/a')).toEqual({ status: 204, body: undefined })
    expect((await fetch(`${url}/sandboxes/a/v1/pets`, { headers: bearer })).status).toBe(404)
    expect((await control(`${url}/sandboxes/a`, 'GET', '/clock')).status).toBe(404)
    expect((await fetch(`${url}/sandboxes/b/v1/pets`, { headers: bearer })).status).toBe(200)
    expect((await fetch(`${url}/v1/pets`, { headers: bearer })).status).toBe(200)
    expect((await control(url, 'DELETE', '/sandboxes/a')).status).toBe(404)
  })
})

describe('the API of a named sandbox', () => {
  it('has requests in order in a sandbox that is made anew while a body comes in', async () => {
    const { port, pool, url } = await poolServer()
    await pool.create({ name: 'mine' })
    for (let sent = 0; sent < 3; sent++) await fetch(`${url}/sandboxes/mine/v1/pets`)
    const body = '{"name":"Rex","categoryId":1}'
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const client = await connectRaw(port)
    const head = rawHead({ method: 'POST', target: '/sandboxes/mine/v1/pets', lines })
    await client.send(rawHead() + head + body.slice(0, -1))
    // By then the second has begun, too.
    expect((await client.reply()).status).toBe(200)
    await pool.delete('mine')
    await pool.create({ name: 'mine' })
    await client.send(body.slice(-1))
    expect((await client.reply()).status).toBe(201)
    await fetch(`${url}/sandboxes/mine/v1/pets`)
    const { body: found } = await control(`${url}/sandboxes/mine`, 'GET', '/requests')
    expect(found).toMatchObject([{ adapter: 'server' }, { adapter: 'server' }])
    expect(found[0].sequence.end).toBeLessThan(found[1].sequence.start)
  })

  it('is the same as that of the default one, but for where its links lead', async () => {
    const { url, pool } = await poolServer()
    await pool.create({ name: 'mine' })
    for (const path of ['/pets?limit=2', '/pets/1', '/pets/99', '/nothing', '/store/orders', '']) {
      const [own, named] = await Promise.all(
        [`${url}/v1`, `${url}/sandboxes/mine/v1`].map((base) =>
          fetch(`${base}${path}`, { headers: bearer }),
        ),
      )
      const headersOf = (reply: Response | undefined) => {
        const { link, 'keep-alive': _, ...headers } = Object.fromEntries(reply?.headers ?? [])
        return { status: reply?.status, link, headers }
      }
      const [one, other] = [headersOf(own), headersOf(named)]
      expect(await named?.text()).toBe(await own?.text())
      expect(other.link).toBe(one.link?.replace('</v1', '</sandboxes/mine/v1'))
      expect({ ...other, link: '' }).toEqual({ ...one, link: '' })
    }
  })
})

describe('the controls of a named sandbox', () => {
  it.each([
    { what: 'is deleted', isMadeAnew: false, status: 404, pets: [] },
    { what: 'is made anew', isMadeAnew: true, status: 201, pets: ['Rex'] },
  ])('are carried out in the one that there is once their body has come: it $what', async (row) => {
    const { port, pool, url } = await poolServer()
    const settings = { name: 'mine', seed: { pets: [] } }
    await pool.create(settings)
    const body = '[{"name":"Rex","categoryId":1}]'
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const target = '/sandboxes/mine/_sandbox/pets'
    const client = await connectRaw(port)
    const own = { target, host: 'localhost', key: null }
    const head = rawHead({ method: 'POST', ...own, lines })
    await client.send(rawHead(own) + head + body.slice(0, -1))
    // By then the second has begun, too.
    expect((await client.reply()).status).toBe(200)
    await pool.delete('mine')
    if (row.isMadeAnew) await pool.create(settings)
    await client.send(body.slice(-1))
    expect((await client.reply()).status).toBe(row.status)
    const { body: found } = await control(`${url}/sandboxes/mine`, 'GET', '/pets')
    expect(Array.isArray(found) ? found.map(({ name }) => name) : []).toEqual(row.pets)
  })

  it('change it alone, and list only what it has', async () => {
    const { url, pool, sandbox } = await poolServer()
    await pool.create({ name: 'mine' })
    const named = pool.getOrCreate('mine')
    const before = stateOf(sandbox)
    const base = `${url}/sandboxes/mine`
    expect((await control(base, 'PATCH', '/clock', { advance: '1h' })).status).toBe(200)
    expect((await control(base, 'DELETE', '/pets')).status).toBe(204)
    expect((await control(base, 'POST', '/keys', { key: 'k', plan: 'pro' })).status).toBe(201)
    expect([await named.clock.now(), await named.pets.size]).toEqual([startAt + 3_600_000, 0])
    expect(stateOf(sandbox)).toEqual(before)
    const { body } = await control(base, 'GET', '')
    const urls: string[] = body.controls.map((one: { url: string }) => one.url)
    expect(body.api).toBe(`${base}/v1`)
    expect(urls.every((one) => one.startsWith(`${base}/_sandbox`))).toBe(true)
    expect(urls.filter((one) => /\/(?:sandboxes|save)$/.test(one))).toEqual([])
    expect((await control(base, 'GET', '/sandboxes')).status).toBe(404)
    expect((await control(base, 'POST', '/state/save')).status).toBe(404)
  })
})

describe('a sandbox that there is not', () => {
  it.each([
    { target: '/sandboxes/none/v1/pets', name: '"none"' },
    { target: '/sandboxes/%2e%2e/v1/pets', name: '"%2e%2e"' },
    { target: '/sandboxes/__proto__/_sandbox/reset', name: '"__proto__"' },
    { target: '/sandboxes/none/_sandbox', name: '"none"' },
    { target: '/sandboxes/none', name: '"none"' },
    { target: `/sandboxes/${'x'.repeat(64)}/v1/pets`, name: `"${'x'.repeat(56)}...` },
  ])('answers $target with 404 and an Error body', async ({ target, name }) => {
    const { port, pool, sandbox } = await poolServer()
    const before = stateOf(sandbox)
    const reply = await sendRaw(port, rawHead({ target, host: '127.0.0.1' }))
    expect(reply.status).toBe(404)
    // Only a control's has more than the interface shows.
    const more = target.includes('/_sandbox') ? { path: [], reason: 'not-found' } : {}
    expect(JSON.parse(reply.body)).toEqual({
      code: 'not_found',
      message: `Cannot find sandbox ${name}: no such sandbox; create it with POST /_sandbox/sandboxes, or start the server with --auto-create`,
      status: 404,
      ...more,
    })
    expect(await pool.names()).toEqual([])
    expect(stateOf(sandbox)).toEqual(before)
  })

  it.each([
    { what: 'a key', name: 'business-key', shown: '"busi…"', lines: [] },
    {
      what: 'an unknown key that is sent as well',
      name: 'someones-key',
      shown: '"some…"',
      lines: ['Authorization: Bearer someones-key'],
    },
    { what: 'the control token', name: 'my-own-token', shown: '"my-o…"', lines: [] },
  ])('hides $what that stands where its name belongs', async ({ name, shown, lines }) => {
    const { port } = await testServer({ controlToken: 'my-own-token' })
    const target = `/sandboxes/${name}/v1/pets`
    const reply = await sendRaw(port, rawHead({ target, key: null, lines }))
    expect(reply.status).toBe(404)
    expect(JSON.parse(reply.body).message).toContain(`Cannot find sandbox ${shown}: `)
  })

  it.each(['/sandboxes//v1/pets', '/sandboxes/', '/sandboxes', '//sandboxes/mine/v1/pets'])(
    'is no sandbox at all at %s, but an unknown path of the API',
    async (target) => {
      const { port, pool } = await poolServer({ autoCreate: true })
      const reply = await sendRaw(port, rawHead({ target, host: '127.0.0.1' }))
      expect(reply.status).toBe(404)
      expect(reply.headers['x-ratelimit-limit']).toBe('1000')
      expect(await pool.names()).toEqual([])
    },
  )
})

describe('a server that makes sandboxes on first use', () => {
  it('serves a new one for every new name, and each again', async () => {
    const { url, pool } = await poolServer({ autoCreate: true })
    for (const name of ['a', 'b', 'a']) {
      expect((await fetch(`${url}/sandboxes/${name}/v1/pets`, { headers: bearer })).status).toBe(
        200,
      )
    }
    expect((await control(`${url}/sandboxes/c`, 'GET', '/clock')).status).toBe(200)
    expect(await pool.names()).toEqual(['a', 'b', 'c'])
    expect(await pool.getOrCreate('a').requests.list()).toHaveLength(2)
  })

  it.each([
    { target: '/sandboxes/%2e%2e/v1/pets' },
    { target: '/sandboxes/a%20b/v1/pets' },
    { target: `/sandboxes/${'x'.repeat(64)}/v1/pets` },
    { target: '/sandboxes/-a/_sandbox/clock' },
  ])('makes none for $target', async ({ target }) => {
    const { port, pool } = await poolServer({ autoCreate: true })
    const reply = await sendRaw(port, rawHead({ target, host: '127.0.0.1' }))
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body).message).toMatch(/use 1 to 63 letters/)
    expect(await pool.names()).toEqual([])
  })

  it('makes none for who has no access to the controls', async () => {
    const { port, pool } = await poolServer({ autoCreate: true })
    const head = rawHead({ target: '/sandboxes/evil/_sandbox/clock', host: 'evil.test' })
    expect((await sendRaw(port, head)).status).toBe(403)
    expect(await pool.names()).toEqual([])
  })
})
