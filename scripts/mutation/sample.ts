import type { Mutant } from './find-mutants.ts'

/** Draws some mutants at random, each at most once, the same ones for the same seed; emptied texts a third as often. */
export function sample(all: readonly Mutant[], count: number, seed: string): Mutant[] {
  const draw = randomFrom(seed)
  return all
    .map((mutant) => ({
      mutant,
      // Of weighted items, those with the highest draw to the power of 1/weight are a fair sample.
      rank: draw() ** (mutant.operator === 'text emptied' ? 3 : 1),
    }))
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

/** A generator of numbers from 0 to 1 (mulberry32, seeded by FNV-1a). */
function randomFrom(seed: string): () => number {
  let state = 0x811c9dc5
  for (const character of seed) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
