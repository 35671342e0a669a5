import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { connectSandbox } from '../../../src/client/connect-sandbox.ts'
import { RemoteError } from '../../../src/client/remote.ts'
import type { SandboxClient } from '../../../src/client/sandbox-client.ts'
import { packageVersion } from '../../../src/mock/api/package-version.ts'
import { InputError, NotFoundError } from '../../../src/mock/input/input-error.ts'
import { isRecord } from '../../../src/mock/input/record.ts'
import { allRoutes } from '../../../src/sandbox/controls/http/control-routes.ts'
import { SandboxPool } from '../../../src/sandbox/sandbox-pool.ts'
import { controlServer } from '../../kit/control-server.ts'
import { frozenSandbox, startAt } from '../../kit/frozen-sandbox.ts'
import { lastingPort } from '../../kit/lasting-port.ts'
import { listen } from '../../kit/listen.ts'
import { requestOf } from '../../kit/send.ts'

/** What a call is rejected with. */
async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call
  } catch (error) {
    return error
  }
}

/** An address at which nothing listens. */
async function deadAddress(): Promise<string> {
  return `http://127.0.0.1:${await lastingPort()}`
}

describe('connectSandbox()', () => {
  it.each([
    { form: 'as it is printed', suffix: '' },
    { form: 'of the API, with a slash', suffix: '/v1/' },
    { form: 'of the control API', suffix: '/_sandbox/' },
    { form: 'of the controls of a named sandbox', suffix: '/sandboxes/alice/_sandbox' },
  ])('takes an address $form', async ({ suffix }) => {
    const pool = new SandboxPool()
    pool.create({ name: 'alice' })
    const { url } = await controlServer({ pool })
    expect(await connectSandbox(url + suffix).health()).toEqual({
      status: 'ok',
      version: packageVersion,
    })
  })

  it.each(['nonsense', '127.0.0.1:7387', 'localhost:7387', 'ftp://localhost', 'http://', ''])(
    'rejects the address %j',
    (url) => {
      expect(() => connectSandbox(url)).toThrow(
        new InputError(
          `Cannot use ${JSON.stringify(url)} as the address of a sandbox: use one such as http://127.0.0.1:7387`,
          ['url'],
        ),
      )
    },
  )

  it('sends and returns a single property as its bare value', async () => {
    const { url, sandbox } = await controlServer()
    const client = connectSandbox(url)
    expect(await client.setRateLimits('report-only')).toBe('report-only')
    expect(sandbox.rateLimits).toBe('report-only')
    expect(await client.rateLimits()).toBe('report-only')
    await client.scenario('banned', { key: 'free-key' })
    expect(sandbox.keys.get('free-key').bannedUntil).toBeDefined()
  })

  it('says where the address comes from if there is none', () => {
    expect(() => connectSandbox(process.env.NO_SUCH_VARIABLE as string)).toThrow(
      'Cannot use undefined as the address of a sandbox: use one such as http://127.0.0.1:7387, which exec sets as PETSTORE_SANDBOX_URL',
    )
  })

  it('rejects an address with a password, and shows none of it', () => {
    expect(() => connectSandbox('http://me:secret@127.0.0.1:7387')).toThrow(
      'as the address of a sandbox: use one such as http://127.0.0.1:7387',
    )
  })

  it('rejects unknown options', () => {
    expect(() => connectSandbox('http://127.0.0.1', Object({ key: 'secret' }))).toThrow(
      'unknown property; use sandbox, token',
    )
  })

  it('asks once whether a sandbox responds, and then only for what is wanted', async () => {
    const { url, hits } = await controlServer()
    const client = connectSandbox(url)
    await Promise.all([client.clock.read(), client.gaps()])
    await client.pets.clear()
    expect(hits.sort()).toEqual([
      'DELETE /_sandbox/pets',
      'GET /_sandbox/clock',
      'GET /_sandbox/gaps',
      'GET /_sandbox/health',
    ])
  })

  it('is for the sandbox that it names', async () => {
    const pool = new SandboxPool()
    const alice = pool.create({ name: 'alice' }).sandbox
    const { url, sandbox } = await controlServer({ pool })
    await connectSandbox(url, { sandbox: 'alice' }).pets.clear()
    expect({ alice: alice.pets.size, usual: sandbox.pets.size }).toEqual({ alice: 0, usual: 30 })
  })

  it('has a call for each route, by its name', () => {
    const client = connectSandbox('http://127.0.0.1')
    for (const name of Object.keys(allRoutes)) {
      const call = name
        .split('.')
        .reduce<unknown>((part, member) => (isRecord(part) ? part[member] : undefined), client)
      expect(call, name).toBeTypeOf('function')
    }
  })
})

describe('a client', () => {
  it('reads integers beyond 2^53 digit for digit, and writes them', async () => {
    const { url, sandbox } = await controlServer()
    const { pets } = connectSandbox(url)
    const id = 2n ** 63n - 1n
    const pet = { id, name: 'Rex', categoryId: -(2n ** 63n) }
    expect(await pets.create(pet)).toEqual(pet)
    expect(sandbox.pets.get(id)).toEqual(pet)
    expect(await pets.get(id)).toEqual(pet)
    expect(await pets.update(String(id), { status: 'sold' })).toEqual({ ...pet, status: 'sold' })
    expect(await pets.list({ status: 'sold', name: 'Rex' })).toEqual([{ ...pet, status: 'sold' }])
  })

  it('takes instants as dates, in bodies and in filters', async () => {
    const { url, sandbox } = await controlServer()
    await sandbox.handle(requestOf({}))
    const { clock, keys, requests } = connectSandbox(url)
    const later = new Date(startAt + 90_000_000)
    expect(await clock.update({ set: later })).toMatchObject({ now: '2026-01-02T01:00:00Z' })
    expect(await keys.update('free-key', { expiresAt: later })).toMatchObject({ state: 'expired' })
    expect(await requests.list({ since: new Date(startAt) })).toHaveLength(1)
    expect(await requests.list({ since: later })).toEqual([])
  })

  it('moves the clock under the names that it has in process', async () => {
    const { url, sandbox } = await controlServer()
    const { clock } = connectSandbox(url)
    expect(await clock.advance('61s')).toBeUndefined()
    expect(await clock.now()).toBe(startAt + 61_000)
    await clock.set('2030-12-05')
    expect(await clock.read()).toEqual({ now: '2030-12-05T00:00:00Z', mode: 'frozen', speed: 1 })
    await clock.setSpeed(60)
    expect(sandbox.clock.read()).toMatchObject({ mode: 'scaled', speed: 60 })
    await clock.resume()
    expect(sandbox.clock.read()).toMatchObject({ mode: 'running', speed: 1 })
    await clock.freeze()
    expect(sandbox.clock.read()).toMatchObject({ mode: 'frozen' })
    await clock.useSystemTime()
    expect(sandbox.clock.read()).toMatchObject({ mode: 'system' })
  })

  it('gives what a typed control gives alone', async () => {
    const { url, sandbox } = await controlServer()
    const client = connectSandbox(url)
    expect(await client.rateLimits()).toBe('enforce')
    expect(await client.setRateLimits('report-only')).toBe('report-only')
    expect(sandbox.rateLimits).toBe('report-only')
    expect(await client.pets.size()).toBe(30)
    expect(await client.scenario('minute-exhausted')).toBeUndefined()
    expect(sandbox.keys.get('free-key').minute.remaining).toBe(0)
    expect(await client.scenario('banned', { key: 'pro-key' })).toBeUndefined()
    expect(sandbox.keys.list().filter(({ state }) => state === 'banned')).toMatchObject([
      { key: 'pro-key' },
      { key: 'banned-key' },
    ])
    expect(await client.keys.setRemaining('free-key', { minute: 7 })).toMatchObject({
      minute: { remaining: 7 },
    })
  })

  it('gives the latest request that fits, or none', async () => {
    const { url, sandbox } = await controlServer()
    const { requests } = connectSandbox(url)
    expect(await requests.last()).toBeUndefined()
    await sandbox.handle(requestOf({}))
    await sandbox.handle(requestOf({ key: 'none' }))
    expect(await requests.last()).toEqual(sandbox.requests.get(2))
    expect(await requests.last({ status: 200 })).toEqual(sandbox.requests.get(1))
    expect(await requests.get(1)).toEqual(sandbox.requests.get(1))
    expect(await requests.har({ status: 200 })).toMatchObject({ log: { version: '1.2' } })
  })

  it('controls the named sandboxes of a process, and gives what each is reached by', async () => {
    const { url, pool } = await controlServer()
    const { sandboxes } = connectSandbox(url)
    const { name, controlUrl } = await sandboxes.create({
      clock: new Date(0),
      rateLimits: 'report-only',
    })
    expect(pool.names()).toEqual([name])
    expect(await connectSandbox(controlUrl).rateLimits()).toBe('report-only')
    expect(await sandboxes.list()).toMatchObject([{ name }])
    await sandboxes.delete(name)
    expect(pool.names()).toEqual([])
  })
})

/** What the typed controls reject, in process and over HTTP. */
const rejections: readonly {
  readonly what: string
  readonly ask: (
    controls: Pick<SandboxClient, 'clock' | 'pets' | 'keys' | 'faults' | 'setGaps'>,
  ) => Promise<unknown>
}[] = [
  { what: 'a duration in words', ask: ({ clock }) => clock.update({ advance: 'soon' }) },
  { what: 'an unknown pet', ask: ({ pets }) => pets.get(999) },
  {
    what: 'a category in an array of pets',
    ask: ({ pets }) => pets.create([{ name: 'Rex', categoryId: 'x' }]),
  },
  { what: 'an unknown key', ask: ({ keys }) => keys.get('no such key/?') },
  {
    what: 'a key that exists already',
    ask: ({ keys }) => keys.issue({ key: 'free-key', plan: 'pro' }),
  },
  { what: 'an unknown property', ask: ({ setGaps }) => setGaps({ nothing: 1 } as object) },
  { what: 'a fault that never was', ask: ({ faults }) => faults.remove(7) },
]

describe('a rejection', () => {
  it.each(rejections)('is the one of the typed control: $what', async ({ ask }) => {
    const { url } = await controlServer()
    // Its members have the names of the client's.
    const inProcess = async (): Promise<unknown> => await ask(frozenSandbox() as never)
    const expected = await errorOf(inProcess())
    const error = await errorOf(ask(connectSandbox(url)))
    expect(expected).toBeInstanceOf(InputError)
    expect(error).toBeInstanceOf(InputError)
    expect(error instanceof NotFoundError).toBe(expected instanceof NotFoundError)
    const { message, path, reason, name } = expected as InputError
    expect(error).toMatchObject({ message, path, reason, name })
  })

  it('has the path of the typed control where that takes a value alone', async () => {
    const { url } = await controlServer()
    const { setRateLimits: setRateLimit } = connectSandbox(url)
    const error = await errorOf(setRateLimit('none' as 'report-only'))
    expect(error).toMatchObject({ path: [], reason: 'invalid-value' })
  })

  it('is given up when a call takes longer than it may', async () => {
    const { url } = await listen(() => {})
    const error = await errorOf(connectSandbox(url, { timeout: '50ms' }).gaps())
    expect(error).toMatchObject({
      reason: 'unreachable',
      message: `Cannot reach ${url}/_sandbox: it did not respond within 50ms; allow more time with the option timeout`,
    })
  })

  it('is given up when events take longer to begin, or a response longer to end', async () => {
    const { url } = await listen((request, response) => {
      if (request.url?.endsWith('/health')) response.end('{"status":"ok"}')
      else if (request.url?.endsWith('/gaps')) response.write('{')
    })
    const client = connectSandbox(url, { timeout: '100ms' })
    const message = expect.stringContaining('did not respond within 100ms')
    expect(await errorOf(client.gaps())).toMatchObject({ reason: 'unreachable', message })
    const events = client.events({ patience: 0 })
    expect(await errorOf(events.ready)).toMatchObject({ reason: 'unreachable', message })
  })

  it('holds no process once a stream could not be opened', async () => {
    const { url } = await listen((request, response) => {
      if (request.url?.endsWith('/health')) response.end('{"status":"ok"}')
      else response.destroy()
    })
    const program = `
      import { connectSandbox } from 'petstore-sandbox/client'
      const error = await connectSandbox('${url}').events({ patience: 0 }).ready.catch((error) => error)
      setImmediate(() => {
        console.log(error.reason, process.getActiveResourcesInfo().includes('Timeout'))
        process.exit()
      })`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
    ])
    expect(stdout).toBe('unreachable false\n')
  })

  it('is given up when a response never ends, at 64 MiB', async () => {
    const piece = Buffer.alloc(1_048_576, ' ')
    const { url } = await listen((request, response) => {
      if (request.url?.endsWith('/health')) response.end('{"status":"ok"}')
      else {
        const write = (): void => void response.write(piece, (error) => error ?? write())
        write()
      }
    })
    const client = connectSandbox(url, { timeout: '80s' })
    expect(await errorOf(client.gaps())).toMatchObject({
      reason: 'internal-error',
      message: `Cannot read the response of ${url}/_sandbox: it is larger than 64 MiB`,
    })
  })

  it.each(['schlüssel€', 'a\nb', ' a', ''])(
    'rejects the token %j, which no header can carry',
    (token) => {
      expect(() => connectSandbox('http://127.0.0.1:1', { token })).toThrow(
        expect.objectContaining({ name: 'InputError', path: ['token'] }),
      )
    },
  )

  it('is one for what is too large', async () => {
    const { url } = await controlServer()
    const call = connectSandbox(url).pets.create({ name: 'x'.repeat(2 ** 20), categoryId: 1 })
    await expect(call).rejects.toThrow(
      new InputError('Cannot read the body: it is larger than 1 MiB; send less', [], 'too-large'),
    )
  })

  it('is one for an unknown sandbox', async () => {
    const { url } = await controlServer()
    const error = await errorOf(connectSandbox(url, { sandbox: 'bob' }).clock.read())
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ message: expect.stringContaining('Cannot find sandbox "bob"') })
  })

  it.each(['.', '..', ''])('is one for the name %j, which no URL can have', async (name) => {
    const { url, hits } = await controlServer()
    const { pets, keys } = connectSandbox(url)
    for (const call of [keys.delete(name), pets.delete(name)]) {
      await expect(call).rejects.toThrow(
        new NotFoundError(`Cannot find ${JSON.stringify(name)}: nothing can have this name`),
      )
    }
    expect(() => connectSandbox(url, { sandbox: name })).toThrow('nothing can have this name')
    expect(hits).toEqual([])
  })

  it('is one for what is nested too deeply to be sent', async () => {
    const { url } = await controlServer()
    let nested: unknown = []
    for (let depth = 0; depth < 100_000; depth++) nested = [nested]
    await expect(connectSandbox(url).restore(nested)).rejects.toThrow('it is nested too deeply')
  })
})

describe('RemoteError', () => {
  it.each([
    { what: 'a page', status: 200, body: '<h1>Hello</h1>' },
    { what: 'other JSON', status: 200, body: '{"a":1}' },
    { what: 'null', status: 200, body: 'null' },
    { what: 'nothing', status: 204, body: '' },
    { what: 'an error of other form', status: 500, body: '{"error":"sorry"}' },
    { what: 'an error with another status', status: 500, body: '{"message":"no","status":400}' },
    { what: 'a redirect', status: 302, body: '' },
  ])('says that $what is no answer of a sandbox, which is asked nothing else', async (row) => {
    const methods: (string | undefined)[] = []
    const { url } = await listen(({ method }, response) => {
      methods.push(method)
      response.writeHead(row.status, { location: 'http://127.0.0.1/' }).end(row.body)
    })
    const client = connectSandbox(url)
    for (const call of [client.pets.clear(), client.events().next()]) {
      const error = await errorOf(call)
      expect(error).toBeInstanceOf(RemoteError)
      expect(error).toMatchObject({
        reason: 'not-a-sandbox',
        message: `Cannot use ${url}/_sandbox: the server there is not petstore-sandbox`,
      })
    }
    expect(new Set(methods)).toEqual(new Set(['GET']))
  })

  it('says that nothing listens, and the next call tries again', async () => {
    const dead = await deadAddress()
    const client = connectSandbox(dead)
    expect(await errorOf(client.gaps())).toMatchObject({
      name: 'RemoteError',
      reason: 'unreachable',
      message: `Cannot reach ${dead}/_sandbox: nothing listens there`,
    })
    await controlServer({ port: Number(new URL(dead).port) })
    expect(await client.pets.size()).toBe(30)
  })

  it('says that the connection was closed, or the response broke off', async () => {
    const closing = await listen((request) => request.socket.destroy())
    expect(await errorOf(connectSandbox(closing.url).gaps())).toMatchObject({
      reason: 'unreachable',
      message: `Cannot reach ${closing.url}/_sandbox: it closed the connection`,
    })
    const breaking = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('{"status":', () => response.destroy())
    })
    expect(await errorOf(connectSandbox(breaking.url).gaps())).toMatchObject({
      reason: 'unreachable',
      message: `Cannot read the response of ${breaking.url}/_sandbox: it broke off`,
    })
  })

  it('says that no such host', async () => {
    const error = await errorOf(connectSandbox('http://nowhere.invalid').gaps())
    expect(error).toMatchObject({
      reason: 'unreachable',
      message: 'Cannot reach http://nowhere.invalid/_sandbox: no such host',
    })
  })

  it.each([{ token: undefined }, { token: 'wrong' }])(
    'says how to give a token when it is $token',
    async ({ token }) => {
      const { url } = await controlServer({ token: 'secret' })
      const options = token === undefined ? {} : { token }
      expect(await errorOf(connectSandbox(url, options).gaps())).toMatchObject({
        reason: 'unauthorized',
        message:
          'Cannot use the control API: it has no valid control token; send Authorization: Bearer <control token>, as the option token does',
      })
      expect(await connectSandbox(url, { token: 'secret' }).health()).toEqual({
        status: 'ok',
        version: packageVersion,
      })
    },
  )

  it('says what the sandbox could not do', async () => {
    const { url } = await listen(({ url: path }, response) => {
      const isHealth = path === '/_sandbox/health'
      const failure = { code: 'internal_error', message: 'Cannot write x: no space', status: 500 }
      response.writeHead(isHealth ? 200 : 500)
      response.end(JSON.stringify(isHealth ? { status: 'ok' } : failure))
    })
    expect(await errorOf(connectSandbox(url).saveState())).toMatchObject({
      reason: 'internal-error',
      message: 'Cannot write x: no space',
    })
  })
})
