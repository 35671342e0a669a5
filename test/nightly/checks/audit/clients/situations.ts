import type { GapSettings } from '../../../../../src/mock/api/gaps.ts'
import { spanText } from '../../../../../src/mock/input/values.ts'
import type { Sandbox } from '../../../../../src/sandbox/sandbox.ts'
import { type RunningServer, startServer } from '../../../../../src/server/start-server.ts'
import { frozenSandbox } from '../../../../kit/frozen-sandbox.ts'
import { commonLibraries, libraries } from './libraries.ts'
import { type SandboxTime, withSandboxTime } from './sandbox-time.ts'
import type { Library, LibraryClient } from './web-libraries.ts'

/** What a client meets. */
interface Situation {
  readonly name: string
  readonly key?: string
  readonly gaps?: GapSettings
  readonly prepare?: (sandbox: Sandbox) => unknown
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
    name: 'POST, response lost once',
    prepare: ({ faults }) => faults.add({ fault: 'disconnect', times: 1 }),
    act: create,
  },
  { name: 'GET, invalid key', key: 'nobody-knows-it', act: list },
]

const exhaust = ({ keys }: Sandbox) => keys.setRemaining(key, { minute: 0 })

/** A 429 whose wait is a second and a half, in some form. */
const late = (retryAfterFormat: GapSettings['retryAfterFormat']): Situation => ({
  name: `\`retryAfterFormat=${retryAfterFormat}\``,
  gaps: { retryAfterFormat },
  prepare: exhaust,
  act: list,
})

/** What services may do at gaps. */
const gapValues: readonly Situation[] = [
  late('milliseconds'),
  late('fraction'),
  late('unix-time'),
  late('http-date'),
  {
    name: '`newPetListed=5s`, POST, response lost',
    gaps: { newPetListed: '5s' },
    prepare: ({ faults }) => faults.add({ fault: 'disconnect', times: 1 }),
    act: create,
  },
  {
    name: '`rejectedRequests=counted`, sliding',
    gaps: { rejectedRequests: 'counted', quotaWindow: 'sliding' },
    prepare: exhaust,
    act: list,
  },
  {
    // A ban at the first request over the limit, for five minutes.
    name: '`banStatus=418`',
    gaps: { banStatus: 418, banAfter: 0 },
    prepare: exhaust,
    act: list,
  },
]

/** How long a client may try, in real milliseconds, and how many requests it may send. */
const patience = { ms: 10_000, requests: 30 } as const

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
  /** Ends what the client does. */
  readonly end: AbortController
  /** How many requests it has sent to warm up. */
  readonly before: number
  /** Lets it act in its time. */
  run(act: () => Promise<unknown>): Promise<unknown>
}

/** A table of what becomes of each library in each situation. */
interface Trial {
  readonly libraries: readonly Library[]
  readonly situations: readonly Situation[]
  /** What clients live in, if not in real time: that of their sandbox. */
  readonly time?: SandboxTime
  /** Says what became of a client. */
  tell(scene: Scene): Promise<string>
}

async function prepare({ time }: Trial, library: Library, situation: Situation): Promise<Scene> {
  const clock = { mode: time === undefined ? 'running' : 'frozen', now: nearlyOver() } as const
  const sandbox = frozenSandbox({ clock, gaps: situation.gaps ?? {} })
  const server = await startServer({ port: 0, sandbox })
  const end = new AbortController()
  const Authorization = `Bearer ${situation.key ?? key}`
  const place = { url: `${server.url}/v1`, headers: { Authorization }, signal: end.signal }
  const run: Scene['run'] = (act) => (time === undefined ? act() : time.run(sandbox.clock, act))
  const client = library.connect(place)
  // What is loaded and compiled late would look like a pause.
  if (situation.key === undefined) await run(() => client.list())
  const before = sandbox.requests.list().length
  return { library, situation, sandbox, server, client, end, before, run }
}

/** What a table has for each end; a number alone is the try that was served. */
const endText = { served: '', 'gave up': '✗', 'still trying': '…' } as const

export type End = keyof typeof endText

/** Lets a client act, until it ends or has tried for long enough; gives how it ended. */
async function endOf({ situation, sandbox, client, end, run }: Scene): Promise<End> {
  const timer = setTimeout(() => end.abort(), patience.ms)
  sandbox.requests.onRequest(({ id }) => {
    if (id > patience.requests) end.abort()
  })
  const result = await run(() => situation.act(client)).then(
    (): End => 'served',
    (): End => (end.signal.aborted ? 'still trying' : 'gave up'),
  )
  clearTimeout(timer)
  return result
}

/** Names the errors of the audit in bold, its warnings in italics. */
async function complaintsIn(sandbox: Sandbox): Promise<readonly string[]> {
  const findings = await sandbox.findings({ oneClient: true })
  const complaints = findings.filter(({ severity }) => severity !== 'info')
  const texts = complaints.map(({ rule, severity }) =>
    severity === 'error' ? `**${rule}**` : `*${rule}*`,
  )
  return [...new Set(texts)]
}

/** Failures, in real time. */
const failures: Trial = {
  libraries,
  situations,
  async tell(scene) {
    const { situation, sandbox, server, before } = scene
    sandbox.clock.set(nearlyOver())
    await situation.prepare?.(sandbox)
    const end = await endOf(scene)
    const complaints = await complaintsIn(sandbox)
    await server.close()
    const tries = sandbox.requests.list().length - before
    const text = end === 'still trying' ? '' : `${tries}`
    return [[endText[end], text].filter(Boolean).join(' '), ...complaints].join('; ')
  },
}

/** What services may do at gaps, in the time of the sandbox. */
const values = (time: SandboxTime): Trial => ({
  libraries: commonLibraries,
  situations: gapValues,
  time,
  async tell(scene) {
    const { situation, sandbox, server } = scene
    sandbox.clock.set(nearlyOver() + 4_500)
    await situation.prepare?.(sandbox)
    const { id: last = 0 } = sandbox.requests.last() ?? {}
    const end = await endOf(scene)
    const complaints = await complaintsIn(sandbox)
    await server.close()
    const sentAt = sandbox.requests.list({ afterId: last }).map(({ at }) => Date.parse(at))
    const waits = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? at))
    return [waitText(waits, end), ...complaints].join('; ')
  },
})

/**
 * Says how a client ended.
 *
 * @param waits How long it waited before each of its tries but the first.
 */
export function waitText(waits: readonly number[], end: End): string {
  const texts = waits.map((ms) => (ms === 0 ? 'at once' : spanText(ms)))
  const isSame = texts.length > 1 && new Set(texts).size === 1
  const text = isSame ? `${texts[0]}, ${texts.length} times` : texts.join(', ')
  return [text, endText[end]].filter(Boolean).join('; ')
}

/** Writes rows as a table, the first as its head. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const [head = '', ...lines] = rows.map((row) => `| ${row.join(' | ')} |\n`)
  return [head, `|${'---|'.repeat(rows[0]?.length ?? 0)}\n`, ...lines].join('')
}

/** How often a scene is played at most, by itself, that went otherwise than it is known to. */
const maxReplays = 5

/**
 * The table of a trial.
 *
 * @param known The table as it was. What differs from it is played again by itself: a busy machine may have kept a client
 *   waiting that wouldn't wait by itself.
 */
async function tableOf(trial: Trial, known: string): Promise<string> {
  const { situations: columns } = trial
  const knownCells = known
    .split('\n')
    .slice(2)
    .map((line) => line.split(' | ').slice(2))
  const scenes: Scene[] = []
  for (const library of trial.libraries) {
    for (const situation of columns) scenes.push(await prepare(trial, library, situation))
  }
  // At the same time: what clients do most is wait.
  const cells = await Promise.all(scenes.map(trial.tell))
  for (const [index, { library, situation }] of scenes.entries()) {
    const row = knownCells[Math.floor(index / columns.length)]
    const expected = row?.[index % columns.length]?.replace(/ \|$/, '')
    if (expected === undefined) continue
    for (let plays = 0; cells[index] !== expected && plays < maxReplays; plays++) {
      cells[index] = await trial.tell(await prepare(trial, library, situation))
    }
  }
  const head = ['library', 'settings', ...columns.map(({ name }) => name)]
  const rows = trial.libraries.map((library) => {
    const own = cells.filter((_, index) => scenes[index]?.library === library)
    return [library.name, library.settings, ...own]
  })
  return tableText([head, ...rows])
}

/** The table of what the audit says of each library after each failure. */
export async function failureTable(known: string): Promise<string> {
  return await tableOf(failures, known)
}

/** The table of what each library does at values of gaps. */
export async function valueTable(known: string): Promise<string> {
  return await withSandboxTime((time) => tableOf(values(time), known))
}
