/** A repeatable source of random numbers (mulberry32): the same seed gives the same sequence. */
export class Random {
  #state: number

  /** @param seed Any integer; its low 32 bits count. */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** The state: a seed that continues the sequence. */
  save(): number {
    return this.#state
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    return mix(this.#state)
  }
}

/** Mixes 32 bits. */
export function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 15), bits | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}
