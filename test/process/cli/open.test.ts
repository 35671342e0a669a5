import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectSandbox } from '../../../src/client/connect-sandbox.ts'
import { toJson } from '../../../src/mock/api/json.ts'
import type { RequestView } from '../../../src/mock/log/request-view.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { Cli, testFolder } from '../../kit/cli-process.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { runMain } from '../../kit/run-main.ts'
import { requestOf } from '../../kit/send.ts'
import { testServer } from '../../kit/test-server.ts'

/** Writes a file and opens it; gives the address of the page. */
async function openFile(name: string, document: unknown): Promise<{ cli: Cli; page: URL }> {
  const cwd = testFolder()
  writeFileSync(join(cwd, name), toJson(document))
  const cli = new Cli(['open', name, '--no-browser'], { cwd })
  const [, address = ''] = await cli.printed(/ is shown at (\S+)/)
  return { cli, page: new URL(address) }
}

/** Sends a request over a connection of an agent, or by Node's `fetch`, whose pool takes one or the other. */
async function get(port: number, key: string, agent?: Agent): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'user-agent': 'test/1' }
  if (agent === undefined) {
    const reply = await fetch(`http://127.0.0.1:${port}/v1/pets?limit=1`, { headers })
    await reply.text()
    return
  }
  await new Promise<void>((resolve, reject) => {
    const outgoing = request({ port, path: '/v1/pets?limit=1', headers, agent }, (reply) => {
      reply.resume().on('end', resolve)
    })
    outgoing.on('error', reject).end()
  })
}

/**
 * Has three clients use up their keys: a rude one that comes back at once, by `fetch`; a polite one, by `fetch`, that waits
 * for as long as it is told to; and three connections with one key, one of which is rude.
 */
async function playClients(port: number, { clock, keys, ...sandbox }: Sandbox): Promise<void> {
  const [rude, polite, shared] = ['free-key', 'pro-key', 'shared-key']
  keys.issue({ key: shared, plan: 'free' })
  // Longer than an answer may take on a busy machine: until then, a client need not know.
  const late = async () => await new Promise((resolve) => setTimeout(resolve, 2_000))
  const useUp = (key: string) => keys.setRemaining(key, { minute: 1 })
  useUp(rude)
  for (let sent = 0; sent < 3; sent++) await get(port, rude)
  await late()
  await get(port, rude)
  useUp(polite)
  for (let sent = 0; sent < 2; sent++) await get(port, polite)
  clock.advance('61s')
  await get(port, polite)
  sandbox.faults.add({ fault: 'latency', ms: 50, times: 1 })
  const agents = [1, 2, 3].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  const [first, ...others] = agents
  const both = Promise.all(agents.map((agent) => get(port, shared, agent)))
  await late()
  clock.advance(100)
  await both
  useUp(shared)
  for (const agent of others) await get(port, shared, agent)
  await late()
  await get(port, shared, first)
  for (const agent of agents) agent.destroy()
}

describe('open', () => {
  it('shows a capture, lets nothing be changed, and ends when it is told to', async () => {
    const original = frozenSandbox()
    await original.handle(requestOf({}))
    await original.handle(requestOf({ url: '/v1/pets/1' }))
    const { cli, page } = await openFile('a "b".json', await original.capture())
    expect(await (await fetch(page)).text()).toContain('id="run" data-name="a &#34;b&#34;.json"')
    const shown = connectSandbox(page.origin)
    expect(await shown.requests.list()).toMatchObject(
      original.requests.list().map(({ at, why }) => ({ at, why })),
    )
    expect(await shown.whatIf({ request: 1, gaps: { listOrder: 'id-descending' } })).toMatchObject({
      results: [{ changesResponse: true }],
    })
    await expect(shown.reset()).rejects.toThrow('Cannot change a "b".json: it is only shown here')
    await expect(shown.restore(original.snapshot())).rejects.toThrow('it is only shown here')
    for (const path of ['keys/what-if', 'faults?id=/what-if', 'sandboxes/what-if']) {
      const asked = await fetch(new URL(`/_sandbox/${path}`, page), { method: 'DELETE' })
      expect(asked.status).toBe(403)
    }
    const reply = await fetch(new URL('/v1/pets', page), { method: 'POST', body: 'x' })
    expect(reply.status).toBe(403)
    // S13: whoever opens the address sees the file, too.
    const start = await fetch(new URL('/', page), { headers: { accept: 'text/html' } })
    expect(await start.text()).toContain('id="run"')
    expect(await shown.requests.list()).toHaveLength(2)
    expect(await cli.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
  })

  it('judges the clients of a capture as the live console did, whatever connections they had', async () => {
    const server = await testServer({ sandbox: frozenSandbox() })
    const { sandbox } = server
    await sandbox.findings()
    await playClients(server.port, sandbox)
    const findings = await sandbox.findings()
    const found = findings.map(({ rule, severity, client }) => `${client} ${rule} ${severity}`)
    expect(found).toContain('1 retry-too-early error')
    expect(found).toContain('3 retry-too-early info')
    expect(found.filter((one) => one.startsWith('2 '))).toEqual([])
    const { page } = await openFile('live.json', await sandbox.capture())
    const shown = connectSandbox(page.origin)
    expect(await shown.findings()).toEqual(findings)
    const facts = ({
      id,
      sequence,
      receivedMs,
      connection,
      adapter,
      delivery,
      durationMs,
    }: RequestView) => ({
      ...{ id, sequence, receivedMs, connection, adapter, delivery, durationMs },
    })
    expect((await shown.requests.list()).map(facts)).toEqual(sandbox.requests.list().map(facts))
    expect(await shown.requests.changes()).toEqual(sandbox.requests.changes())
  })

  it('writes the page and the file to a folder, without a key that the capture hides', async () => {
    const original = frozenSandbox()
    const key = 'a-key-that-nobody-may-see-4711'
    original.keys.issue({ key, plan: 'free' })
    await original.handle(requestOf({ headers: { authorization: `Bearer ${key}` } }))
    const cwd = testFolder()
    writeFileSync(join(cwd, 'failed.json'), toJson(await original.capture()))
    const { code, stdout } = await runMain(['open', 'failed.json', '--to', 'a/b'], { cwd })
    expect([code, stdout]).toEqual([0, 'failed.json is in a/b: put the folder on any web server\n'])
    const names = readdirSync(join(cwd, 'a/b'))
    expect(names).toEqual(
      expect.arrayContaining(['THIRD-PARTY.md', 'index.html', 'api.html', 'playground.js']),
    )
    for (const name of names) {
      expect(readFileSync(join(cwd, 'a/b', name), 'utf8')).not.toContain(key)
    }
    expect(readFileSync(join(cwd, 'a/b/index.html'), 'utf8')).toContain('"petstoreCapture":1')
    expect(readFileSync(join(cwd, 'a/b/playground.html'), 'utf8')).not.toContain('petstoreCapture')
    const again = await runMain(['open', '--to', 'failed.json'], { cwd })
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/^.*Cannot write failed\.json: .*\n$/),
    ])
  })

  it.each(['/proc/none', '/proc/none/inner'])(
    'says that it can write no folder where nothing can be made: %s',
    async (folder) => {
      const { code, stdout, stderr } = await runMain(['open', '--to', folder])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^petstore-sandbox: Cannot write \/proc\/none\S*: .+\n$/)
    },
  )

  it('shows the playground without a file', async () => {
    const cli = new Cli(['open', '--no-browser'])
    const [, address = ''] = await cli.printed(/The playground is shown at (\S+)/)
    const page = await fetch(address)
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'none'")
    expect(await page.text()).toContain('src="playground.js"')
    expect(await cli.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([
    { what: 'another document', text: '{"a":1}', why: 'the file is not a capture' },
    {
      what: 'a HAR file',
      text: '{"log":{}}',
      why: 'a HAR file, not a capture; calibrate reads it',
    },
    { what: 'a report', text: '{"findings":[]}', why: 'a report, not a capture; check --baseline' },
    { what: 'a seed', text: '{"pets":[]}', why: 'a seed, not a capture; --seed-file reads it' },
    {
      what: 'a snapshot',
      text: '{"petstoreSandbox":1,"pets":[]}',
      why: 'a snapshot, not a capture; snapshot restore reads it',
    },
    { what: 'no JSON', text: 'petstore', why: 'it is not valid JSON' },
    { what: 'a broken capture', text: '{"petstoreCapture":1}', why: 'required' },
    { what: 'a later capture', text: '{"petstoreCapture":99}', why: 'it has version 99' },
  ])('rejects $what in one line', async ({ text, why }) => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'a.json'), text)
    const { code, stdout, stderr } = await runMain(['open', 'a.json', '--no-browser'], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(why)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
