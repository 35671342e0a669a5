import type { Sandbox } from '../../../../src/mock/sandbox.ts'
import { type RunningServer, startServer } from '../../../../src/server/start-server.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { type Library, type LibraryClient, libraries } from './libraries.ts'

/** What a client meets. */
interface Situation {
  readonly name: string
  readonly key?: string
  readonly prepare?: (sandbox: Sandbox) => void
  readonly act: (client: LibraryClient) => Promise<unknown>
}

const list = (client: LibraryClient): Promise<unknown> => client.list()
const create = (client: LibraryClient): Promise<unknown> => client.create()

const key = 'free-key'

const situations: readonly Situation[] = [
  {
    name: 'GET, 429, Retry-After: 6',
    prepare: ({ keys }) => keys.setRemaining(key, { minute: 0 }),
    act: list,
  },
  {
    name: 'GET, 503 twice',
    prepare: ({ faults }) => faults.add({ fault: 'status', status: 503, times: 2 }),
    act: list,
  },
  {
    name: 'GET, 503 on and on',
    prepare: ({ faults }) => faults.add({ fault: 'status', status: 503 }),
    act: list,
  },
  {
    name: 'GET, connection lost once',
    prepare: ({ faults }) => faults.add({ fault: 'disconnect', times: 1 }),
    act: list,
  },
  {
    name: 'POST, 503 once',
    prepare: ({ faults }) => faults.add({ fault: 'status', status: 503, times: 1 }),
    act: create,
  },
  {
    name: 'POST, answer lost once',
    prepare: ({ faults }) => faults.add({ fault: 'disconnect', times: 1 }),
    act: create,
  },
  { name: 'GET, invalid key', key: 'nobody-knows-it', act: list },
]

/** How long a client may try, in real milliseconds. */
const patienceMs = 10_000

/** Six seconds before the end of the next minute, so that a client waits no longer for it than that. */
function nearlyOver(): number {
  return (Math.floor(Date.now() / 60_000) + 1) * 60_000 + 54_000
}

/** A client that is connected, and about to meet a situation. */
interface Scene {
  readonly library: Library
  readonly situation: Situation
  readonly sandbox: Sandbox
  readonly server: RunningServer
  readonly client: LibraryClient
  readonly patience: AbortController
  /** How many requests it has sent to warm up. */
  readonly before: number
}

async function prepare(library: Library, situation: Situation): Promise<Scene> {
  const sandbox = frozenSandbox({ clock: { mode: 'running', now: nearlyOver() } })
  const server = await startServer({ port: 0, sandbox })
  const patience = new AbortController()
  const Authorization = `Bearer ${situation.key ?? key}`
  const place = { url: `${server.url}/v1`, headers: { Authorization }, signal: patience.signal }
  const client = library.connect(place)
  // What is loaded and compiled late would look like a pause.
  if (situation.key === undefined) await client.list()
  const before = sandbox.requests.list().length
  return { library, situation, sandbox, server, client, patience, before }
}

/** Says what became of a client in a situation, and what the audit says of it. */
async function tell({ situation, sandbox, server, client, patience, before }: Scene) {
  sandbox.clock.set(nearlyOver())
  situation.prepare?.(sandbox)
  const timer = setTimeout(() => patience.abort(), patienceMs)
  const end = await situation.act(client).then(
    () => 'served',
    () => (patience.signal.aborted ? 'still trying' : 'gave up'),
  )
  clearTimeout(timer)
  const findings = await sandbox.findings({ oneClient: true })
  await server.close()
  const tries = sandbox.requests.list().length - before
  const complaints = findings.filter(({ severity }) => severity !== 'info')
  const count = end === 'still trying' ? '' : `, ${tries}`
  const said = complaints.map(({ rule, severity }) => `**${rule}** (${severity})`)
  return [`${end}${count}`, ...said].join('; ')
}

/** How often a scene is played at most, by itself, that went otherwise than it is known to. */
const mostReplays = 5

/**
 * The table of what the audit says of each library in each situation.
 *
 * @param known The table as it was. What differs from it is played again by itself: a busy machine may have kept a client
 *   waiting that wouldn't wait by itself.
 */
export async function clientTable(known: string): Promise<string> {
  const knownCells = known
    .split('\n')
    .slice(2)
    .map((line) => line.split(' | ').slice(2))
  const scenes: Scene[] = []
  for (const library of libraries) {
    for (const situation of situations) scenes.push(await prepare(library, situation))
  }
  // At the same time: what clients do most is wait.
  const cells = await Promise.all(scenes.map(tell))
  for (const [index, { library, situation }] of scenes.entries()) {
    const row = knownCells[Math.floor(index / situations.length)]
    const expected = row?.[index % situations.length]?.replace(/ \|$/, '')
    for (let plays = 0; cells[index] !== expected && plays < mostReplays; plays++) {
      cells[index] = await tell(await prepare(library, situation))
    }
  }
  const head = ['library', 'settings', ...situations.map(({ name }) => name)]
  const rows = libraries.map((library) => {
    const own = cells.filter((_, index) => scenes[index]?.library === library)
    return [library.name, library.settings, ...own]
  })
  const lines = [head, head.map(() => '---'), ...rows]
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`
}
