import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../../../src/cli/serve/log.ts'
import type { SandboxOptions } from '../../../../src/mock/state/beginning.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../../../src/sandbox/sandbox-pool.ts'
import { serveCli } from '../../../kit/cli-process.ts'
import { sendRaw } from '../../../kit/raw-client.ts'
import { testServer } from '../../../kit/test-server.ts'

const headers = { Authorization: 'Bearer business-key', 'Content-Type': 'application/json' }

/** Serves in this process with a log; returns what it has written after so many requests. */
async function serveWithLog(
  format: 'json' | 'pretty',
  { controlToken, ...options }: SandboxOptions & { readonly controlToken?: string } = {},
) {
  let text = ''
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const site = { sandbox: createSandbox(options), pool: new SandboxPool() }
  const log = createLog(format, stdout, site)
  let count = 0
  const { url } = await testServer({
    ...site,
    ...(controlToken === undefined ? {} : { controlToken }),
    onRequest(served) {
      log.add(served)
      count++
    },
  })
  const logged = async (requests: number): Promise<string> => {
    await expect.poll(() => count).toBe(requests)
    log.flush()
    return text
  }
  const entriesOf = async (requests: number): Promise<Record<string, unknown>[]> =>
    (await logged(requests))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { url, logged, entriesOf }
}

describe('createLog()', () => {
  it('shows no key of a named sandbox whole, in its own time', async () => {
    const { url, entriesOf } = await serveWithLog('json')
    const json = { 'Content-Type': 'application/json' }
    const seed = { keys: [{ key: 'named-secret-key', plan: 'free' }] }
    const clock = { now: '2030-01-01', mode: 'frozen' }
    const body = JSON.stringify({ name: 'team', seed, clock })
    await fetch(`${url}/_sandbox/sandboxes`, { method: 'POST', headers: json, body })
    await fetch(`${url}/sandboxes/team/v1/pets/named-secret-key`)
    await fetch(`${url}/sandboxes/nobody/v1/pets`)
    const entries = await entriesOf(2)
    expect(entries).toMatchObject([
      { time: '2030-01-01T00:00:00Z', url: '/v1/pets/name…' },
      { status: 404 },
    ])
  })

  it('shows neither a key of another sandbox nor the control token whole', async () => {
    const { url, logged, entriesOf } = await serveWithLog('json', {
      controlToken: 'the-control-token',
    })
    const json = { 'Content-Type': 'application/json', Authorization: 'Bearer the-control-token' }
    const seed = { keys: [{ key: 'named-secret-key', plan: 'free' }] }
    const body = JSON.stringify({ name: 'team', seed })
    await fetch(`${url}/_sandbox/sandboxes`, { method: 'POST', headers: json, body })
    for (const path of [
      '/sandboxes/named-secret-key/v1/pets',
      '/sandboxes/the-control-token/v1/pets',
      '/sandboxes/team/v1/pets/business-key',
      '/v1/pets/the-control-token',
      '/v1/pets?limit=the-control-token',
      '/v1/pets?limit=%74he-control-token',
    ]) {
      await fetch(url + path, { headers: { Authorization: 'Bearer the-control-token' } })
    }
    const entries = await entriesOf(6)
    expect(entries.slice(0, 2).map(({ error }) => error)).toEqual([
      expect.stringContaining('Cannot find sandbox "name…"'),
      expect.stringContaining('Cannot find sandbox "the-…"'),
    ])
    expect(entries.slice(2).map((entry) => entry.url)).toEqual([
      '/v1/pets/busi…',
      '/v1/pets/the-…',
      '/v1/pets?limit=the-…',
      '/v1/pets?limit=the-…',
    ])
    expect(await logged(6)).not.toMatch(/named-secret-key|business-key|he-control-token/)
  })

  it('shows the values of known parameters alone', async () => {
    const { url, entriesOf } = await serveWithLog('json')
    const shown = {
      '/v1/pets?limit=2&status=sold': '/v1/pets?limit=2&status=sold',
      '/v1/pets?limit=2&session=abc': '/v1/pets?limit=2&session=…',
      '/v1/pets?session=abc&limit=2': '/v1/pets?session=…&limit=2',
      '/v1/pets?limit=2?session=abc': '/v1/pets?limit=2?session=abc',
      '/v1/pets?limit=2&limits=abc&limit': '/v1/pets?limit=2&limits=…&limit',
      '/v1/pets?': '/v1/pets?',
      '/v1/pets?a=b=c&=d': '/v1/pets?a=…&=…',
    }
    for (const path of Object.keys(shown)) await fetch(url + path, { headers })
    const entries = await entriesOf(Object.keys(shown).length)
    expect(entries.map((entry) => entry.url)).toEqual(Object.values(shown))
  })

  it('writes an object for each request: json', async () => {
    const clock = { now: '2026-01-01', mode: 'frozen' } as const
    const { url, entriesOf } = await serveWithLog('json', { clock })
    await fetch(`${url}/v1/pets?limit=2`, { headers })
    await fetch(`${url}/v1/pets`, { headers, method: 'POST', body: '{"name":"a"}' })
    await fetch(`${url}/v1/pets`)
    expect(await entriesOf(3)).toEqual([
      {
        time: '2026-01-01T00:00:00Z',
        method: 'GET',
        url: '/v1/pets?limit=2',
        key: 'busi…',
        status: 200,
        remaining: 999,
        durationMs: expect.any(Number),
      },
      expect.objectContaining({
        method: 'POST',
        status: 400,
        remaining: 998,
        error: expect.stringContaining('categoryId'),
      }),
      expect.objectContaining({ status: 401, error: expect.stringContaining('Authorization') }),
    ])
  })

  it.each(['json', 'pretty'] as const)(
    'escapes what would turn a line around: %s',
    async (format) => {
      const { url, logged, entriesOf } = await serveWithLog(format)
      const status = 'so\u202eld\u2066\u009b31m\u2028'
      const body = JSON.stringify({ name: 'Rex', categoryId: 1, status })
      await fetch(`${url}/v1/pets`, { method: 'POST', headers, body })
      const text = await logged(1)
      expect(text).toContain(String.raw`so\u202eld\u2066`)
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
      if (format === 'json') {
        const [entry] = await entriesOf(1)
        expect(entry?.error).toContain('so\u202eld')
      }
    },
  )

  it('writes a line for each request: pretty', async () => {
    const clock = { now: '2026-01-01T10:00:00Z', mode: 'frozen' } as const
    const { url, logged } = await serveWithLog('pretty', { clock })
    await fetch(`${url}/v1/pets?limit=2`, { headers })
    await fetch(`${url}/v1/none`, { headers })
    const text = await logged(2)
    expect(text).toMatch(
      /^10:00:00\.000 {2}200 {2}GET {3}\/v1\/pets\?limit=2 {2}busi… {2}999\/1000 left {2}\d+\.\d ms\n/,
    )
    expect(text).toMatch(/ {2}404 {2}GET {3}\/v1\/none {2}.* ms {2}Cannot find "\/v1\/none": /)
  })

  it('says once how to count requests without rejecting any', async () => {
    const { url, logged } = await serveWithLog('pretty')
    const exhausted = { headers: { authorization: 'Bearer day-exhausted-key' } }
    for (const limit of [1, 2, 99]) await fetch(`${url}/v1/pets?limit=${limit}`, exhausted)
    expect((await logged(3)).match(/start with --rate-limits report-only/g)).toHaveLength(1)
  })

  it('writes what could not be read, too', async () => {
    const { url, entriesOf } = await serveWithLog('json')
    await sendRaw(Number(new URL(url).port), 'NONSENSE\r\n\r\n')
    const [entry] = await entriesOf(1)
    expect(entry).toMatchObject({ status: 400, error: expect.stringContaining('not valid HTTP') })
  })

  it('prints no character that a terminal would obey', async () => {
    const { url, logged } = await serveWithLog('pretty')
    await fetch(`${url}/v1/pets?limit=%1b%5b31m%c2%9b31m%0a`, { headers })
    await fetch(`${url}/v1/%C2%9B`, { headers: { Authorization: 'Bearer \u009b31m' } })
    expect((await logged(2)).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('cuts long URLs', async () => {
    const { url, entriesOf } = await serveWithLog('json')
    await fetch(`${url}/v1/${'a'.repeat(5_000)}`, { headers })
    const [entry] = await entriesOf(1)
    expect(entry?.url).toHaveLength(300)
  })
})

describe('petstore-sandbox --log json', () => {
  it('prints where it listens first, and what it has gathered when it is told to stop', async () => {
    const { cli, url } = await serveCli(['--log', 'json'])
    expect(JSON.parse(cli.stdout)).toEqual({ listening: url })
    await fetch(`${url}/v1/pets?limit=1`, { headers })
    const { stdout } = await cli.stop()
    expect(stdout).toContain('"/v1/pets?limit=1"')
  })

  it('prints what it has gathered when an error ends the process', async () => {
    const crash = `
      import { subscribe } from 'node:diagnostics_channel'
      const fail = () => { throw new Error('a crash') }
      subscribe('http.server.response.finish', () => setImmediate(fail))`
    const nodeFlags = ['--import', `data:text/javascript,${encodeURIComponent(crash)}`]
    const { cli, url } = await serveCli(['--log', 'json'], { nodeFlags })
    await fetch(`${url}/v1/pets?limit=1`, { headers })
    const { stdout, stderr } = await cli.ended()
    expect(stderr).toContain('a crash')
    expect(stdout).toContain('"/v1/pets?limit=1"')
  })
})
