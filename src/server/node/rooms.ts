/** Who has room, or waits for it. */
interface Guest {
  /** Called when there is room, unless there was at once. */
  goOn(): void
}

/** Has room for so many at once; the others wait, first come, first served. */
export class Rooms {
  readonly #most: number
  readonly #inside = new Set<Guest>()
  readonly #waiting = new Set<Guest>()

  /** @param most How many are in at once. */
  constructor(most: number) {
    this.#most = most
  }

  /** Asks for room; returns whether there is some at once. */
  enter(guest: Guest): boolean {
    if (this.#inside.size < this.#most) {
      this.#inside.add(guest)
      return true
    }
    this.#waiting.add(guest)
    return false
  }

  /** Gives room back, or asks for it no more; again, it does nothing. */
  leave(guest: Guest): void {
    if (this.#waiting.delete(guest) || !this.#inside.delete(guest)) return
    const [next] = this.#waiting
    if (next === undefined) return
    this.#waiting.delete(next)
    this.#inside.add(next)
    next.goOn()
  }

  /**
   * Resolves when there is room, with what gives it back.
   *
   * @param owner Aborts when nobody waits for it any more.
   * @throws The reason for which the owner aborts, at once.
   */
  room(owner: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const guest: Guest = {
        goOn() {
          owner.removeEventListener('abort', giveUp)
          resolve(leave)
        },
      }
      const leave = (): void => this.leave(guest)
      const giveUp = (): void => {
        leave()
        reject(owner.reason)
      }
      if (owner.aborted) giveUp()
      else if (this.enter(guest)) resolve(leave)
      else owner.addEventListener('abort', giveUp, { once: true })
    })
  }
}
