import type { Client, Seen } from './seen.ts'

/** What a rule remembers of each origin, for as long as the origin is remembered. */
export class PerOrigin<Memory> {
  readonly #begin: () => Memory
  #memories = new WeakMap<Client, Memory>()

  constructor(begin: () => Memory) {
    this.#begin = begin
  }

  /** The memory of an origin, begun if there is none. */
  of({ origin }: Seen): Memory {
    const known = this.#memories.get(origin)
    if (known !== undefined) return known
    const begun = this.#begin()
    this.#memories.set(origin, begun)
    return begun
  }

  /** The memory of an origin, if there is one. */
  find({ origin }: Seen): Memory | undefined {
    return this.#memories.get(origin)
  }

  forget(): void {
    this.#memories = new WeakMap()
  }
}

/** Says something once of each origin. */
export class OncePerOrigin {
  readonly #told = new WeakSet<Client>()

  /** Whether it is the first time. */
  isFirst({ origin }: Seen): boolean {
    if (this.#told.has(origin)) return false
    this.#told.add(origin)
    return true
  }
}
