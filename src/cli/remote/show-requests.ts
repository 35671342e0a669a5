import { printableJson } from '../../checks/reports/text.ts'
import { RemoteError } from '../../client/remote.ts'
import { toJson } from '../../mock/api/json.ts'
import { type RequestFilter, type RequestView, requestFilter } from '../../mock/log/request-view.ts'
import { CliError } from '../cli-error.ts'
import type { RequestsOptions } from '../options.ts'
import { countWithin, report } from '../terminal.ts'
import { atSandbox, type Client, type Target } from './connect.ts'
import { entryLine, entryText } from './response-text.ts'

/**
 * Prints the requests in a running sandbox's log; with `follow` also new ones, until the sandbox stops or the reader
 * leaves.
 *
 * @throws {@link CliError}
 */
export async function showRequests(
  options: RequestsOptions,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const { har, follow, json } = options
  if (har && follow) {
    throw new CliError('Cannot use --har with --follow: a HAR file has an end; use one of them', 2)
  }
  const query = requestFilter.encode({ ...options, afterId: options['after-id'] })
  const print = (text: string): void => {
    stdout.write(`${text}\n`)
  }
  const show = (entry: RequestView): void => print(json ? jsonOf(entry) : entryLine(entry, stdout))
  await atSandbox(options, async (client) => {
    if (follow) return await followRequests(client, query, show, stdout)
    if (har) return print(jsonOf(await client.requests.har(query)))
    const entries = await client.requests.list(query)
    if (json) return print(jsonOf(entries))
    if (entries.length === 0) return print('No requests')
    const lines = entries.map((entry) => entryLine(entry, stdout))
    const count = options.all ? lines.length : countWithin([...lines].reverse())
    if (count < lines.length) {
      print(`The latest ${count} of ${lines.length}; --all prints all, --limit N the latest N`)
    }
    lines.slice(-count).forEach(print)
  })
}

/** Prints a request in a running sandbox's log in full, with its response. */
export async function showRequest(
  number: number,
  options: Pick<RequestsOptions, 'json'> & Target,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  await atSandbox(options, async (client) => {
    const entry = await client.requests.get(number)
    stdout.write(`${options.json ? jsonOf(entry) : entryText(entry, stdout)}\n`)
  })
}

function jsonOf(result: unknown): string {
  return printableJson(toJson(result))
}

/**
 * Shows the logged requests that match the query and then each new one, exactly once, until the sandbox stops or the
 * reader leaves.
 */
export async function followRequests(
  client: Client,
  { limit, ...filter }: RequestFilter,
  show: (entry: RequestView) => void,
  stdout: NodeJS.EventEmitter,
): Promise<void> {
  const leave = new AbortController()
  // A reader that closes the stream, such as `head`, isn't an error.
  stdout.once('error', () => leave.abort())
  const last = await client.requests.last()
  // The sandbox may be away for a while, such as for a restart.
  const events = client.events({ patience: '2s', signal: leave.signal, onLost: report })
  await events.ready
  const listed = await client.requests.list({ ...filter, limit })
  for (const entry of listed) show(entry)
  // Requests since the event stream began are also among its events.
  const doubled = new Set(listed.map(({ id }) => id).filter((id) => id > (last?.id ?? 0)))
  try {
    let before = 0
    for await (const entry of events) {
      // Ids start over when the server restarts.
      if (entry.id < before) doubled.clear()
      before = entry.id
      if (!doubled.delete(entry.id) && (await isWanted(entry, filter, client))) show(entry)
    }
  } catch (error) {
    if (!(error instanceof RemoteError && error.reason === 'unreachable')) throw error
    report('The sandbox has stopped')
  }
}

/** Returns whether a request matches; the sandbox checks that, since the log shows only the beginning of a key. */
async function isWanted(
  { id }: RequestView,
  filter: RequestFilter,
  client: Client,
): Promise<boolean> {
  if (Object.keys(filter).length === 0) return true
  const entries = await client.requests.list({ ...filter, afterId: id - 1 })
  return entries.some((entry) => entry.id === id)
}
