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

/** Arguments and options of a command for a running sandbox, beside the options by which it finds the sandbox. */
interface Inputs<Words extends Properties, Options extends Properties> {
  readonly words?: Words
  readonly options?: Options
}

/**
 * Returns the handler of a command for a running sandbox: it reads the arguments, calls the sandbox, and prints.
 *
 * @param prepare Reads what needs more than a schema, before anything is sent, and returns the call.
 */
export function remoteHandler<
  const Words extends Properties = Record<never, never>,
  const Options extends Properties = Record<never, never>,
>(
  inputs: Inputs<Words, Options>,
  prepare: (words: ReadOf<Words>, options: ReadOf<Options>) => (client: Client) => Promise<Output>,
): (found: Arguments) => Promise<void> {
  return async (found) => {
    const place = readOptions(remoteOptions.properties, found)
    // The types are those of the properties.
    const words = readArguments(inputs.words ?? {}, found) as ReadOf<Words>
    const options = readOptions(inputs.options ?? {}, found) as ReadOf<Options>
    const call = prepare(words, options)
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
  prepare: (words: ReadOf<Words>) => (client: Client) => Promise<Output>,
): (found: Arguments) => Promise<void> {
  return remoteHandler({ words }, (read) => {
    const call = prepare(read)
    return async (client) => ({ quiet: '', ...(await call(client)) })
  })
}
