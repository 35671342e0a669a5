import type { CommandModule } from 'yargs'
import { fromTexts } from '../../input/object.ts'
import { readServeSettings } from '../serve/serve-settings.ts'
import { textsOf } from '../usage/literal-words.ts'
import { optionTexts } from '../usage/option-texts.ts'
import { readEach } from '../usage/read-each.ts'
import { refuseWrongUsage } from '../usage/usage-error.ts'
import { shownExamples, yargsOptions } from '../usage/yargs-options.ts'
import { exploredOptions, exploreOptions, explorerOptions } from './explore-options.ts'

/** The command `explore`. */
export function exploreModule(argv: readonly string[]): CommandModule {
  const options = exploreOptions.properties
  const usage = 'explore [options] -- COMMAND'
  const takes = { name: 'explore', options, words: {}, usage, actions: [] }
  return {
    command: 'explore [command..]',
    describe:
      'Find out which choices at gaps a test suite depends on: explore [options] -- npm test',
    builder: (command) =>
      refuseWrongUsage(command.options(yargsOptions(options)), takes)
        .usage(
          '$0 explore [options] -- COMMAND\n\nRun a test suite under other choices at the gaps, and report on which of them it depends.',
        )
        .example(
          shownExamples({
            'explore -- npm test': 'What the suite as a whole depends on',
            "explore --junit 'out/{row}.xml' -- npx vitest run --reporter=junit '--outputFile=out/{row}.xml'":
              'What each test depends on',
            'explore --baseline explore.json --report pretty --report json=explore-new.json -- npm test':
              'In CI: fail on new dependencies only',
          }),
        )
        .epilogue(
          'The command gets the variables that exec gives it, each run with a sandbox of its own. The exit code is 0 if the suite depends on nothing, 4 if it does, and 5 if it cannot be explored: it fails as it is, is flaky, or asks no sandbox.',
        ),
    async handler(given) {
      const explored = optionTexts(exploredOptions.properties, given, argv)
      const settings = await readServeSettings(explored, process.env)
      const texts = optionTexts(explorerOptions.properties, given, argv)
      const values = fromTexts(explorerOptions, texts)
      const read = readEach(explorerOptions, values, (name) => `--${name}`)
      const { explore } = await import('./explore.ts')
      const task = { options: read, settings, given: explored, words: textsOf(given.command) }
      process.exitCode = await explore(task, process.stdout)
    },
  }
}
