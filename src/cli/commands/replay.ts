import packageJson from '../../../package.json' with { type: 'json' }
import { described } from '../../mock/input/schema.ts'
import { text } from '../../mock/input/values.ts'
import { replayOptions } from '../options.ts'
import {
  type Command,
  exampleLines,
  optionsOf,
  readArguments,
  readOptions,
  withArguments,
} from '../yargs-options.ts'

const words = { file: described('A file that capture saved', text()) }

export const replay: Command = {
  command: 'replay <file>',
  describe: 'Replay a capture, and report the first response that differs',
  builder: (yargs) =>
    withArguments(yargs, words)
      .options(optionsOf(replayOptions.properties))
      .example(
        ...exampleLines('$0 replay failed.petstore.json', 'Show the first response that differs'),
      )
      .example(
        ...exampleLines(
          '$0 replay failed.petstore.json --until 63 --serve',
          'Look at the sandbox as request 63 left it',
        ),
      )
      .example(
        ...exampleLines(
          '$0 replay failed.petstore.json --format vitest > failed.test.ts',
          'Make a test of it',
        ),
      )
      .epilogue('The exit code is 1 if any response differs.'),
  async handler(found) {
    const { file } = readArguments(words, found)
    const options = readOptions(replayOptions.properties, found)
    const { replay: run } = await import('../replay/replay.ts')
    process.exitCode = await run(file, options, process.stdout, packageJson.version)
  },
}
