import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { http } from 'msw'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type FixtureOptions, type TestFixtures, withSandbox } from '../../../src/adapters/jest.ts'

/** A test that was registered, and how. */
interface Registered {
  readonly how: string
  readonly name: string
  readonly timeout: number | undefined
  run(): Promise<void>
}

/** Stands for the `test` of Jest, which the recipes of scripts/check-matrix.ts run. */
function jestTest() {
  const registered: Registered[] = []
  const register = (how: string) => (name: string, run: () => Promise<void>, timeout?: number) => {
    registered.push({ how, name, timeout, run })
  }
  const { only, skip, failing, concurrent } = Object.fromEntries(
    ['only', 'skip', 'failing', 'concurrent'].map((how) => [how, register(how)]),
  )
  if (!only || !skip || !failing || !concurrent) throw new Error('Cannot register tests')
  return { registered, test: Object.assign(register('test'), { only, skip, failing, concurrent }) }
}

/** Runs one test. */
async function run(body: (fixtures: TestFixtures) => unknown, options?: FixtureOptions) {
  const { registered, test } = jestTest()
  withSandbox(test, { captureFolder: false, ...options })('is a test', body)
  await registered[0]?.run()
}

function send(url: string): Promise<Response> {
  return fetch(url, { headers: { authorization: 'Bearer free-key' } })
}

const frozen = { clock: { now: '2026-01-01', mode: 'frozen' } } as const

describe('withSandbox()', () => {
  it('says which test covered what', async () => {
    await run(
      async ({ apiUrl, sandbox }) => {
        await send(`${apiUrl}/pets`)
        const { items } = (await sandbox.coverage()).categories.outcomes
        expect(items[0]).toMatchObject({ name: 'listPets 200', coveredBy: 'is a test' })
      },
      { sandboxOptions: { coverage: true } },
    )
  })

  it('gives each test a sandbox that nobody has used', async () => {
    const addresses = new Set<string>()
    for (const _ of [1, 2]) {
      await run(
        async ({ apiUrl, sandbox }) => {
          addresses.add(apiUrl)
          expect((await send(`${apiUrl}/pets`)).headers.get('x-ratelimit-remaining')).toBe('59')
          expect(sandbox.requests.list()).toHaveLength(1)
        },
        { sandboxOptions: frozen },
      )
    }
    expect(addresses.size).toBe(2)
  })

  it('responds where it is told, with what the test puts before it', async () => {
    const apiUrl = 'https://api.petstore.test/v1'
    await run(
      async ({ server, ...fixtures }) => {
        expect(fixtures.apiUrl).toBe(apiUrl)
        expect((await send(`${apiUrl}/pets`)).status).toBe(200)
        server.use(http.get('*/pets', () => new Response('Maintenance', { status: 503 })))
        expect((await send(`${apiUrl}/pets`)).status).toBe(503)
      },
      { apiUrl },
    )
  })

  it('handles each of several tests at one address from its own sandbox', async () => {
    const apiUrl = 'https://api.petstore.test/v1'
    for (const count of [1, 2, 3, 4]) {
      await run(
        async ({ sandbox }) => {
          for (let sent = 0; sent < count; sent++) {
            await (await send(`${apiUrl}/pets`)).text()
            // By then its connection is free.
            await new Promise((resolve) => setTimeout(resolve, 0))
          }
          expect(sandbox.requests.list()).toHaveLength(count)
        },
        { apiUrl },
      )
    }
  })

  it('fails a test whose request nothing handles, though its client swallows the error', async () => {
    const test = run(() => fetch('https://elsewhere.test/').catch(() => {}))
    await expect(test).rejects.toThrow(
      /^Cannot handle GET https:\/\/elsewhere\.test\/: the sandbox/,
    )
  })

  it("fails a test with the test's own error", async () => {
    const test = run(async () => {
      await fetch('https://elsewhere.test/').catch(() => {})
      throw new Error('not as expected')
    })
    await expect(test).rejects.toThrow('not as expected')
  })

  describe('audit', () => {
    const lost = { fault: 'disconnect', operation: 'createPet', times: 1 } as const

    async function addTwice({ apiUrl, sandbox }: TestFixtures): Promise<void> {
      sandbox.faults.add(lost)
      const headers = { authorization: 'Bearer free-key', 'content-type': 'application/json' }
      const body = '{"name":"Rex","categoryId":1}'
      const add = () => fetch(`${apiUrl}/pets`, { method: 'POST', headers, body })
      await add().catch(() => {})
      // Until the client knows, without any doubt, that the answer is lost.
      for (const _ of [1, 2, 3]) await new Promise<void>((resolve) => setImmediate(resolve))
      await add()
    }

    it('fails a test whose client misbehaved, at its end', async () => {
      await expect(run(addTwice, { failOn: 'error' })).rejects.toThrow(
        /^The client of this test misbehaved \(option failOn: 'error'\)\.\n\nerror duplicate-create /,
      )
      await run(addTwice)
    })
  })

  it('takes the choices that are explored, but for those that its options make', async () => {
    vi.stubEnv('PETSTORE_SANDBOX_GAPS', 'banStatus=403,listOrder=shuffled')
    onTestFinished(() => void vi.unstubAllEnvs())
    const gaps = { banStatus: 429 } as const
    await run(
      ({ sandbox }) => expect(sandbox.gaps).toMatchObject({ ...gaps, listOrder: 'shuffled' }),
      {
        sandboxOptions: { gaps },
      },
    )
  })

  describe('captureFolder', () => {
    /** A folder that is removed at the end. */
    const testFolder = (): string => {
      const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      return folder
    }

    const failing = async ({ apiUrl }: TestFixtures): Promise<void> => {
      await send(`${apiUrl}/pets`)
      throw new Error('not as expected')
    }

    it('gets what was done to the sandbox of a test that fails, which says so', async () => {
      const captureFolder = join(testFolder(), 'captures')
      const error = await run(failing, { captureFolder }).catch((thrown: Error) => thrown)
      const [name = ''] = readdirSync(captureFolder)
      const path = join(captureFolder, name)
      expect(name).toMatch(/^is-a-test-[\da-f]{8}\.petstore\.json$/)
      const said = `not as expected\n\nTo replay this failure: npx petstore-sandbox replay ${path}\nTo step through it: npx petstore-sandbox open ${path}`
      expect(error).toMatchObject({
        message: said,
        stack: expect.stringContaining(`${said}\n    at `),
      })
      expect(JSON.parse(readFileSync(path, 'utf8')).steps).toMatchObject([
        { do: 'request', outcome: { status: 200 } },
      ])
    })

    it('names pnpm in a project of pnpm, where npx may fail', async () => {
      vi.stubEnv('npm_config_user_agent', 'pnpm/12.0.1 npm/? node/v24')
      onTestFinished(() => void vi.unstubAllEnvs())
      const error = await run(failing, { captureFolder: testFolder() }).catch((thrown) => thrown)
      expect(String(error)).toContain('To replay this failure: pnpm exec petstore-sandbox replay /')
      expect(String(error)).toContain('To step through it: pnpm exec petstore-sandbox open /')
    })

    it('is named with the page where a team opens its captures', async () => {
      vi.stubEnv('PETSTORE_SANDBOX_VIEWER', 'https://ci.example.com/petstore/#/requests')
      onTestFinished(() => void vi.unstubAllEnvs())
      const captureFolder = testFolder()
      const error = await run(failing, { captureFolder }).catch((thrown: Error) => thrown)
      const [name = ''] = readdirSync(captureFolder)
      expect(String(error)).toContain(
        `To step through it: https://ci.example.com/petstore/#open=${name} (there, open ${join(captureFolder, name)})`,
      )
    })

    it('gets nothing of tests that pass, that are to fail, or that ask nothing', async () => {
      const captureFolder = join(testFolder(), 'captures')
      const { registered, test } = jestTest()
      const own = withSandbox(test, { captureFolder })
      own('passes', async ({ apiUrl }) => void (await send(`${apiUrl}/pets`)))
      own.failing('is to fail', failing)
      own('asks nothing', () => {
        throw new Error('not as expected')
      })
      const results = await Promise.allSettled(registered.map((one) => one.run()))
      expect(results).toMatchObject([
        { status: 'fulfilled' },
        { reason: { message: 'not as expected' } },
        { reason: { message: 'not as expected' } },
      ])
      expect(existsSync(captureFolder)).toBe(false)
    })

    it('says why nothing could be written', async () => {
      const captureFolder = join(testFolder(), 'file')
      writeFileSync(captureFolder, '')
      await expect(run(failing, { captureFolder })).rejects.toThrow(
        /^not as expected\n\nThe capture of its sandbox could not be written to .*EEXIST/,
      )
    })
  })

  it('ends what a test leaves waiting, and the network with the last test', async () => {
    const left: Promise<unknown>[] = []
    const { fetch: before } = globalThis
    await run(async ({ apiUrl, sandbox }) => {
      sandbox.faults.add({ fault: 'timeout' })
      left.push(send(`${apiUrl}/pets`).catch((error: Error) => error.name))
      await expect.poll(() => sandbox.faults.list()[0]?.applied).toBe(1)
    })
    expect(await Promise.all(left)).toEqual(['TypeError'])
    expect(globalThis.fetch).toBe(before)
  })

  it('tells concurrent tests at one address by their async context', async () => {
    const apiUrl = 'https://api.petstore.test/v1'
    const { registered, test } = jestTest()
    for (const count of [1, 2, 3, 4]) {
      withSandbox(test, { apiUrl }).concurrent(`sends ${count}`, async ({ sandbox }) => {
        for (let sent = 0; sent < count; sent++) await send(`${apiUrl}/pets`)
        expect(sandbox.requests.list()).toHaveLength(count)
      })
    }
    await Promise.all(registered.map((one) => one.run()))
  })

  it('registers each test as it is asked to', () => {
    const { registered, test } = jestTest()
    const own = withSandbox(test)
    own('a', () => {}, 100)
    own.only('b', () => {})
    own.skip('c', () => {})
    own.failing('d', () => {})
    own.concurrent('e', () => {})
    expect(registered.map(({ how, name, timeout }) => [how, name, timeout])).toEqual([
      ['test', 'a', 100],
      ['only', 'b', undefined],
      ['skip', 'c', undefined],
      ['failing', 'd', undefined],
      ['concurrent', 'e', undefined],
    ])
  })

  it('overrides some of its options', async () => {
    const { registered, test } = jestTest()
    const apiUrl = 'https://api.petstore.test/v1'
    const own = withSandbox(test, { apiUrl, sandboxOptions: frozen })
    const other = own.override({ sandboxOptions: { seed: { pets: [] } } })
    const seen: unknown[] = []
    for (const one of [own, other]) {
      one('looks', (fixtures) => seen.push([fixtures.apiUrl, fixtures.sandbox.pets.size]))
    }
    for (const one of registered) await one.run()
    expect(seen).toEqual([
      [apiUrl, 30],
      [apiUrl, 0],
    ])
  })

  it('rejects an option that it does not know, before any test runs', () => {
    const options = { baseURL: 'https://api.petstore.test/v1' } as FixtureOptions
    expect(() => withSandbox(jestTest().test, options)).toThrow('Cannot set baseURL')
  })
})
