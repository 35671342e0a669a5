import type { CommandModule } from 'yargs'
import { fromTexts } from '../../input/object.ts'
import { exploredOptions } from '../explore/explore-options.ts'
import { readServeSettings } from '../serve/serve-settings.ts'
import { textsOf } from '../usage/literal-words.ts'
import { optionTexts } from '../usage/option-texts.ts'
import { readEach } from '../usage/read-each.ts'
import { refuseWrongUsage } from '../usage/usage-error.ts'
import { shownExamples, yargsOptions } from '../usage/yargs-options.ts'
import { checkNames } from './check-names.ts'
import { examinerOptions, examOptions } from './exam-options.ts'

/** The command `exam`. */
export function examModule(argv: readonly string[]): CommandModule {
  const options = examOptions.properties
  const usage = 'exam [options] -- COMMAND'
  const takes = { name: 'exam', options, words: {}, usage, actions: [] }
  return {
    command: 'exam [command..]',
    describe:
      'Examine a client by its own test suite, in one report card: exam [options] -- npm test',
    builder: (command) =>
      refuseWrongUsage(command.options(yargsOptions(options)), takes)
        .usage(
          '$0 exam [options] -- COMMAND\n\nRun a test suite in situations that its client has to live through, and report how it does.',
        )
        .example(
          shownExamples({
            'exam -- npm test': 'The whole exam',
            'exam --skip explore --report pretty --report markdown=exam.md -- npm test':
              'Without the longest part, and with a report to pass on',
            'exam --only minute-limit,lost -- npm test':
              'Some checks again, once the client is fixed',
          }),
        )
        .epilogue(
          `The command gets the variables that exec gives it, each run with a sandbox of its own. The checks are ${checkNames.join(', ')}. The exit code is 0 if there is nothing to fix, 4 if there is, and 5 if the client cannot be examined: the command fails as it is, is flaky, or asks no sandbox.`,
        ),
    async handler(given) {
      const explored = optionTexts(exploredOptions.properties, given, argv)
      const settings = await readServeSettings(explored, process.env)
      const texts = optionTexts(examinerOptions.properties, given, argv)
      const values = fromTexts(examinerOptions, texts)
      const options = readEach(examinerOptions, values, (name) => `--${name}`)
      const { exam } = await import('./exam.ts')
      const task = { options, settings, given: explored, words: textsOf(given.command) }
      process.exitCode = await exam(task, process.stdout)
    },
  }
}
