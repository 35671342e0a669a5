import { reasonOf } from './cli-error.ts'

/** Writes a line to standard error, which names the program. */
export function report(line: string): void {
  process.stderr.write(`petstore-sandbox: ${line}\n`)
}

/** How much a list prints unless all of it is asked for, in bytes: what a person, or a program, reads at a time. */
const listBytes = 4_000

/** Cuts a long list of lines, unless all of it is wanted, and says how to get the rest. */
export function firstLines(text: string, isWhole: boolean): string {
  if (isWhole || Buffer.byteLength(text) <= listBytes) return text
  const lines = text.split('\n')
  const count = countWithin(lines)
  return [...lines.slice(0, count), `${lines.length - count} more lines; --all prints them`].join(
    '\n',
  )
}

/** Returns how many texts, from the first on, fit into what a list prints; one at least. */
export function countWithin(texts: readonly string[]): number {
  let bytes = 0
  const end = texts.findIndex((text) => {
    bytes += Buffer.byteLength(text) + 1
    return bytes > listBytes
  })
  return end < 0 ? texts.length : Math.max(1, end)
}

/**
 * Reports once on standard error that standard output can't be written, and makes the command fail unless the output
 * is only a log. A reader that leaves, such as `head`, has what it wanted.
 */
export function guardOutput(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  output: 'answer' | 'log',
): void {
  let isTold = false
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isTold) return
    isTold = true
    const rest = output === 'log' ? '; the log ends here' : ''
    stderr.write(`petstore-sandbox: Cannot write to standard output: ${reasonOf(error)}${rest}\n`)
    if (output === 'answer') process.exitCode = 1
  })
  // If this can't be written either, there is nowhere left to say so.
  stderr.on('error', () => {})
}
