import { describe, expect, it } from 'vitest'
import { atSandbox, type Target } from '../../../../src/cli/remote/connect.ts'
import { SandboxPool } from '../../../../src/sandbox/sandbox-pool.ts'
import { listen } from '../../../kit/listen.ts'
import { openServer } from '../../../kit/open-server.ts'
import { runMain } from '../../../kit/run-main.ts'
import { testServer } from '../../../kit/test-server.ts'

/** An address at which nothing listens. */
async function deadAddress(): Promise<string> {
  const { url, close } = await openServer(() => {})
  await close()
  return url
}

/** Asks a sandbox whether it serves. */
function healthAt(url: string, place: Partial<Target> = {}): Promise<unknown> {
  const options = { sandbox: undefined, 'control-token': undefined, ...place, url }
  return atSandbox(options, (client) => client.health())
}

/** What a command prints when it can't do anything. */
function failure(message: string, code = 1) {
  return { code, stdout: '', stderr: `petstore-sandbox: ${message}\n` }
}

/** A command of each kind. */
const commands = [
  { words: ['clock'] },
  { words: ['requests', '--follow'] },
  { words: ['snapshot', 'save', 'file'] },
]

describe('atSandbox()', () => {
  it.each([
    { what: 'a page', status: 200, body: '<h1>Hello</h1>' },
    { what: 'an error of other form', status: 500, body: '{"error":"sorry"}' },
  ])('does not take $what for the answer of a sandbox', async ({ status, body }) => {
    const { url } = await listen((_request, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1/' }).end(body)
    })
    await expect(healthAt(url)).rejects.toMatchObject({
      message: `Cannot use ${url}/_sandbox: the server there is not petstore-sandbox; name one with --url`,
      exitCode: 1,
    })
  })

  it('says that fetch asks nothing of a port', async () => {
    await expect(healthAt('http://127.0.0.1:1')).rejects.toThrow(
      'Cannot reach http://127.0.0.1:1/_sandbox: fetch blocks this port; use another one; start a',
    )
  })
})

describe('a command for a running sandbox', () => {
  it('takes its address and its token from variables, and counts an empty one as none', async () => {
    const { url } = await testServer({ controlToken: 'secret' })
    const variables = {
      PETSTORE_SANDBOX_URL: url,
      PETSTORE_SANDBOX_CONTROL_TOKEN: 'secret',
    }
    expect(await runMain(['clock'], { env: variables })).toMatchObject({ code: 0, stderr: '' })
    const options = ['--url', url, '--control-token', 'secret']
    const empty = { PETSTORE_SANDBOX_URL: '', PETSTORE_SANDBOX_CONTROL_TOKEN: '' }
    expect(await runMain(['clock', ...options], { env: empty })).toMatchObject({ code: 0 })
  })

  it.each(['schlüssel€', 'to\nken'])(
    'takes no token that a header cannot carry: %j',
    async (token) => {
      const env = { PETSTORE_SANDBOX_CONTROL_TOKEN: token }
      for (const result of [
        await runMain(['status', '--control-token', token]),
        await runMain(['status'], { env }),
      ]) {
        expect(result).toMatchObject({ code: 2, stdout: '' })
        expect(result.stderr).toMatch(/^petstore-sandbox: Cannot set .* printable ASCII .*\n$/)
      }
    },
  )

  it('takes the last one of several addresses', async () => {
    const { url } = await testServer()
    const result = await runMain(['clock', '--url', 'nonsense', '--url', url])
    expect(result).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([{ token: undefined }, { token: 'wrong' }])(
    'says how to give a token when it has $token',
    async ({ token }) => {
      const { url } = await testServer({ controlToken: 'secret' })
      const options = token === undefined ? [] : ['--control-token', token]
      for (const words of [['clock'], ['requests', '--follow']]) {
        expect(await runMain([...words, '--url', url, ...options])).toEqual(
          failure(
            'Cannot use the control API: the request has no valid control token; send Authorization: Bearer <control token>, as --control-token does',
          ),
        )
      }
    },
  )

  it('is for the sandbox that --sandbox names', async () => {
    const pool = new SandboxPool()
    const alice = pool.create({ name: 'alice', clock: { now: 0, mode: 'frozen' } }).sandbox
    const { url, sandbox } = await testServer({ pool })
    const result = await runMain(['pets', 'clear', '--url', url, '--sandbox', 'alice'])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect({ alice: alice.pets.size, usual: sandbox.pets.size }).toEqual({ alice: 0, usual: 30 })
    const { stdout } = await runMain(['status', '--url', url, '--sandbox', 'alice'])
    expect(stdout).toContain(`${url}/sandboxes/alice/v1\n`)
  })

  it.each(commands)('says that there is no such sandbox: $words', async ({ words }) => {
    const { url } = await testServer()
    expect(await runMain([...words, '--url', url, '--sandbox', 'bob'])).toEqual(
      failure(
        'Cannot find sandbox "bob": no such sandbox; create it with npx petstore-sandbox sandboxes create NAME, or start the server with --auto-create',
      ),
    )
  })

  it.each(['.', '..', ''])(
    'does not take %j for a name, nor for a part of a path',
    async (name) => {
      const { url, sandbox } = await testServer()
      for (const words of [
        ['reset', '--sandbox', name],
        ['pets', 'delete', name],
        ['keys', 'delete', name],
        ['sandboxes', 'delete', name],
      ]) {
        const result = await runMain([...words, '--url', url])
        expect(result).toMatchObject({ stdout: '', code: expect.any(Number) })
        expect(result.stderr).toMatch(
          /^petstore-sandbox: Cannot (?:find "\.*": nothing can have this name|set .*: found "\.*"; use .*)\n$/,
        )
        expect([1, 2]).toContain(result.code)
      }
      expect(sandbox.pets.size).toBe(30)
    },
  )

  it.each(commands)('says that nothing listens: $words', async ({ words }) => {
    const url = await deadAddress()
    expect(await runMain([...words, '--url', url])).toEqual(
      failure(
        `Cannot reach ${url}/_sandbox: nothing listens there; start a sandbox with npx petstore-sandbox, or name one with --url`,
      ),
    )
  })

  it('changes nothing at a server that is no sandbox', async () => {
    const methods: (string | undefined)[] = []
    const { url } = await listen(({ method }, response) => {
      methods.push(method)
      response.end('{}')
    })
    await runMain(['pets', 'clear', '--url', url])
    expect(methods).toEqual(['GET'])
  })
})
