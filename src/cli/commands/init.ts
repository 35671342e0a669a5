import { offByDefault } from '../option-schemas.ts'
import { type Command, exampleLines, optionsOf, readOptions } from '../yargs-options.ts'

const options = { yes: offByDefault('Write the files without a question') }

export const init: Command = {
  command: 'init',
  describe: 'Set up your project: the store in its page, and a first test',
  builder: (yargs) =>
    yargs
      .options(optionsOf(options))
      .example(...exampleLines('$0 init', 'See what it would write, and write it after a key'))
      .epilogue(
        "It never overwrites a file. What it can't edit safely, it prints for you to add. It has no --json: it is for people.",
      ),
  async handler(found) {
    const { yes } = readOptions(options, found)
    const { initProject } = await import('../init/init.ts')
    await initProject(process.cwd(), yes, process.stdin, process.stdout)
  },
}
