/** Number of calls that are under way at once: a browser has six connections to a server. */
const batchSize = 6

/**
 * Calls a control for each of many items, some at once.
 *
 * @param onProgress Called with the number of items that are done.
 */
export async function inBatches<Item>(
  items: readonly Item[],
  call: (item: Item) => Promise<unknown>,
  onProgress: (count: number) => void = () => {},
): Promise<void> {
  for (let done = 0; done < items.length; done += batchSize) {
    await Promise.all(items.slice(done, done + batchSize).map(call))
    onProgress(Math.min(done + batchSize, items.length))
  }
}
