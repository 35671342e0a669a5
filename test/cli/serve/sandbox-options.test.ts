import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callControl } from '../../kit/call-control.ts'
import { serveCli, testFolder } from '../../kit/cli-process.ts'
import { connectRaw } from '../../kit/raw-client.ts'
import { runMain } from '../../kit/run-main.ts'
import { serveHere } from '../../kit/serve-here.ts'

/** The status of a request to a control API under headers of one's choice, `Host` included. */
function controlStatus(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/_sandbox/clock`, { method, headers }, (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
    sent.once('error', reject).end()
  })
}

/** How many pets a sandbox serves to a key. */
async function apiStatus(url: string, key = 'free-key'): Promise<number> {
  const reply = await fetch(`${url}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } })
  return reply.status
}

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

describe('petstore-sandbox --scenario', () => {
  it.each([
    { form: 'an option', texts: { scenario: 'sunset-tomorrow,rate-limited' } },
    { form: 'a variable', env: { PETSTORE_SANDBOX_SCENARIO: 'sunset-tomorrow,rate-limited' } },
    { form: 'a config file', config: { scenario: ['sunset-tomorrow', 'rate-limited'] } },
  ])(
    'begins with situations, given by $form, until a reset',
    async ({ texts, env, config = {} }) => {
      const file = join(testFolder(), 'config.json')
      writeFileSync(file, JSON.stringify(config))
      // Else the minute could end meanwhile, and with it the limit.
      const { url } = await serveHere({ frozen: 'true', config: file, ...texts }, env)
      expect(await apiStatus(url)).toBe(429)
      expect((await callControl(url, 'GET', '/clock')).answer).toMatchObject({
        now: '2030-12-04T00:00:00Z',
      })
      await callControl(url, 'POST', '/reset')
      expect(await apiStatus(url)).toBe(200)
    },
  )

  it('moves a clock that stands still', async () => {
    const { banner } = await serveHere({ scenario: 'sunset-passed', frozen: 'true' })
    expect(banner).toContain('2030-12-05T00:00:00Z (frozen)')
  })

  it('is refused when there is none of its name', async () => {
    const { code, stdout, stderr } = await runMain(['--port', '0', '--scenario', 'sunny'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Cannot set --scenario: found "sunny"; use one of flaky, slow,')
  })
})

describe('petstore-sandbox --sandbox', () => {
  it.each([
    { form: 'an option', texts: { sandbox: 'alice,bob,alice' } },
    { form: 'a variable', env: { PETSTORE_SANDBOX_SANDBOX: 'alice,bob' } },
    { form: 'a config file', config: { sandbox: ['alice', 'bob'] } },
  ])('serves named sandboxes, given by $form', async ({ texts, env, config = {} }) => {
    const file = join(testFolder(), 'config.json')
    writeFileSync(file, JSON.stringify(config))
    const { banner, url } = await serveHere({ pets: '7', config: file, ...texts }, env)
    expect(banner).toMatch(/\n {2}Named +alice, bob\n/)
    await callControl(url, 'DELETE', '/pets')
    for (const name of ['alice', 'bob']) {
      expect(await apiStatus(`${url}/sandboxes/${name}`)).toBe(200)
      const { answer } = await callControl(`${url}/sandboxes/${name}`, 'GET', '/pets')
      expect(answer).toHaveLength(7)
    }
    expect(await apiStatus(`${url}/sandboxes/carol`)).toBe(404)
  })

  it.each([
    {
      args: ['--sandbox', 'a b'],
      message: 'Cannot set --sandbox: found "a b"; use 1 to 63 letters',
    },
    { args: ['--sandbox', '..'], message: 'Cannot set --sandbox: found ".."; use 1 to 63 letters' },
    {
      args: ['--sandbox', 'a,b', '--max-sandboxes', '1'],
      message: 'Cannot make sandbox "b": there are 1 already, the most allowed; delete one',
    },
  ])('is refused with $args', async ({ args, message }) => {
    const { stdout, stderr } = await runMain(['--port', '0', ...args])
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
  })

  it('is made on first use with --auto-create, as many as --max-sandboxes allows', async () => {
    const env = { PETSTORE_SANDBOX_AUTO_CREATE: '1', PETSTORE_SANDBOX_MAX_SANDBOXES: '2' }
    const { url } = await serveHere({}, env)
    expect(await apiStatus(`${url}/sandboxes/alice`)).toBe(200)
    const bob = await runMain(['clock', '--url', url, '--sandbox', 'bob'])
    expect(bob).toMatchObject({ code: 0, stderr: '' })
    const { code, stderr } = await runMain(['clock', '--url', url, '--sandbox', 'carol'])
    expect(code).toBe(1)
    expect(stderr).toContain(
      'Cannot make sandbox "carol": there are 2 already, the most allowed; delete one',
    )
  })
})

describe('petstore-sandbox --journal-size', () => {
  it('bounds what each sandbox remembers', async () => {
    const { url } = await serveHere({ 'journal-size': '2', sandbox: 'alice' })
    for (const base of [url, `${url}/sandboxes/alice`]) {
      for (let count = 0; count < 4; count++) await apiStatus(base)
      const { answer } = await callControl(base, 'GET', '/requests')
      expect(answer).toMatchObject([{ id: 3 }, { id: 4 }])
    }
  })
})

describe('petstore-sandbox --journal-bytes', () => {
  it('bounds what all sandboxes remember together, the default one too', async () => {
    const { url } = await serveHere({ 'journal-bytes': '20000', sandbox: 'alice' })
    for (let count = 0; count < 4; count++) await apiStatus(`${url}/sandboxes/alice`)
    for (let count = 0; count < 2; count++) await apiStatus(url)
    const own = await callControl(url, 'GET', '/requests')
    expect(own.answer).toMatchObject([{ id: 1 }, { id: 2 }])
    const named = await callControl(`${url}/sandboxes/alice`, 'GET', '/requests?limit=9')
    expect(named.answer).not.toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
  })
})

describe('petstore-sandbox --limit', () => {
  it('sets limits of every sandbox, of all together, and of connections', async () => {
    const { url } = await serveHere({ limit: 'pets=31,keys=9,connections=5', sandbox: 'alice' })
    const rows = [
      ['/keys', { plan: 'free' }, 'there are 9, and 9 are allowed'],
      ['/pets', Array(2).fill({ name: 'Rex', categoryId: 1 }), '32, and 31 are allowed'],
    ] as const
    for (const base of [url, `${url}/sandboxes/alice`]) {
      for (const [path, body, message] of rows) {
        const { answer } = await callControl(base, 'POST', path, body)
        expect(answer).toMatchObject({ status: 400, message: expect.stringContaining(message) })
      }
    }
    const others = Array.from({ length: 5 }, () => connectRaw(Number(new URL(url).port)))
    await (await Promise.all(others)).at(-1)?.closed()
  })

  it.each([
    {
      args: ['--limit', 'dogs=1'],
      message: 'Cannot set --limit.dogs: unknown property; use pets,',
    },
    {
      args: ['--limit', 'pets=-1'],
      message: 'Cannot set --limit.pets: found "-1"; use a whole',
    },
    {
      args: ['--journal-bytes', 'x'],
      message: 'Cannot set --journal-bytes: found "x"; use a whole',
    },
  ])('refuses $args', async ({ args, message }) => {
    const { code, stderr } = await runMain(args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('petstore-sandbox --clock', () => {
  it.each([
    { text: '0', at: '1970-01-01T00:00:00Z' },
    { text: '1000', at: '1970-01-01T00:00:01Z' },
    { text: '12345', at: '1970-01-01T00:00:12.345Z' },
    { text: '1970-01-01', at: '1970-01-01T00:00:00Z' },
  ])('takes $text for $at, and so does clock set', async ({ text, at }) => {
    const { banner, url } = await serveHere({ frozen: 'true', clock: text })
    expect(banner).toContain(`${at} (frozen)`)
    expect(await runMain(['clock', 'advance', '1d', '--url', url])).toMatchObject({ code: 0 })
    const { code, stdout } = await runMain(['clock', 'set', text, '--url', url])
    expect(code).toBe(0)
    expect(stdout).toContain(at)
  })
})

describe('petstore-sandbox --host', () => {
  it.skipIf(!hasIPv6).each(['::1', '[::1]'])('may be the IPv6 address %s', async (host) => {
    const { url } = await serveHere({ host })
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect(await apiStatus(url)).toBe(200)
    expect(await controlStatus(url, {})).toBe(200)
  })

  it('asks for the token of the banner where others can reach it', async () => {
    const { banner, url } = await serveHere({ host: '0.0.0.0' })
    const [, token = ''] = /\n {2}Token +(\S+)\n/.exec(banner) ?? []
    const local = url.replace('0.0.0.0', '127.0.0.1')
    expect(await apiStatus(local)).toBe(200)
    expect(await controlStatus(local, {})).toBe(403)
    expect(await controlStatus(local, { authorization: 'Bearer wrong' })).toBe(403)
    expect(await controlStatus(local, { authorization: `Bearer ${token}` })).toBe(200)
    expect((await runMain(['reset', '--url', local])).code).toBe(1)
    expect((await runMain(['reset', '--url', local, '--control-token', token])).code).toBe(0)
  })

  it('tells a script the token, too', async () => {
    const { cli, url } = await serveCli(['--host', '0.0.0.0', '--log', 'json'])
    const { listening, controlToken } = JSON.parse(cli.stdout)
    expect(listening).toBe(url)
    const local = url.replace('0.0.0.0', '127.0.0.1')
    expect(await controlStatus(local, { authorization: `Bearer ${controlToken}` })).toBe(200)
  })

  it('asks for no token on a loopback address, unless one is set', async () => {
    const { banner, url } = await serveHere({ host: 'localhost' })
    expect(banner).not.toContain('Token')
    expect(await controlStatus(url, {})).toBe(200)
    const guarded = await serveHere({}, { PETSTORE_SANDBOX_CONTROL_TOKEN: 'secret' })
    expect(await controlStatus(guarded.url, {})).toBe(403)
    expect(await controlStatus(guarded.url, { authorization: 'Bearer secret' })).toBe(200)
  })

  it.each([
    { form: 'an option', texts: { 'allowed-host': 'Sandbox.test' } },
    { form: 'a variable', env: { PETSTORE_SANDBOX_ALLOWED_HOST: 'other.test,sandbox.test' } },
  ])('answers control requests for a name that is allowed by $form', async ({ texts, env }) => {
    const { url } = await serveHere(texts, env)
    const { port } = new URL(url)
    expect(await controlStatus(url, { host: `sandbox.test:${port}` })).toBe(200)
    expect(await controlStatus(url, { host: `evil.test:${port}` })).toBe(403)
    expect(await controlStatus(url, { host: `sandbox.test.evil.test:${port}` })).toBe(403)
  })
})
