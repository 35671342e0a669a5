import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readServeSettings } from '../../../../src/cli/serve/serve-settings.ts'
import { sandboxOptions, watchSeed } from '../../../../src/cli/serve/start-serving.ts'
import type { ApiResponse } from '../../../../src/mock/api/message.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { callControl } from '../../../kit/call-control.ts'
import { nodePrograms, serveCli, testFolder } from '../../../kit/cli-process.ts'
import { connectRaw } from '../../../kit/raw-client.ts'
import { runMain } from '../../../kit/run-main.ts'
import { send } from '../../../kit/send.ts'
import { serveHere } from '../../../kit/serve-here.ts'

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
  it('begins with situations, until a reset', async () => {
    // Else the minute could end meanwhile, and with it the limit.
    const { url } = await serveHere({
      frozen: 'true',
      scenario: 'sunset-tomorrow,minute-exhausted',
    })
    expect(await apiStatus(url)).toBe(429)
    expect((await callControl(url, 'GET', '/clock')).answer).toMatchObject({
      now: '2030-12-04T00:00:00Z',
    })
    await callControl(url, 'POST', '/reset')
    expect(await apiStatus(url)).toBe(200)
  })

  it('moves a clock that stands still', async () => {
    const { banner } = await serveHere({ scenario: 'sunset-passed', frozen: 'true' })
    expect(banner).toContain('2030-12-05T00:00:00Z, frozen')
  })
})

describe('petstore-sandbox --sandbox', () => {
  it('serves named sandboxes', async () => {
    const { banner, url } = await serveHere({ pets: '7', sandbox: 'alice,bob,alice' })
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
    {
      args: ['--sandbox', 'a,b', '--max-sandboxes', '1'],
      message: 'Cannot make sandbox "b": there are 1 already, the most allowed; delete one',
    },
  ])('is rejected with $args', async ({ args, message }) => {
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

describe('petstore-sandbox --max-requests', () => {
  it('bounds what each sandbox remembers', async () => {
    const { url } = await serveHere({ 'max-requests': '2', sandbox: 'alice' })
    for (const base of [url, `${url}/sandboxes/alice`]) {
      for (let count = 0; count < 4; count++) await apiStatus(base)
      const { answer } = await callControl(base, 'GET', '/requests')
      expect(answer).toMatchObject([{ id: 3 }, { id: 4 }])
    }
  })
})

describe('petstore-sandbox --request-log-bytes', () => {
  it('bounds what all sandboxes remember together, the default one too', async () => {
    const { url } = await serveHere({ 'request-log-bytes': '20000', sandbox: 'alice' })
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

  it('handles control requests for names that are allowed', async () => {
    const { url } = await serveHere({ 'allowed-host': 'other.test,Sandbox.test' })
    const { port } = new URL(url)
    expect(await controlStatus(url, { host: `sandbox.test:${port}` })).toBe(200)
    expect(await controlStatus(url, { host: `evil.test:${port}` })).toBe(403)
    expect(await controlStatus(url, { host: `sandbox.test.evil.test:${port}` })).toBe(403)
  })
})

/** The text of a seed with so many pets. */
function seedText(count: number): string {
  return JSON.stringify({ pets: petsOf(count) })
}

function petsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Pet ${index + 1}`,
    categoryId: 1,
  }))
}

/** How many pets a sandbox has. */
async function petCount(url: string): Promise<number> {
  const { answer } = await callControl(url, 'GET', '/pets')
  return (answer as readonly unknown[]).length
}

/** A sandbox that is made of a seed, and goes with its changes. */
async function watched(path: string, texts: Readonly<Record<string, string>> = {}) {
  const settings = await readServeSettings({ 'seed-file': path, ...texts }, {})
  const sandbox = createSandbox(await sandboxOptions(settings))
  const lines: string[] = []
  onTestFinished(watchSeed(path, settings, sandbox, (line) => void lines.push(line)))
  const nextLine = async (): Promise<string> => {
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    return lines.shift() ?? ''
  }
  return { sandbox, lines, nextLine }
}

/** A sandbox of a seed file of one pet. */
async function watchedFile() {
  const cwd = testFolder()
  const file = join(cwd, 'seed.json')
  writeFileSync(file, seedText(1))
  return { ...(await watched(file)), cwd, file }
}

function reloaded(path: string, pets: number, keys = 9): string {
  return `Reloaded ${path}: ${pets} ${pets === 1 ? 'pet' : 'pets'}, ${keys} ${keys === 1 ? 'key' : 'keys'}`
}

describe('watchSeed()', () => {
  it.each(nodePrograms())(
    'takes the seed again when its file is written, and resets to it (Node $version)',
    async ({ path }) => {
      const cwd = testFolder()
      const file = join(cwd, 'seed.json')
      writeFileSync(file, seedText(1))
      const options = ['--watch', '--seed-file', 'seed.json', '--sandbox', 'alice']
      const { cli, url } = await serveCli(options, { cwd, node: path })
      writeFileSync(file, seedText(2))
      const [line] = await cli.printed(/^.*\n/, 'stderr')
      expect(line).toBe(`petstore-sandbox: ${reloaded('seed.json', 2)}\n`)
      expect(await petCount(url)).toBe(2)
      await callControl(url, 'DELETE', '/pets')
      await callControl(url, 'POST', '/reset')
      expect(await petCount(url)).toBe(2)
      // Named ones keep the seed that the process began with.
      await callControl(`${url}/sandboxes/alice`, 'POST', '/reset')
      expect(await petCount(`${url}/sandboxes/alice`)).toBe(1)
      expect(await cli.stop()).toMatchObject({ code: 0, stderr: line })
    },
  )

  it('takes it again when another file is put in its place, each time', async () => {
    const { sandbox, nextLine, file, cwd } = await watchedFile()
    for (const count of [2, 3, 4]) {
      writeFileSync(join(cwd, '.seed.json.swp'), seedText(count))
      renameSync(join(cwd, '.seed.json.swp'), file)
      expect(await nextLine()).toBe(reloaded(file, count))
      expect(sandbox.pets.size).toBe(count)
    }
  })

  it('has all of a file that is written in several steps', async () => {
    const { sandbox, nextLine, file } = await watchedFile()
    const text = seedText(500)
    truncateSync(file)
    for (let from = 0; from < text.length; from += 1_000) {
      appendFileSync(file, text.slice(from, from + 1_000))
      await new Promise(setImmediate)
    }
    while ((await nextLine()) !== reloaded(file, 500));
    expect(sandbox.pets.size).toBe(500)
  })

  it('keeps the old seed while the file is gone, and takes the new one when it is back', async () => {
    const { sandbox, nextLine, file } = await watchedFile()
    rmSync(file)
    expect(await nextLine()).toBe(`Kept the old seed: Cannot read ${file}: it does not exist`)
    expect(sandbox.pets.size).toBe(1)
    writeFileSync(file, seedText(3))
    expect(await nextLine()).toBe(reloaded(file, 3))
    expect(sandbox.pets.size).toBe(3)
  })

  it('begins while the file is gone', async () => {
    const path = join(testFolder(), 'seed.json')
    const [sandbox, settings] = [
      createSandbox(),
      await readServeSettings({ 'seed-file': path }, {}),
    ]
    const told = new Promise((tell) => {
      onTestFinished(watchSeed(path, settings, sandbox, tell))
    })
    writeFileSync(path, seedText(3))
    expect(await told).toBe(reloaded(path, 3))
  })

  it.each([
    { text: '{ "pets": [\n  {]', why: '2:4: Cannot read the file: it is not valid JSON' },
    {
      text: '{ "pets": [\n  { "id": 1, "name": "A", "categoryId": 1 },\n  { "id": 2 }\n] }',
      why: '3:3: Cannot set seed.pets[1].name: required',
    },
  ])('keeps the old seed and says why: $why', async ({ text, why }) => {
    const { sandbox, nextLine, file } = await watchedFile()
    sandbox.pets.create({ name: 'Rex', categoryId: 1 })
    writeFileSync(file, text)
    expect(await nextLine()).toContain(`Kept the old seed: ${file}:${why}`)
    expect(sandbox.pets.size).toBe(2)
    sandbox.reset()
    expect(sandbox.pets.size).toBe(1)
    writeFileSync(file, seedText(3))
    expect(await nextLine()).toBe(reloaded(file, 3))
  })

  it('leaves the clock, quotas, faults and the request log as they are', async () => {
    const { sandbox, nextLine, file } = await watchedFile()
    sandbox.clock.freeze()
    sandbox.clock.set('2030-01-01')
    sandbox.faults.add({ fault: 'timeout', key: 'nobody' })
    await send(sandbox)
    writeFileSync(file, seedText(2))
    await nextLine()
    const { headers } = (await send(sandbox)) as ApiResponse
    expect(headers).toMatchObject({
      'x-ratelimit-remaining': '58',
      date: 'Tue, 01 Jan 2030 00:00:00 GMT',
    })
    expect(sandbox.faults.list()).toMatchObject([{ id: 1 }])
    expect(sandbox.requests.list()).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('leaves the generated pets beside a file of keys', async () => {
    const file = join(testFolder(), 'seed.json')
    writeFileSync(file, '{"keys":[]}')
    const { sandbox, nextLine } = await watched(file, { pets: '12' })
    const before = sandbox.pets.list()
    writeFileSync(file, '{"keys":[{"key":"new","plan":"free"}]}')
    expect(await nextLine()).toBe(reloaded(file, 12, 1))
    expect(sandbox.pets.list()).toEqual(before)
    writeFileSync(file, seedText(1))
    expect(await nextLine()).toBe(
      `Kept the old seed: Cannot use --pets: ${file} has pets too; use one of them`,
    )
  })

  it('watches the two files of a folder, and no other', async () => {
    const folder = join(testFolder(), 'seed')
    mkdirSync(folder)
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(petsOf(1)))
    const { sandbox, lines, nextLine } = await watched(folder)
    writeFileSync(join(folder, 'notes.txt'), 'not a seed')
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(petsOf(2)))
    expect(await nextLine()).toBe(reloaded(folder, 2))
    writeFileSync(join(folder, 'keys.json'), '[{"key":"mine","plan":"pro"}]')
    expect(await nextLine()).toBe(reloaded(folder, 2, 1))
    rmSync(join(folder, 'pets.json'))
    expect(await nextLine()).toBe(reloaded(folder, 30, 1))
    expect(sandbox.pets.size).toBe(30)
    expect(lines).toEqual([])
  })

  it('goes on when the folder itself is taken away and made anew', async () => {
    const cwd = testFolder()
    const folder = join(cwd, 'seed')
    mkdirSync(folder)
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(petsOf(1)))
    const { nextLine } = await watched(folder)
    rmSync(folder, { recursive: true })
    expect(await nextLine()).toBe(`Kept the old seed: Cannot read ${folder}: it does not exist`)
    mkdirSync(join(cwd, 'new'))
    writeFileSync(join(cwd, 'new', 'pets.json'), JSON.stringify(petsOf(2)))
    renameSync(join(cwd, 'new'), folder)
    expect(await nextLine()).toBe(reloaded(folder, 2))
  })

  it('sees what a link leads to: a file that is written, and another one', async () => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'elsewhere'))
    const one = join(cwd, 'elsewhere', 'one.json')
    const other = join(cwd, 'elsewhere', 'other.json')
    const link = join(cwd, 'seed.json')
    writeFileSync(one, seedText(1))
    symlinkSync(one, link)
    const { nextLine } = await watched(link)
    writeFileSync(one, seedText(2))
    expect(await nextLine()).toBe(reloaded(link, 2))
    writeFileSync(other, seedText(3))
    symlinkSync(other, join(cwd, 'new.json'))
    renameSync(join(cwd, 'new.json'), link)
    expect(await nextLine()).toBe(reloaded(link, 3))
  })
})
