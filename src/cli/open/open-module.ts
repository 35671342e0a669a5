import type { CommandModule } from 'yargs'
import { fromTexts } from '../../input/object.ts'
import { described } from '../../input/schema.ts'
import { text } from '../../input/values.ts'
import { declareWords } from '../remote/remote-module.ts'
import { textsOf } from '../usage/literal-words.ts'
import { optionTexts } from '../usage/option-texts.ts'
import { readEach } from '../usage/read-each.ts'
import { refuseWrongUsage } from '../usage/usage-error.ts'
import { shownExamples, yargsOptions } from '../usage/yargs-options.ts'
import { openOptions } from './open-options.ts'

const words = { file: described('A file of capture, or an audit report in JSON', text()) } as const

/** Makes the command `open`. */
export function openModule(argv: readonly string[]): CommandModule {
  const options = openOptions.properties
  const usage = 'open <file>'
  const takes = { name: 'open', usage, options, words, actions: [] }
  return {
    command: usage,
    describe: 'Show a capture or an audit report in the console',
    builder: (command) =>
      refuseWrongUsage(declareWords(command, words).options(yargsOptions(options)), takes).example(
        shownExamples(
          {
            'failed.petstore.json': 'See what a failed test did to its sandbox',
            'report.json --no-browser': 'Print the address only',
          },
          'open',
        ),
      ),
    async handler(given) {
      const texts = optionTexts(options, given, argv)
      const read = readEach(openOptions, fromTexts(openOptions, texts), (name) => `--${name}`)
      const [file = ''] = textsOf(given.file)
      const { openFile } = await import('./open-file.ts')
      await openFile(file, read, process.stdout)
    },
  }
}
