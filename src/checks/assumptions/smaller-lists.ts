/**
 * Shrinks a list that shows something (delta debugging, Zeller's ddmin): tries to drop halves, then smaller chunks,
 * then single items.
 *
 * Yields lists in the same order; the caller returns whether each still shows it. The whole list does.
 *
 * @returns The remaining items, each of which is needed.
 */
export function* smallerLists<Item>(
  all: readonly Item[],
): Generator<readonly Item[], readonly Item[], boolean> {
  let items = all
  let size = items.length
  while (items.length > 0) {
    const before = items.length
    for (let end = items.length; end > 0; end -= size) {
      const rest = [...items.slice(0, Math.max(0, end - size)), ...items.slice(end)]
      if (yield rest) items = rest
    }
    // Without one item, another may have become superfluous.
    if (size === 1 && items.length === before) break
    size = Math.max(1, Math.min(Math.floor(size / 2), items.length))
  }
  return items
}
