import { styleText } from 'node:util'
import type { JournalEntry } from '../state/journal-entry.ts'
import { CliError } from './cli-error.ts'
import { callControl, fetchControl, type RemoteOptions } from './remote-client.ts'

/** Which requests to show, and how. */
export interface RequestsOptions extends RemoteOptions {
  readonly json?: boolean
  readonly follow?: boolean
  readonly har?: boolean
  readonly operation?: string | undefined
  readonly status?: string | undefined
  readonly key?: string | undefined
  readonly since?: string | undefined
  readonly limit?: number | undefined
}

/**
 * Prints the exchanges of a running sandbox, and with `follow` those to come, until the sandbox stops.
 *
 * @throws {@link CliError}
 */
export async function showRequests(
  options: RequestsOptions,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const names = ['operation', 'status', 'key', 'since', 'limit'] as const
  const query = new URLSearchParams(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, String(options[name])]])),
  )
  if (options.har === true) {
    stdout.write(`${JSON.stringify(await callControl(options, 'GET', `/requests.har?${query}`))}\n`)
    return
  }
  const entries = (await callControl(options, 'GET', `/requests?${query}`)) as JournalEntry[]
  if (options.json === true && options.follow !== true) stdout.write(`${JSON.stringify(entries)}\n`)
  else for (const entry of entries) stdout.write(`${entryLine(entry, options, stdout)}\n`)
  if (options.follow === true)
    await follow(options, (entry) => stdout.write(`${entryLine(entry, options, stdout)}\n`))
}

async function follow(
  options: RequestsOptions,
  show: (entry: JournalEntry) => void,
): Promise<void> {
  const response = await fetchControl(options, 'GET', '/events')
  if (!response.ok || response.body === null) {
    throw new CliError(`Cannot follow the requests: the sandbox answers ${response.status}`, 1)
  }
  let text = ''
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, data] = /^data: (.*)$/m.exec(event) ?? []
      if (data === undefined) continue
      const entry = JSON.parse(data) as JournalEntry
      if (isWanted(entry, options)) show(entry)
    }
  }
}

function isWanted(entry: JournalEntry, { operation, status, key }: RequestsOptions): boolean {
  const shown = 'status' in entry.outcome ? String(entry.outcome.status) : entry.outcome.kind
  return (
    (operation === undefined || operation === entry.operation) &&
    (status === undefined || status === shown) &&
    (key === undefined || entry.key === undefined || key.startsWith(entry.key.replace('…', '')))
  )
}

/** One exchange on a line: its JSON, or what a person wants to know. */
function entryLine(
  entry: JournalEntry,
  { json }: RequestsOptions,
  stream: NodeJS.WriteStream,
): string {
  if (json === true) return JSON.stringify(entry)
  const { at, request, outcome, key, quota, why } = entry
  const isGood = 'status' in outcome && outcome.status < 300
  const paint = (style: 'dim' | 'green' | 'yellow', text: string): string =>
    styleText(style, text, { stream })
  return [
    paint('dim', new Date(at).toISOString().slice(11, 19)),
    `${request.method.padEnd(4)} ${request.url}`,
    paint('dim', `${key ?? 'no key'}  ${quota.remaining}/${quota.limit} left`),
    paint(isGood ? 'green' : 'yellow', why),
  ].join('  ')
}
