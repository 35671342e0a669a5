/** What is left of a list. */
export interface SmallestList<Item> {
  readonly items: readonly Item[]
  /** Whether none of them can be left out; `false` where the search was cut off. */
  readonly isSmallest: boolean
}

/**
 * Leaves out of a list what it takes not to show something: first halves, then ever smaller pieces, at last single items
 * (delta debugging).
 *
 * @param shows Whether a list, in the same order, still shows it; the whole list does.
 * @param mayGoOn Whether there is time for another try.
 */
export async function smallestList<Item>(
  all: readonly Item[],
  shows: (items: readonly Item[]) => Promise<boolean>,
  mayGoOn: () => boolean,
): Promise<SmallestList<Item>> {
  let items = all
  let size = items.length
  while (items.length > 0) {
    const before = items.length
    for (let end = items.length; end > 0; end -= size) {
      if (!mayGoOn()) return { items, isSmallest: false }
      const rest = [...items.slice(0, Math.max(0, end - size)), ...items.slice(end)]
      if (await shows(rest)) items = rest
    }
    // Without one item, another may have become superfluous.
    if (size === 1 && items.length === before) break
    size = Math.max(1, Math.min(Math.floor(size / 2), items.length))
  }
  return { items, isSmallest: true }
}
