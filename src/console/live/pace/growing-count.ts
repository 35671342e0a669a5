/** How many are drawn at once at most, and how many more each time that the page is idle. */
export const drawnAtOnce = 50

/** More than so many new ones at once are a flood. */
const floodCount = 10

/** A list that changes again within this time is in a flood, too. */
const calmMs = 300

/**
 * Counts how many rows of a changing list to draw: a screenful as it changes fast, and more bit by bit when it doesn't,
 * so that no change is more work than a frame has time for.
 */
export class GrowingCount<Row> {
  readonly #keyOf: (row: Row) => unknown
  readonly #screenful: number
  #rows: readonly Row[] = []
  #count: number
  #changedAt = Number.NEGATIVE_INFINITY

  /** @param screenful How many rows are seen at most. */
  constructor(keyOf: (row: Row) => unknown, screenful = drawnAtOnce) {
    this.#keyOf = keyOf
    this.#screenful = Math.min(screenful, drawnAtOnce)
    this.#count = this.#screenful
  }

  /** How many of these rows, the newest first, to draw now. */
  of(rows: readonly Row[]): number {
    if (rows !== this.#rows) {
      const now = performance.now()
      if (now - this.#changedAt < calmMs || this.#countOfNew(rows) > floodCount) {
        this.#count = this.#screenful
      }
      this.#changedAt = now
      this.#rows = rows
    }
    return Math.min(this.#count, rows.length)
  }

  /** For how long the list may still be in a flood, in milliseconds. */
  get restMs(): number {
    return Math.max(0, this.#changedAt + calmMs - performance.now())
  }

  /** Draws more from now on. */
  grow(): void {
    this.#count += drawnAtOnce
  }

  /** How many rows have come before those that were there. */
  #countOfNew(rows: readonly Row[]): number {
    const before = this.#rows[0]
    if (before === undefined) return rows.length
    const key = this.#keyOf(before)
    const place = rows.findIndex((row) => this.#keyOf(row) === key)
    return place < 0 ? rows.length : place
  }
}
