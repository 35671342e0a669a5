/** A repeatable source of random numbers (mulberry32): the same seed produces the same sequence. */
export class Random {
  #state: number

  /** @param seed Any integer; only its low 32 bits are used. */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns the state: a seed that continues the sequence. */
  save(): number {
    return this.#state
  }

  /** Returns the next whole number from 0 to 2^32 - 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    return mix(this.#state)
  }
}

/** Mixes the bits of a 32-bit integer. */
export function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 15), bits | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}
