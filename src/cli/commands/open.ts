import { optional } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { text } from '../../mock/input/values.ts'
import { openOptions } from '../options.ts'
import {
  type Command,
  exampleLines,
  optionsOf,
  readArguments,
  readOptions,
  withArguments,
} from '../yargs-options.ts'

const words = { file: optional(described('A file that capture saved', text())) }

export const open: Command = {
  command: 'open [file]',
  describe: 'Open a capture step by step; without a file, the playground',
  builder: (yargs) =>
    withArguments(yargs, words)
      .options(optionsOf(openOptions.properties))
      .example(
        ...exampleLines(
          '$0 open failed.petstore.json',
          'Step through what a failed test did to its sandbox',
        ),
      )
      .example(
        ...exampleLines('$0 open failed.petstore.json --no-browser', 'Only print the address'),
      )
      .example(
        ...exampleLines(
          '$0 open failed.petstore.json --to failed',
          'Write the same as a folder for any web server',
        ),
      ),
  async handler(found) {
    const { file } = readArguments(words, found)
    const options = readOptions(openOptions.properties, found)
    const { openFile } = await import('../open.ts')
    await openFile(file, options, process.stdout)
  },
}
