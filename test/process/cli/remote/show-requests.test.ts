import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { followRequests } from '../../../../src/cli/remote/show-requests.ts'
import { connectSandbox } from '../../../../src/client/connect-sandbox.ts'
import type { SandboxClient } from '../../../../src/client/sandbox-client.ts'
import type { RequestFilter } from '../../../../src/mock/log/request-view.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../../../src/sandbox/sandbox-pool.ts'
import { startServer } from '../../../../src/server/start-server.ts'
import { Cli, type CliResult, nodePrograms } from '../../../kit/cli-process.ts'
import { runMain } from '../../../kit/run-main.ts'
import { requestOf, send } from '../../../kit/send.ts'
import { testServer } from '../../../kit/test-server.ts'

/** A sandbox whose time stands still. */
function frozenSandbox() {
  return createSandbox({ clock: { now: '2027-03-01T12:00:00Z', mode: 'frozen' } })
}

/** A sandbox with some requests in its request log, a minute between them. */
async function usedSandbox() {
  const sandbox = frozenSandbox()
  for (const request of [
    {},
    { url: '/v1/pets/1', key: 'pro-key' },
    { url: '/v1/pets/99', key: 'pro-key' },
    { json: '{"name":"Rex","categoryId":1}' },
    { key: null },
  ]) {
    await send(sandbox, request)
    sandbox.clock.advance('1m')
  }
  return sandbox
}

/** The ids of the entries that the program has printed as JSON, one to a line. */
function idsIn({ stdout }: Pick<CliResult, 'stdout'>): number[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id)
}

/** Follows a sandbox as the command does, in this process; gives the ids as they are shown. */
async function following(url: string, query: RequestFilter = {}) {
  const stdout = new PassThrough()
  const ids: number[] = []
  const ended = followRequests(connectSandbox(url), query, ({ id }) => ids.push(id), stdout)
  onTestFinished(async () => {
    stdout.destroy(new Error('Nobody reads any more'))
    await ended
  })
  return ids
}

describe('showRequests()', () => {
  it('shows a person each request, and why it was handled so', async () => {
    const { url } = await testServer({ sandbox: await usedSandbox() })
    const { code, stdout, stderr } = await runMain(['requests', '--url', url])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      `#1  2027-03-01 12:00:00  GET  /v1/pets  free…  59/60 left  200: listPets; spec 4.1
#2  2027-03-01 12:01:00  GET  /v1/pets/1  pro…  299/300 left  200: getPet; spec 4.3
#3  2027-03-01 12:02:00  GET  /v1/pets/99  pro…  299/300 left  404: Cannot find pet 99: no such pet; spec 4.3
#4  2027-03-01 12:03:00  POST /v1/pets  free…  59/60 left  201: createPet; spec 4.2
#5  2027-03-01 12:04:00  GET  /v1/pets  no key  59/60 left  401: Cannot authenticate: the Authorization header is missing; send Authorization: Bearer <API_KEY>; spec 5
`,
    )
  })

  it('says that there are none, to a script as an empty array', async () => {
    const { url } = await testServer()
    expect((await runMain(['requests', '--url', url])).stdout).toBe('No requests\n')
    expect((await runMain(['requests', '--json', '--url', url])).stdout).toBe('[]\n')
  })

  it('prints the entries as JSON, and as an archive', async () => {
    const sandbox = await usedSandbox()
    const { url } = await testServer({ sandbox })
    const { stdout } = await runMain(['requests', '--json', '--url', url])
    expect(JSON.parse(stdout)).toEqual(sandbox.requests.list())
    const { stdout: archive } = await runMain(['requests', '--har', '--limit', '2', '--url', url])
    expect(JSON.parse(archive)).toEqual(await sandbox.requests.har({ limit: 2 }, url))
  })

  it.each([
    { filter: ['--operation', 'getPet'], ids: [2, 3] },
    { filter: ['--status', '201'], ids: [4] },
    { filter: ['--key', 'pro-key'], ids: [2, 3] },
    { filter: ['--since', '2027-03-01T12:03:00Z'], ids: [4, 5] },
    { filter: ['--limit', '2'], ids: [4, 5] },
    { filter: ['--key', 'free-key', '--status', '200'], ids: [1] },
    { filter: ['--status', 'disconnect'], ids: [] },
  ])('lists only what fits $filter', async ({ filter, ids }) => {
    const { url } = await testServer({ sandbox: await usedSandbox() })
    const { stdout } = await runMain(['requests', '--json', ...filter, '--url', url])
    expect(JSON.parse(stdout).map(({ id }: { readonly id: number }) => id)).toEqual(ids)
  })

  it('prints one request in full, by the number that findings name', async () => {
    const sandbox = await usedSandbox()
    const { url } = await testServer({ sandbox })
    const { code, stdout, stderr } = await runMain(['requests', '4', '--url', url])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      `#4  2027-03-01 12:03:00  POST /v1/pets  free…  59/60 left  201: createPet; spec 4.2

POST /v1/pets
authorization: Bearer free…
content-type: application/json

{"name":"Rex","categoryId":1}

201
content-type: application/json
date: Mon, 01 Mar 2027 12:03:00 GMT
x-ratelimit-limit: 60
x-ratelimit-remaining: 59
x-ratelimit-reset: 1803902640

{"id":31,"name":"Rex","categoryId":1,"status":"available"}
`,
    )
    const { stdout: json } = await runMain(['requests', '4', '--json', '--url', url])
    expect(JSON.parse(json)).toEqual(sandbox.requests.get(4))
  })

  it('prints that a request got no response', async () => {
    const { url, sandbox } = await testServer()
    sandbox.faults.add({ fault: 'timeout' })
    // At once, since its client has left.
    await sandbox.handle(requestOf({}), AbortSignal.abort())
    const { stdout } = await runMain(['requests', '1', '--url', url])
    expect(stdout).toContain('\nFaults applied: 1\n')
    expect(stdout).toContain('\nNo response (timeout)\n')
  })

  it('prints that a fault broke a response', async () => {
    const { url, sandbox } = await testServer()
    sandbox.faults.add({ fault: 'disconnect', when: 'body' })
    const sent = fetch(`${url}/v1/pets`).then((response) => response.text())
    await expect(sent).rejects.toThrow()
    await expect.poll(() => sandbox.requests.last()?.delivery).toBe('broken')
    const { stdout } = await runMain(['requests', '1', '--url', url])
    expect(stdout).toContain('\nA fault broke the response\n')
  })

  it('names the requests that exist', async () => {
    const { url, sandbox } = await testServer({ sandbox: await usedSandbox() })
    expect(await runMain(['requests', '6', '--url', url])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'petstore-sandbox: Cannot find request 6: no such request in the log, which has requests 1 to 5\n',
    })
    sandbox.requests.clear()
    const { stderr } = await runMain(['requests', '1', '--url', url])
    expect(stderr).toMatch(/: no such request in the log, which is empty\n$/)
  })

  it('shows a long address cut, and none that a terminal would obey', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { url: `/v1/${'x'.repeat(500)}` })
    await sandbox.handle({ method: 'GET', url: '/v1/\u009b31m', headers: {}, body: '' })
    const { url } = await testServer({ sandbox })
    const { stdout } = await runMain(['requests', '--url', url])
    expect(stdout).toContain(`  GET  /v1/${'x'.repeat(116)}…  free…  `)
    expect(stdout).toContain('  GET  /v1/\\x9b31m  no key  ')
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u)
  })
})

describe('showRequests() with --follow', () => {
  it.each(nodePrograms())(
    'shows what there is, then each new request once, until the sandbox stops (Node $version)',
    async ({ path }) => {
      const server = await startServer({ port: 0 })
      onTestFinished(() => server.close())
      const { sandbox, url } = server
      await send(sandbox)
      const cli = new Cli(['requests', '--follow', '--json', '--url', url], { node: path })
      await cli.printed(/"id":1,/)
      for (let id = 2; id < 50; id++) await send(sandbox, { key: 'pro-key' })
      await cli.printed(/"id":49,/)
      await server.close()
      const result = await cli.ended()
      expect(result).toMatchObject({
        code: 0,
        stderr: 'petstore-sandbox: The sandbox has stopped\n',
      })
      expect(idsIn(result)).toEqual(Array.from({ length: 49 }, (_, index) => index + 1))
    },
  )

  it('goes on over resets, over which ids count on', async () => {
    const { sandbox, url } = await testServer({ sandbox: frozenSandbox() })
    await send(sandbox)
    const ids = await following(url)
    await expect.poll(() => ids).toEqual([1])
    sandbox.reset()
    await send(sandbox)
    await expect.poll(() => ids).toEqual([1, 2])
    await send(sandbox)
    sandbox.reset()
    await send(sandbox)
    await send(sandbox)
    await expect.poll(() => ids).toEqual([1, 2, 3, 4, 5])
  })

  it.each([
    { filter: { operation: 'getPet' }, ids: [3] },
    { filter: { status: 404 }, ids: [3] },
    { filter: { key: 'test-key-2' }, ids: [2, 6] },
    { filter: { key: 'test…' }, ids: [1, 2, 6] },
    { filter: { since: '2027-03-01T12:01:00Z' }, ids: [4, 5, 6] },
  ] as const)('shows only what fits $filter', async ({ filter, ids }) => {
    const keys = ['test-key-1', 'test-key-2', 'last-key'].map((key) => ({
      key,
      plan: 'free' as const,
    }))
    const sandbox = createSandbox({
      clock: { now: '2027-03-01T12:00:00Z', mode: 'frozen' },
      seed: { keys },
    })
    const { url } = await testServer({ sandbox })
    const [all, shown] = [await following(url), await following(url, filter)]
    const requests = [
      { key: 'test-key-1' },
      { key: 'test-key-2' },
      { key: 'last-key', url: '/v1/pets/99' },
      { key: null },
      { key: 'last-key' },
      { key: 'test-key-2' },
    ]
    for (const [index, request] of requests.entries()) {
      if (index === 3) sandbox.clock.advance('1m')
      await send(sandbox, request)
    }
    await expect.poll(() => all).toEqual([1, 2, 3, 4, 5, 6])
    await expect.poll(() => shown).toEqual(ids)
  })

  it('follows a named sandbox alone', async () => {
    const pool = new SandboxPool()
    const alice = pool.create({ name: 'alice' }).sandbox
    const { url, sandbox } = await testServer({ pool })
    const [all, alone] = [await following(url), await following(`${url}/sandboxes/alice/_sandbox`)]
    for (const _ of [1, 2]) await send(sandbox)
    await send(alice, { key: 'pro-key' })
    await expect.poll(() => [all, alone]).toEqual([[1, 2], [1]])
  })

  it('ends quietly for SIGTERM', async () => {
    const { url, sandbox } = await testServer()
    await send(sandbox)
    const cli = new Cli(['requests', '--follow', '--url', url])
    await cli.printed(/listPets/)
    const ended = new Promise((resolve) => {
      cli.process.once('exit', (_code, by) => resolve(by))
    })
    const { stderr } = await cli.stop('SIGTERM')
    expect([await ended, stderr]).toEqual(['SIGTERM', ''])
  })

  it('ends when nobody reads any more', async () => {
    const { url, sandbox } = await testServer()
    await send(sandbox)
    const cli = new Cli(['requests', '--follow', '--url', url])
    await cli.printed(/listPets/)
    cli.process.stdout.destroy()
    const ended = cli.ended()
    let hasEnded = false
    void ended.then(() => {
      hasEnded = true
    })
    while (!hasEnded) {
      await send(sandbox, { key: 'enterprise-key' })
      await new Promise(setImmediate)
    }
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('goes on when the sandbox is restarted', async () => {
    const first = await testServer()
    const cli = new Cli(['requests', '--follow', '--json', '--url', first.url])
    await fetch(`${first.url}/v1/pets`)
    await cli.printed(/\n/)
    await first.close()
    // Here it starts at once, however busy the machine: the command waits for it for a few seconds.
    const { url } = await testServer({ port: first.port })
    await cli.printed(/Cannot send every request/, 'stderr')
    await fetch(`${url}/v1/pets/1`)
    await cli.printed(/"operation":"getPet"/)
  })
})

describe('followRequests()', () => {
  it('shows a request once that came while it listed, whatever comes before it', async () => {
    const { sandbox, url } = await testServer({ sandbox: frozenSandbox() })
    const client = connectSandbox(url)
    const stdout = new PassThrough()
    const shown: number[] = []
    let isListed = false
    const racing: SandboxClient = {
      ...client,
      requests: {
        ...client.requests,
        async list(query) {
          if (!isListed) {
            isListed = true
            // Among the events, too; the first one doesn't fit.
            await send(sandbox)
            await send(sandbox, { key: null })
          }
          return await client.requests.list(query)
        },
      },
    }
    const following = followRequests(racing, { status: 401 }, ({ id }) => shown.push(id), stdout)
    while (shown.length === 0) await new Promise(setImmediate)
    await send(sandbox, { key: null })
    while (!shown.includes(3)) await new Promise(setImmediate)
    stdout.destroy(new Error('Nobody reads any more'))
    await following
    expect(shown).toEqual([2, 3])
  })
})
