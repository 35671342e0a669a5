/**
 * Leaves out of a list what it takes not to show something: first halves, then ever smaller pieces, at last single items
 * (delta debugging, Zeller's ddmin).
 *
 * It gives lists in the same order, and is told of each whether it still shows it; the whole list does.
 *
 * @returns What is left: no item of it can be left out.
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
