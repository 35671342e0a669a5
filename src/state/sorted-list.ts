const chunkSize = 512

/**
 * Keeps values in order, in chunks, so that adding, deleting and reading the first few
 * don't slow down as the list grows.
 */
export class SortedList<Value> {
  readonly #compare: (left: Value, right: Value) => number
  #chunks: Value[][] = []

  constructor(compare: (left: Value, right: Value) => number) {
    this.#compare = compare
  }

  /** Puts a value at its place; values that compare as equal may stand side by side. */
  add(value: Value): void {
    const index = this.#isLast(value) ? Math.max(0, this.#chunks.length - 1) : this.#chunkOf(value)
    const chunk = this.#chunks[index]
    if (chunk === undefined) {
      this.#chunks.push([value])
      return
    }
    const last = chunk.at(-1)
    if (last === undefined || this.#compare(last, value) <= 0) chunk.push(value)
    else chunk.splice(this.#placeIn(chunk, value), 0, value)
    if (chunk.length > chunkSize) this.#chunks.splice(index + 1, 0, chunk.splice(chunkSize / 2))
  }

  /** Whether a value comes after all others, as most new ones do. */
  #isLast(value: Value): boolean {
    const last = this.#chunks.at(-1)?.at(-1)
    return last === undefined || this.#compare(last, value) <= 0
  }

  /** Takes out the value that compares as equal; does nothing where there is none. */
  delete(value: Value): void {
    const index = this.#chunkOf(value)
    const chunk = this.#chunks[index]
    if (chunk === undefined) return
    const place = this.#placeIn(chunk, value)
    const found = chunk[place]
    if (found === undefined || this.#compare(found, value) !== 0) return
    chunk.splice(place, 1)
    if (chunk.length === 0) this.#chunks.splice(index, 1)
  }

  /** The first values, at most `count`. */
  first(count: number): readonly Value[] {
    const [head = []] = this.#chunks
    if (head.length >= count) return head.slice(0, count)
    const values: Value[] = []
    for (const chunk of this.#chunks) {
      values.push(...chunk.slice(0, count - values.length))
      if (values.length === count) break
    }
    return values
  }

  /** The last chunk that begins at or before the value; the first one where none does. */
  #chunkOf(value: Value): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const first = this.#chunks[middle]?.[0]
      if (first !== undefined && this.#compare(first, value) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The place of the first value in a chunk that isn't before this one. */
  #placeIn(chunk: readonly Value[], value: Value): number {
    let low = 0
    let high = chunk.length
    while (low < high) {
      const middle = (low + high) >> 1
      const found = chunk[middle]
      if (found !== undefined && this.#compare(found, value) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
