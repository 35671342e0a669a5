/**
 * Reduces what makes something fail to a part from which nothing can be left out: delta debugging (Zeller's ddmin).
 *
 * @param whole What fails.
 * @param ask Whether a part fails; `undefined` if that isn't known yet, which ends the search.
 * @returns The smallest part that was found, and the part about which nothing is known, if that ended the search.
 */
export function deltaDebug<Item>(
  whole: readonly Item[],
  ask: (part: readonly Item[]) => boolean | undefined,
): { readonly part: readonly Item[]; readonly unknown: readonly Item[] | undefined } {
  let part = whole
  let pieces = 2
  while (part.length > 1) {
    const size = Math.ceil(part.length / pieces)
    const chunks = chunksOf(part, size)
    const rests =
      pieces === 2 ? [] : chunks.map((chunk) => part.filter((one) => !chunk.includes(one)))
    const tried = [...chunks, ...rests]
    let smaller: readonly Item[] | undefined
    for (const one of tried) {
      const fails = ask(one)
      if (fails === undefined) return { part, unknown: one }
      if (!fails) continue
      smaller = one
      break
    }
    if (smaller !== undefined) {
      pieces = chunks.includes(smaller) ? 2 : Math.max(pieces - 1, 2)
      part = smaller
    } else if (pieces < part.length) pieces = Math.min(pieces * 2, part.length)
    else break
  }
  return { part, unknown: undefined }
}

function chunksOf<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
