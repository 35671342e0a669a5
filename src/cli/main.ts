import { InputError } from '../input/input-error.ts'
import { complete, isCompletion } from './complete.ts'
import { createParser } from './create-parser.ts'
import { CliError } from './terminal/cli-error.ts'
import { guardOutput } from './terminal/guard-output.ts'
import { printable } from './terminal/printable.ts'
import { report } from './terminal/report.ts'

/** Runs the command line; sets the process's exit code, 2 for wrong usage and 1 for other failures. */
export async function main(argv: readonly string[]): Promise<void> {
  const output = guardOutput(process.stdout, process.stderr)
  try {
    const words = isCompletion(argv) ? await complete(argv, process.env) : undefined
    if (words === undefined) await createParser(argv, output).parseAsync()
    else process.stdout.write(words.map((word) => `${word}\n`).join(''))
  } catch (error) {
    process.exitCode =
      error instanceof CliError ? error.exitCode : error instanceof InputError ? 2 : 1
    const isOurs = error instanceof CliError || error instanceof InputError
    report(isOurs ? printable(error.message) : bugText(error))
  }
}

function bugText(error: unknown): string {
  const text = error instanceof Error ? error.stack : String(error)
  return `this is a bug of the program, please report it\n${text}`
}
