/** What takes some of the bytes; a newer one stands after it. */
export interface Counted {
  readonly bytes: number
  /** Who keeps it. */
  readonly keeper: Keeper
  older: Counted | undefined
  newer: Counted | undefined
}

/** Who keeps what takes bytes that it shares with others. */
export interface Keeper {
  /** Forgets the oldest of what it keeps. */
  dropOldest(): void
}

/**
 * Bytes that several keep their latest in, such as the exchanges of journals; where they don't suffice, the oldest goes
 * first, whoever keeps it.
 *
 * A list of links, so that a request costs the same however many there are.
 */
export class SharedBytes {
  /** How many there are. */
  readonly most: number
  #oldest: Counted | undefined
  #newest: Counted | undefined
  /** How many are in use. */
  used = 0

  constructor(most: number) {
    this.most = most
  }

  /** Counts what is newer than all else, and makes room for it. */
  add(added: Counted): void {
    added.older = this.#newest
    if (this.#newest === undefined) this.#oldest = added
    else this.#newest.newer = added
    this.#newest = added
    this.used += added.bytes
    while (this.used > this.most && this.#oldest !== undefined) this.#oldest.keeper.dropOldest()
  }

  /** Counts no more what its keeper has forgotten. */
  remove(removed: Counted): void {
    const { older, newer } = removed
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    // A link from what is gone would keep the next one from the collector's quick pass.
    removed.older = undefined
    removed.newer = undefined
    this.used -= removed.bytes
  }
}
