import type { BodyKeeper, KeptBody } from '../../adapters/parts/node/node-body.ts'
import { Rooms } from './rooms.ts'
import { Turnstile } from './turnstile.ts'

/**
 * Keeps long bodies from taking more memory, and more of a turn of the event loop, than all others can spare: so many
 * of them are read at once, on all connections together, and few are made texts of in a turn. The others aren't read
 * meanwhile, which holds their senders back.
 */
export class LongBodies implements BodyKeeper {
  readonly #rooms: Rooms
  readonly #turnstile: Turnstile

  /**
   * @param most How many are read at once.
   * @param lengthInTurn How many of their characters go in one turn; the last one may be beyond.
   */
  constructor(most: number, lengthInTurn: number) {
    this.#rooms = new Rooms(most)
    this.#turnstile = new Turnstile(lengthInTurn)
  }

  enter(body: KeptBody): boolean {
    return this.#rooms.enter(body)
  }

  leave(body: KeptBody): void {
    this.#rooms.leave(body)
  }

  pass(length: number): Promise<void> {
    return this.#turnstile.pass(length)
  }
}
