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
