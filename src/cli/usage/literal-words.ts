/** No argument of a process can hold it. */
const mark = '\0'

/** Marks the words after `--`, which is left out: yargs would fill no word of a command from there. */
export function markLiteralWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  if (end < 0) return argv
  return [...argv.slice(0, end), ...argv.slice(end + 1).map((word) => mark + word)]
}

/** Gives a word as it was written. */
export function literalWord(word: string): string {
  return word.replace(mark, '')
}

/** The words that yargs has found for a name; it has undefined, or a list with that, for none. */
export function textsOf(given: unknown): string[] {
  return [given].flat().flatMap((word) => (word === undefined ? [] : literalWord(String(word))))
}
