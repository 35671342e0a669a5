import type { Client, Seen } from './seen.ts'

/** What a rule remembers of each origin, for as long as the origin is remembered. */
export class PerOrigin<Memory> {
  readonly #begin: () => Memory
  /** The origin that was asked for last, and its memory: often there is no other one. */
  #latest: Client | undefined
  #memory: Memory | undefined
  #others: WeakMap<Client, Memory> | undefined

  constructor(begin: () => Memory) {
    this.#begin = begin
  }

  /** The memory of an origin, begun if there is none. */
  of(seen: Seen): Memory {
    const known = this.find(seen)
    if (known !== undefined) return known
    const begun = this.#begin()
    this.#memory = begun
    return begun
  }

  /** The memory of an origin, if there is one. */
  find({ origin }: Seen): Memory | undefined {
    if (origin !== this.#latest) this.#turnTo(origin)
    return this.#memory
  }

  forget(): void {
    this.#latest = undefined
    this.#memory = undefined
    this.#others = undefined
  }

  #turnTo(origin: Client): void {
    if (this.#latest !== undefined && this.#memory !== undefined) {
      this.#others ??= new WeakMap()
      this.#others.set(this.#latest, this.#memory)
    }
    this.#latest = origin
    this.#memory = this.#others?.get(origin)
  }
}

/** Says something once of each origin. */
export class OncePerOrigin {
  readonly #told = new PerOrigin<true>(() => true)

  /** Whether it was said already. */
  isTold(seen: Seen): boolean {
    return this.#told.find(seen) !== undefined
  }

  /** Whether it is the first time. */
  isFirst(seen: Seen): boolean {
    if (this.isTold(seen)) return false
    this.#told.of(seen)
    return true
  }
}
