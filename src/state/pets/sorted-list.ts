const chunkSize = 512

/**
 * Keeps values in order, in chunks, so that adding, deleting, finding and reading the first few hardly slow down as
 * the list grows.
 *
 * @typeParam Rank The part of a value that decides its place.
 */
export class SortedList<Value extends Rank, Rank = Value> {
  readonly #compare: (left: Rank, right: Rank) => number
  #chunks: Value[][] = []
  /** Those that another list has too, or somebody may be reading: they don't change any more. */
  #frozen = new Set<Value[]>()

  constructor(compare: (left: Rank, right: Rank) => number) {
    this.#compare = compare
  }

  /** The number of values. */
  get size(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  }

  /** Inserts a value at its place; equal ones may stand side by side. */
  add(value: Value): void {
    const last = this.#chunks.at(-1)?.at(-1)
    if (last !== undefined && this.#compare(last, value) > 0) this.#insert(value)
    // Most new values go to the end, where nothing has to make room.
    else this.append(value)
  }

  /** Adds a value that comes after all others, or beside an equal last one. */
  append(value: Value): void {
    const lastChunk = this.#chunks.at(-1)
    if (lastChunk === undefined || lastChunk.length >= chunkSize) this.#chunks.push([value])
    else this.#changed(this.#chunks.length - 1).push(value)
  }

  /** Inserts a value before the last one. */
  #insert(value: Value): void {
    const index = this.#chunkOf(value)
    const chunk = this.#changed(index)
    chunk.splice(this.#placeIn(chunk, value), 0, value)
    if (chunk.length > chunkSize) this.#chunks.splice(index + 1, 0, chunk.splice(chunkSize / 2))
  }

  /** The value with this rank, if any. */
  find(rank: Rank): Value | undefined {
    const chunk = this.#chunks[this.#chunkOf(rank)] ?? []
    const found = chunk[this.#placeIn(chunk, rank)]
    return found !== undefined && this.#compare(found, rank) === 0 ? found : undefined
  }

  /** All values, in order. */
  all(): Value[] {
    return this.#chunks.flat()
  }

  /** The last values, at most `count`, the very last one first. */
  last(count: number): readonly Value[] {
    const values: Value[] = []
    for (let index = this.#chunks.length - 1; index >= 0 && values.length < count; index--) {
      values.push(...(this.#chunks[index] ?? []).slice(-(count - values.length)).toReversed())
    }
    return values
  }

  /** The values after a rank, or from the first on: some of them, none at the end. */
  following(rank: Rank | undefined): readonly Value[] {
    if (rank === undefined) return this.#chunks[0]?.slice() ?? []
    const index = this.#chunkOf(rank)
    const chunk = this.#chunks[index] ?? []
    const place = this.#placeIn(chunk, rank)
    const isThere = chunk[place] !== undefined && this.#compare(chunk[place], rank) === 0
    const rest = chunk.slice(isThere ? place + 1 : place)
    return rest.length > 0 ? rest : (this.#chunks[index + 1]?.slice() ?? [])
  }

  /** All values as they are now, in order, whatever changes later; takes hardly longer for more of them. */
  frozen(): Iterable<Value> {
    const chunks = [...this.#chunks]
    this.#frozen = new Set(chunks)
    return {
      *[Symbol.iterator]() {
        for (const chunk of chunks) yield* chunk
      },
    }
  }

  /** Deletes and returns the value with this rank, if any. */
  delete(rank: Rank): Value | undefined {
    const index = this.#chunkOf(rank)
    const chunk = this.#chunks[index] ?? []
    const place = this.#placeIn(chunk, rank)
    const found = chunk[place]
    if (found === undefined || this.#compare(found, rank) !== 0) return undefined
    const changed = this.#changed(index)
    changed.splice(place, 1)
    if (changed.length === 0) this.#chunks.splice(index, 1)
    return found
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

  /** Another list with the same values; it takes hardly longer for more of them. */
  fork(): SortedList<Value, Rank> {
    const other = new SortedList<Value, Rank>(this.#compare)
    other.#chunks = [...this.#chunks]
    other.#frozen = new Set(this.#chunks)
    this.#frozen = new Set(this.#chunks)
    return other
  }

  /** A chunk that is about to change; a copy takes the place of one that is frozen. */
  #changed(index: number): Value[] {
    const chunk = this.#chunks[index]
    if (chunk === undefined) throw new RangeError('Cannot change the list: it is empty')
    if (this.#frozen.size === 0 || !this.#frozen.delete(chunk)) return chunk
    const copy = [...chunk]
    this.#chunks[index] = copy
    return copy
  }

  /** The last chunk that begins at or before the rank, or else the first. */
  #chunkOf(rank: Rank): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const first = this.#chunks[middle]?.[0]
      if (first !== undefined && this.#compare(first, rank) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The place in a chunk of the first value at or after the rank. */
  #placeIn(chunk: readonly Value[], rank: Rank): number {
    let low = 0
    let high = chunk.length
    while (low < high) {
      const middle = (low + high) >> 1
      const found = chunk[middle]
      if (found !== undefined && this.#compare(found, rank) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
