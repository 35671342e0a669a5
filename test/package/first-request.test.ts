import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'
import { projectFolder } from './project-folder.ts'

expectFreshBuild()

const run = promisify(execFile)

/** What pages get of the package, and what Node does: with a condition that no package knows, pages' files are theirs. */
const hosts = {
  page: { sandbox: './dist/index.js', msw: './dist/msw.js' },
  Node: { sandbox: 'petstore-sandbox', msw: 'petstore-sandbox/msw' },
} as const

/** Runs a program in a process of its own, which has answered no request before, and gives what it returns. */
async function inNewProcess(host: keyof typeof hosts, body: string): Promise<unknown> {
  const program = `
    import { createSandbox } from '${hosts[host].sandbox}'
    const sandbox = createSandbox({ clock: { mode: 'frozen', now: '2027-01-15T08:00:00Z' } })
    const request = {
      method: 'GET',
      url: '/v1/pets?limit=1',
      headers: { authorization: 'Bearer free-key' },
      body: '',
    }
    const minutes = (at) => (Date.parse(at) - Date.parse('2027-01-15T08:00:00Z')) / 60_000
    const run = async () => {${body}}
    console.log(JSON.stringify(await run()))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: projectFolder,
  })
  return JSON.parse(stdout)
}

/** Moves the clock on while the first request is under way, and then sends another one. */
const moveMeanwhile = `
  const first = sandbox.handle(request)
  sandbox.clock.advance('1m')
  const second = sandbox.handle(request)
  await Promise.all([first, second])
  return sandbox.journal.entries().map(({ at }) => minutes(at))`

describe('the first request of a process', () => {
  it('begins at once in Node', async () => {
    expect(await inNewProcess('Node', moveMeanwhile)).toEqual([0, 1])
  })

  it('begins in a page when what answers it is there, after what was done meanwhile', async () => {
    expect(await inNewProcess('page', moveMeanwhile)).toEqual([1, 1])
  })

  it('begins at once in a page that has waited until the sandbox is ready', async () => {
    expect(await inNewProcess('page', `await sandbox.ready()${moveMeanwhile}`)).toEqual([0, 1])
  })

  it('is answered by what a reset meanwhile has made of the sandbox', async () => {
    const found = await inNewProcess(
      'page',
      `
      const reply = sandbox.handle(request)
      sandbox.reset()
      const { status } = await reply
      return [status, sandbox.journal.entries().length, sandbox.keys.get('free-key').minute.remaining]`,
    )
    expect(found).toEqual([200, 1, 59])
  })

  it('goes before those that are sent after it', async () => {
    const found = await inNewProcess(
      'page',
      `
      const send = (limit) => sandbox.handle({ ...request, url: '/v1/pets?limit=' + limit })
      await Promise.all([1, 2, 3, 4].map(send))
      return sandbox.journal.entries().map(({ request }) => request.url.at(-1))`,
    )
    expect(found).toEqual(['1', '2', '3', '4'])
  })

  it('ends at once in a page when its client has left meanwhile, and is in the journal', async () => {
    const found = await inNewProcess(
      'page',
      `
      sandbox.faults.add({ fault: 'latency', ms: '1h' })
      const client = new AbortController()
      const reply = sandbox.handle(request, client.signal)
      client.abort()
      await reply
      return sandbox.journal.entries().map(({ delivery }) => delivery)`,
    )
    expect(found).toEqual(['left'])
  })

  it.each(['page', 'Node'] as const)(
    'is answered by the handlers of MSW as they are for: %s',
    async (host) => {
      const found = await inNewProcess(
        host,
        `
      const { createHandlers } = await import('${hosts[host].msw}')
      const [handler] = createHandlers(sandbox)
      const { response } = await handler.run({
        request: new Request('http://api.test/v1/pets?limit=1', { headers: request.headers }),
        requestId: '1',
      })
      return [response.status, (await response.json()).length, sandbox.journal.last().door]`,
      )
      expect(found).toEqual([200, 1, 'msw'])
    },
  )

  it('goes before those that come through the handlers of MSW when only a part of what answers is there', async () => {
    const found = await inNewProcess(
      'page',
      `
      const { createHandlers } = await import('${hosts.page.msw}')
      const [handler] = createHandlers(sandbox)
      const send = (limit) => handler.run({
        request: new Request('http://api.test/v1/pets?limit=' + limit, { headers: request.headers }),
        requestId: String(limit),
      })
      const first = send(1)
      const later = []
      for (let limit = 2; limit <= 60; limit++) {
        await new Promise((resolve) => (limit % 2 ? setImmediate(resolve) : queueMicrotask(resolve)))
        later.push(send(limit))
      }
      await Promise.all([first, ...later])
      return sandbox.journal.entries().map(({ request }) => Number(/\\d+$/.exec(request.url)))`,
    )
    expect(found).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
  })

  it('begins at once through the handlers of MSW once the sandbox is ready', async () => {
    const found = await inNewProcess(
      'page',
      `
      const { createHandlers } = await import('${hosts.page.msw}')
      const [handler] = createHandlers(sandbox)
      await sandbox.ready()
      const reply = handler.run({
        request: new Request('http://api.test/v1/pets', { headers: request.headers }),
        requestId: '1',
      })
      // As many turns as MSW needs, and less than loading anything takes.
      for (let turn = 0; turn < 50; turn++) await Promise.resolve()
      sandbox.clock.advance('1m')
      await reply
      return sandbox.journal.entries().map(({ at }) => minutes(at))`,
    )
    expect(found).toEqual([0])
  })

  it('needs nothing that is loaded later through Fetch, as service workers may load nothing', async () => {
    const found = await inNewProcess(
      'page',
      `
      const { createFetchHandler } = await import('./dist/fetch.js')
      const answer = createFetchHandler(sandbox)
      const reply = sandbox.handle(request)
      sandbox.clock.advance('1m')
      await reply
      const { status } = await answer('http://api.test/v1/pets', { headers: request.headers })
      return [status, minutes(sandbox.journal.entries()[0].at)]`,
    )
    expect(found).toEqual([200, 0])
  })

  it('is judged, though the verdict was asked for before', async () => {
    const found = await inNewProcess(
      'page',
      `
      const found = []
      sandbox.subscribeFindings(({ rule }) => found.push(rule))
      await sandbox.audit()
      await sandbox.handle({ ...request, url: '/v1/pets?limit=1&limit=free-key' })
      const verdict = await sandbox.audit()
      return [found.length > 0, verdict.map(({ rule }) => rule).sort().join() === found.sort().join()]`,
    )
    expect(found).toEqual([true, true])
  })

  it('is not needed to read a snapshot, and the journal in it', async () => {
    const snapshot = await inNewProcess(
      'Node',
      'await sandbox.handle(request); return sandbox.snapshot()',
    )
    const found = await inNewProcess(
      'page',
      `
      sandbox.restore(${JSON.stringify(snapshot)})
      sandbox.journal.mark({ kind: 'test-began', name: 'asks with free-key' })
      const [mark] = sandbox.journal.marks().slice(-1)
      return [sandbox.journal.entries().length, sandbox.journal.get(1).key, mark.name]`,
    )
    expect(found).toEqual([1, 'free…', 'asks with free…'])
  })
})
