import { printable } from '../checks/reports/text.ts'
import { InputError } from '../mock/input/input-error.ts'
import { CliError } from './cli-error.ts'
import { complete, completionQuestion } from './complete.ts'
import { expectKnown, locate, runCommandLine } from './parser.ts'
import { guardOutput, report } from './terminal.ts'

/** Runs the command line; sets the process's exit code, 2 for wrong usage and 1 for other failures. */
export async function main(given: readonly string[]): Promise<void> {
  const argv = withoutAliases(withoutComment(given))
  const located = locate(argv)
  const isHelp = isForHelp(argv)
  guardOutput(process.stdout, process.stderr, isHelp ? 'result' : located.command.output)
  try {
    if (argv[0] === completionQuestion) print(await complete(argv))
    else if (isHelp) print([await helpFor(argv)])
    else if (located.command.requiresAction && located.words.length === 0) {
      process.stderr.write(`${await helpFor(argv)}\n`)
      process.exitCode = 2
    } else await runCommandLine(argv, located)
  } catch (error) {
    process.exitCode =
      error instanceof CliError ? error.exitCode : error instanceof InputError ? 2 : 1
    const isOurs = error instanceof CliError || error instanceof InputError
    report(isOurs ? printable(error.message) : bugText(error))
  }
}

/** Removes the comment of a pasted line, which zsh passes on: `reset # back to the start`. */
function withoutComment(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('#')
  const end = argv.indexOf('--')
  // The words after `--` are another command's, and a comment has words.
  const isComment = at >= 0 && at < argv.length - 1 && (end < 0 || at < end)
  return isComment ? argv.slice(0, at) : argv
}

/** Rewrites the commands of other programs as options: `help keys` as `keys --help`. */
function withoutAliases([first, ...rest]: readonly string[]): readonly string[] {
  if (first === 'help') return [...rest, '--help']
  if (first === 'version' || first === '-V') return ['--version']
  return first === undefined ? [] : [first, ...rest]
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

function isForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).some((word) => /^(?:--help|-h)$/.test(word))
}

/** Width of the help if neither the terminal nor a variable sets it, and its maximum. */
const helpWidth = 100

async function helpFor(argv: readonly string[]): Promise<string> {
  const located = expectKnown(argv)
  const { helpText } = await import('./help.ts')
  const columns = process.stdout.columns ?? (Number(process.env.COLUMNS) || helpWidth)
  return helpText(located, Math.min(helpWidth, columns))
}

function bugText(error: unknown): string {
  const text = error instanceof Error ? error.stack : String(error)
  return `this is a bug in petstore-sandbox, please report it\n${text}`
}
