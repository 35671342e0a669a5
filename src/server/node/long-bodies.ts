import type { BodyKeeper, KeptBody } from '../../adapters/parts/node/node-body.ts'
import { Turnstile } from './turnstile.ts'

/**
 * Keeps long bodies from taking more memory, and more of a turn of the event loop, than all others can spare: so many
 * of them are read at once, on all connections together, and few are made texts of in a turn. The others aren't read
 * meanwhile, which holds their senders back.
 */
export class LongBodies implements BodyKeeper {
  readonly #turnstile: Turnstile
  readonly #most: number
  #count = 0
  readonly #waiting = new Set<KeptBody>()

  /**
   * @param most How many are read at once.
   * @param lengthInTurn How many of their characters go in one turn; the last one may be beyond.
   */
  constructor(most: number, lengthInTurn: number) {
    this.#most = most
    this.#turnstile = new Turnstile(lengthInTurn)
  }

  /** Resolves when there is room for a body, which {@link leave} gives back. */
  room(): Promise<KeptBody> {
    return new Promise((resolve) => {
      const body = { goOn: () => resolve(body) }
      if (this.enter(body)) body.goOn()
    })
  }

  enter(body: KeptBody): boolean {
    if (this.#count < this.#most) {
      this.#count++
      return true
    }
    this.#waiting.add(body)
    return false
  }

  leave(body: KeptBody): void {
    if (this.#waiting.delete(body)) return
    const [next] = this.#waiting
    if (next === undefined) this.#count--
    else {
      this.#waiting.delete(next)
      next.goOn()
    }
  }

  pass(length: number): Promise<void> {
    return this.#turnstile.pass(length)
  }
}
