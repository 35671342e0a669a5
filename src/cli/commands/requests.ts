import { optional } from '../../mock/input/object.ts'
import { namesOf } from '../../mock/input/record.ts'
import { described } from '../../mock/input/schema.ts'
import { integer } from '../../mock/input/values.ts'
import { CliError } from '../cli-error.ts'
import { askingOptions, requestsOptions } from '../options.ts'
import {
  type Command,
  exampleLines,
  optionsOf,
  readArguments,
  readOptions,
  withArguments,
} from '../yargs-options.ts'

const words = {
  number: optional(
    described('Number of a request, to print it in full, with its response', integer(1, 1e15)),
  ),
}

export const requests: Command = {
  command: 'requests [number]',
  describe: 'List the latest requests to a running sandbox, with the reason for each response',
  builder: (yargs) =>
    withArguments(yargs, words)
      .options(optionsOf(requestsOptions.properties))
      .example(
        ...exampleLines('$0 requests --status 429 --key free-key', 'See why a key was rejected'),
      )
      .example(
        ...exampleLines('$0 requests 1', 'See request 1 in full, such as one that a finding names'),
      )
      .example(
        ...exampleLines(
          '$0 requests --har > requests.har',
          'Save the requests for the developer tools of a browser',
        ),
      ),
  async handler(found) {
    const options = readOptions(requestsOptions.properties, found)
    const { number } = readArguments(words, found)
    const { showRequest, showRequests } = await import('../remote/show-requests.ts')
    if (number === undefined) return await showRequests(options, process.stdout)
    const other = namesOf(requestsOptions.properties).find(
      (name) => found[name] !== undefined && !Object.hasOwn(askingOptions.properties, name),
    )
    if (other !== undefined) {
      const use = 'leave out one of them'
      throw new CliError(`Cannot use --${other} with the number of a request: ${use}`, 2)
    }
    return await showRequest(number, options, process.stdout)
  },
}
