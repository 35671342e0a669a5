/** Something that waits for an instant. */
interface Wait {
  dueAt: number
  readonly release: () => void
}

/** The waits on a clock; each ends when it is due, when its owner aborts, or when all are released. */
export class Waits {
  readonly #open = new Set<Wait>()

  /** When the next one is due; Infinity if none is. */
  get nextAt(): number {
    let nextAt = Number.POSITIVE_INFINITY
    for (const { dueAt } of this.#open) nextAt = Math.min(nextAt, dueAt)
    return nextAt
  }

  /** Waits until an instant, or until the owner aborts. */
  add(dueAt: number, owner?: AbortSignal): Promise<void> {
    if (owner?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const release = (): void => {
        this.#open.delete(wait)
        owner?.removeEventListener('abort', release)
        resolve()
      }
      const wait = { dueAt, release }
      this.#open.add(wait)
      owner?.addEventListener('abort', release)
    })
  }

  /** Ends the waits that are due. */
  releaseDue(now: number): void {
    for (const { dueAt, release } of [...this.#open]) if (dueAt <= now) release()
  }

  /** Moves the end of every wait, so that the rest of each stays the same when the clock jumps. */
  shift(byMs: number): void {
    for (const wait of this.#open) wait.dueAt += byMs
  }

  /** Ends every wait. */
  releaseAll(): void {
    for (const { release } of [...this.#open]) release()
  }
}
