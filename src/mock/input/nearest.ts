/** Maximum length of a word that is compared with names, in characters. */
const maxLength = 80

/** Returns the name that a misspelt word probably means; `undefined` if no name is similar. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > maxLength) return undefined
  const near = names
    .map((name) => ({ name, edits: editsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => {
      return name !== word && edits <= maxEdits(Math.min(word.length, name.length))
    })
    .sort((one, other) => one.edits - other.edits)
  return near[0]?.name
}

/** Returns the maximum number of edits for a word of this length: a third of it, but at least 1 from length 2 on. */
function maxEdits(length: number): number {
  return length < 2 ? 0 : Math.max(1, Math.floor(length / 3))
}

/** Counts the edits between two words: characters removed, added, replaced, or swapped with the next one. */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const edits = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      edits.push(
        Math.min(
          (edits[column - 1] ?? 0) + 1,
          (last[column] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = edits
  }
  return last[other.length] ?? 0
}
