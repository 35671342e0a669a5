import { list } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { text } from '../../mock/input/values.ts'
import { calibrateOptions } from '../options.ts'
import {
  type Command,
  exampleLines,
  optionsOf,
  readArguments,
  readOptions,
  withArguments,
} from '../yargs-options.ts'

const words = { files: described('HAR files recorded with the service', list(text())) }

export const calibrate: Command = {
  command: 'calibrate <files..>',
  describe: 'Compare a real service with the spec, using HAR files',
  builder: (yargs) =>
    withArguments(yargs, words)
      .options(optionsOf(calibrateOptions.properties))
      .example(...exampleLines('$0 calibrate staging.har', 'See the gap values of the service'))
      .example(
        ...exampleLines(
          '$0 calibrate staging.har --write petstore-sandbox.config.json',
          'Give the sandbox the same values',
        ),
      )
      .example(
        ...exampleLines(
          '$0 calibrate staging.har --baseline calibration.json --report json=new.json',
          'In CI: fail only if the service has changed',
        ),
      )
      .epilogue(
        'The exit code is 0 if nothing is broken, contradicted or unexplained, or with --baseline if nothing has changed; 4 otherwise; 5 if there is nothing to compare. It sends nothing anywhere.',
      ),
  async handler(found) {
    const { files } = readArguments(words, found)
    const options = readOptions(calibrateOptions.properties, found)
    const { calibrateFiles } = await import('../calibrate.ts')
    process.exitCode = await calibrateFiles(files, options, process.stdout)
  },
}
