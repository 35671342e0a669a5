import { printableJson } from '../../checks/reports/text.ts'
import { toJson } from '../../mock/api/json.ts'
import type { Properties, ReadOf } from '../../mock/input/object.ts'
import { remoteOptions } from '../options.ts'
import { type Arguments, readArguments, readOptions } from '../yargs-options.ts'
import type { Client } from './connect.ts'
import type { OutputContext } from './response-text.ts'

/** Output of a command for a running sandbox. */
interface Output {
  /** Printed as JSON with `--json`. */
  readonly result: unknown
  /** Printed otherwise. */
  text(context: OutputContext): string | Promise<string>
  /** Printed with `--quiet`, such as the id of what was created; by default the text. */
  readonly quiet?: string
}

/** Reads what a command needs, before anything is sent, and returns its call. */
type Prepare<Given> = (given: Given) => (client: Client) => Promise<Output>

/** Returns the handler of a command for a running sandbox, which reads its input, calls the sandbox, and prints. */
export function remoteHandler(prepare: Prepare<Arguments>): (found: Arguments) => Promise<void> {
  return async (found) => {
    const place = readOptions(remoteOptions.properties, found)
    const call = prepare(found)
    // Loaded only when needed, since a server doesn't need it.
    const { apiAddress, atSandbox } = await import('./connect.ts')
    const stream = process.stdout
    const text = await atSandbox(place, async (client) => {
      const { result, text: write, quiet } = await call(client)
      if (place.json) return printableJson(result === undefined ? '{}' : toJson(result))
      if (place.quiet && quiet !== undefined) return quiet
      return await write({ client, api: apiAddress(place), stream })
    })
    if (text !== '') stream.write(`${text}\n`)
  }
}

/** Returns the handler of a command that changes a running sandbox: with `--quiet`, it prints only what it created. */
export function changeHandler<const Words extends Properties>(
  words: Words,
  prepare: Prepare<ReadOf<Words>>,
): (found: Arguments) => Promise<void> {
  return remoteHandler((found) => {
    const call = prepare(readArguments(words, found))
    return async (client) => ({ quiet: '', ...(await call(client)) })
  })
}
