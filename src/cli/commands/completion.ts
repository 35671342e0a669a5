import yargs from 'yargs'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Command } from '../yargs-options.ts'

export const completion: Command = {
  command: 'completion',
  describe: 'Print a completion script for bash or zsh, where petstore-sandbox is on PATH',
  builder: (program) => program.epilogue('It has no --json: a shell reads what it prints.'),
  handler() {
    yargs([]).scriptName(packageJson.name).showCompletionScript()
  },
}
