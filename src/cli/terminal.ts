import { reasonOf } from './cli-error.ts'

/** Writes a line to standard error, after the program's name. */
export function report(line: string): void {
  process.stderr.write(`petstore-sandbox: ${line}\n`)
}

/** Maximum size of a list without `--all`, in bytes: as much as a person, or a program, reads at a time. */
const listBytes = 4_000

/** Cuts a long list of lines unless `isWhole` is set, and says how to get the rest. */
export function firstLines(text: string, isWhole: boolean): string {
  if (isWhole || Buffer.byteLength(text) <= listBytes) return text
  const lines = text.split('\n')
  const count = countWithin(lines)
  return [...lines.slice(0, count), `${lines.length - count} more lines; --all prints them`].join(
    '\n',
  )
}

/** Returns the number of texts, from the first on, that fit into a list; at least one. */
export function countWithin(texts: readonly string[]): number {
  let bytes = 0
  const end = texts.findIndex((text) => {
    bytes += Buffer.byteLength(text) + 1
    return bytes > listBytes
  })
  return end < 0 ? texts.length : Math.max(1, end)
}

/**
 * Reports once on standard error that standard output can't be written, and makes the command fail unless the output is
 * only a log. A reader that closes the stream, such as `head`, isn't an error.
 */
export function guardOutput(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  output: 'result' | 'log',
): void {
  let isReported = false
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isReported) return
    isReported = true
    const rest = output === 'log' ? '; the log ends here' : ''
    stderr.write(`petstore-sandbox: Cannot write to standard output: ${reasonOf(error)}${rest}\n`)
    if (output === 'result') process.exitCode = 1
  })
  // If standard error can't be written either, there is nowhere left to report that.
  stderr.on('error', () => {})
}
