/** Writes a line to standard error, which names the program. */
export function report(line: string): void {
  process.stderr.write(`petstore-sandbox: ${line}\n`)
}
