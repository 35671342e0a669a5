import { InputError } from '../input/input-error.ts'
import { printable } from '../reports/text.ts'
import { CliError } from './cli-error.ts'
import { complete, completionQuestion } from './complete.ts'
import { type Located, locate, runCommandLine } from './parser.ts'
import { guardOutput, report } from './terminal.ts'

/** Runs the command line; sets the process's exit code, 2 for wrong usage and 1 for other failures. */
export async function main(argv: readonly string[]): Promise<void> {
  const located = locate(argv)
  const isHelp = isForHelp(argv)
  guardOutput(process.stdout, process.stderr, isHelp ? 'answer' : located.command.output)
  try {
    if (argv[0] === completionQuestion) print(await complete(argv))
    else if (isHelp) print([await helpFor(located)])
    else await runCommandLine(argv)
  } catch (error) {
    process.exitCode =
      error instanceof CliError ? error.exitCode : error instanceof InputError ? 2 : 1
    const isOurs = error instanceof CliError || error instanceof InputError
    report(isOurs ? printable(error.message) : bugText(error))
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

function isForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).some((word) => /^(?:--help|-h)$/.test(word))
}

/** How wide a help is where no terminal, and no variable, says how wide it may be, and at most. */
const helpWidth = 100

async function helpFor(located: Located): Promise<string> {
  const { helpText } = await import('./help.ts')
  const columns = process.stdout.columns ?? (Number(process.env.COLUMNS) || helpWidth)
  return helpText(located, Math.min(helpWidth, columns))
}

function bugText(error: unknown): string {
  const text = error instanceof Error ? error.stack : String(error)
  return `this is a bug of the program, please report it\n${text}`
}
