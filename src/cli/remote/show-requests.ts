import { toJson } from '../../contract/json/json.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'
import { journalFilter } from '../../state/journal-entry.ts'
import { CliError } from '../terminal/cli-error.ts'
import { countWithin } from '../terminal/cut.ts'
import { entryLine } from './answers.ts'
import { atSandbox } from './connect.ts'
import { followRequests } from './follow-requests.ts'
import type { RequestsOptions } from './remote-options.ts'

/**
 * Prints the exchanges of a running sandbox; with `follow` also new ones, until the sandbox stops or nobody reads any
 * more.
 *
 * @throws {@link CliError}
 */
export async function showRequests(
  options: RequestsOptions,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const { har, follow, json } = options
  if (har && follow) {
    throw new CliError('Cannot use --har with --follow: an archive has an end; use one of them', 2)
  }
  const query = journalFilter.write(options)
  const print = (text: string): void => {
    stdout.write(`${text}\n`)
  }
  const show = (entry: JournalEntry): void => print(json ? toJson(entry) : entryLine(entry, stdout))
  await atSandbox(options, async (client) => {
    if (follow) return await followRequests(client, query, show, stdout)
    if (har) return print(toJson(await client.journal.har(query)))
    const entries = await client.journal.entries(query)
    if (json) return print(toJson(entries))
    if (entries.length === 0) return print('None')
    const lines = entries.map((entry) => entryLine(entry, stdout))
    const count = options.all ? lines.length : countWithin([...lines].reverse())
    if (count < lines.length) {
      print(`The latest ${count} of ${lines.length}; --all prints all, --limit N the latest N`)
    }
    lines.slice(-count).forEach(print)
  })
}
