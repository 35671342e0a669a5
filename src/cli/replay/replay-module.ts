import type { CommandModule } from 'yargs'
import { fromTexts } from '../../input/object.ts'
import { declareWords } from '../remote/remote-module.ts'
import { textsOf } from '../usage/literal-words.ts'
import { optionTexts } from '../usage/option-texts.ts'
import { readEach } from '../usage/read-each.ts'
import { refuseWrongUsage } from '../usage/usage-error.ts'
import { shownExamples, yargsOptions } from '../usage/yargs-options.ts'
import { replayOptions, replayWords } from './replay-options.ts'

/** Makes the command `replay`. */
export function replayModule(argv: readonly string[], version: string): CommandModule {
  const options = replayOptions.properties
  const usage = 'replay <file>'
  const takes = { name: 'replay', usage, options, words: replayWords, actions: [] }
  return {
    command: usage,
    describe: 'Replay a file that capture saved, and report which replies differ',
    builder: (command) =>
      refuseWrongUsage(declareWords(command, replayWords).options(yargsOptions(options)), takes)
        .example(
          shownExamples(
            {
              'failed.petstore.json': 'Show the first reply that differs',
              'failed.petstore.json --until 63 --serve':
                'Look at the sandbox as request 63 left it',
              'failed.petstore.json --gap banStatus=403 --minimize':
                'Find the fewest steps for which another choice matters',
              'failed.petstore.json --as vitest > failed.test.ts': 'Make a test of it',
            },
            'replay',
          ),
        )
        .epilogue('The exit code is 1 if any reply differs.'),
    async handler(given) {
      const texts = optionTexts(options, given, argv)
      const read = readEach(replayOptions, fromTexts(replayOptions, texts), (name) => `--${name}`)
      const [file = ''] = textsOf(given.file)
      const { replay } = await import('./replay.ts')
      process.exitCode = await replay(file, read, process.stdout, version)
    },
  }
}
