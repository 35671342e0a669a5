import { styleText } from 'node:util'
import { toJson } from '../../contract/int64.ts'
import { parseInstant } from '../../input/instant.ts'
import type { JournalEntry } from '../../state/journal/journal-entry.ts'
import { CliError } from '../terminal/cli-error.ts'
import { printable } from '../terminal/printable.ts'
import { callControl, expectSandbox, fetchControl, type RemoteOptions } from './remote-client.ts'

/** Which requests to show, and how. */
export interface RequestsOptions extends RemoteOptions {
  readonly json?: boolean
  readonly follow?: boolean
  readonly har?: boolean
  readonly operation?: string | undefined
  readonly status?: string | undefined
  readonly key?: string | undefined
  readonly since?: string | undefined
  readonly limit?: string | undefined
}

/**
 * Prints the exchanges of a running sandbox, and with `follow` those to come, until the sandbox stops or nobody
 * reads any more.
 *
 * @throws {@link CliError}
 */
export async function showRequests(
  options: RequestsOptions,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const { har, follow, json } = options
  if (har && follow) {
    throw new CliError('Cannot use --har with --follow: an archive is whole; use one of them', 2)
  }
  await expectSandbox(options)
  const print = (text: string): void => {
    stdout.write(`${text}\n`)
  }
  if (har) {
    const path = `/requests.har?${queryOf(options)}`
    print(toJson(await callControl(options, { path })))
  } else if (follow) {
    await followRequests(options, stdout, (entry) => print(entryLine(entry, options, stdout)))
  } else {
    const entries = await listEntries(options, queryOf(options))
    if (json) print(toJson(entries))
    else if (entries.length === 0) print('None')
    else for (const entry of entries) print(entryLine(entry, options, stdout))
  }
}

function queryOf(options: RequestsOptions): string {
  const names = ['operation', 'status', 'key', 'since', 'limit'] as const
  const pairs = names.map((name) => [name, options[name]] as const)
  return new URLSearchParams(
    pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString()
}

async function listEntries(options: RemoteOptions, query: string): Promise<JournalEntry[]> {
  return (await callControl(options, { path: `/requests?${query}` })) as JournalEntry[]
}

/** Shows the entries that there are, and then each new one, none of them twice and none left out. */
async function followRequests(
  options: RequestsOptions,
  stdout: NodeJS.WriteStream,
  show: (entry: JournalEntry) => void,
): Promise<void> {
  const leave = new AbortController()
  // A reader that goes away, such as `head`, has what it wanted.
  stdout.once('error', () => leave.abort())
  try {
    const [last] = await listEntries(options, 'limit=1')
    const events = await openEvents(options, leave.signal)
    const entries = await listEntries(options, queryOf(options))
    // Those that came since the stream was opened are in it, too.
    const doubled = new Set(entries.map(({ id }) => id).filter((id) => id > (last?.id ?? 0)))
    for (const entry of entries) show(entry)
    for await (const entry of events) {
      if (doubled.delete(entry.id)) continue
      // Ids begin anew with a reset.
      doubled.clear()
      if (await isWanted(entry, options)) show(entry)
    }
    process.stderr.write('petstore-sandbox: The sandbox has stopped\n')
  } catch (error) {
    if (!leave.signal.aborted) throw error
  } finally {
    // An open stream would keep the process from ending.
    leave.abort()
  }
}

async function openEvents(
  options: RemoteOptions,
  signal: AbortSignal,
): Promise<AsyncIterable<JournalEntry>> {
  const response = await fetchControl(options, { path: '/events', signal })
  if (response.ok && response.body !== null) return readEvents(response.body)
  throw new CliError(`Cannot follow the requests: the sandbox answers ${response.status}`, 1)
}

/** Reads server-sent events whose data is JSON; comments are left out. */
async function* readEvents(body: NonNullable<Response['body']>): AsyncGenerator<JournalEntry> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, data] = /^data: (.*)$/m.exec(event) ?? []
        if (data !== undefined) yield JSON.parse(data) as JournalEntry
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new CliError('Cannot follow the requests any longer: the connection broke', 1)
  }
}

async function isWanted(entry: JournalEntry, options: RequestsOptions): Promise<boolean> {
  const { operation, status, key, since } = options
  const shown = 'status' in entry.outcome ? String(entry.outcome.status) : entry.outcome.kind
  return (
    (operation === undefined || operation === entry.operation) &&
    (status === undefined || status === shown) &&
    (since === undefined || Date.parse(entry.at) >= parseInstant(since)) &&
    (key === undefined || (await hasKey(entry, key, options)))
  )
}

/** Asks the sandbox whose an entry is, since that shows only the beginning of its key. */
async function hasKey(
  { id }: JournalEntry,
  key: string,
  options: RequestsOptions,
): Promise<boolean> {
  const query = new URLSearchParams({ key, after: String(id - 1) })
  const entries = await listEntries(options, query.toString())
  return entries.some((entry) => entry.id === id)
}

/** The longest URL that is shown whole to a person. */
const shownUrl = 120

/** One exchange on a line: its JSON, or what a person wants to know. */
function entryLine(
  entry: JournalEntry,
  { json }: RequestsOptions,
  stream: NodeJS.WriteStream,
): string {
  if (json) return toJson(entry)
  const { at, request, outcome, key, quota, why } = entry
  const isGood = 'status' in outcome && outcome.status < 300
  const paint = (style: 'dim' | 'green' | 'yellow', text: string): string =>
    styleText(style, printable(text), { stream })
  const url = request.url.length > shownUrl ? `${request.url.slice(0, shownUrl)}…` : request.url
  return [
    paint('dim', new Date(at).toISOString().slice(0, 19).replace('T', ' ')),
    printable(`${request.method.padEnd(4)} ${url}`),
    paint('dim', `${key ?? 'no key'}  ${quota.remaining}/${quota.limit} left`),
    paint(isGood ? 'green' : 'yellow', why),
  ].join('  ')
}
