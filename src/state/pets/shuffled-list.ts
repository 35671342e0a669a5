import { compareInt64, type Int64 } from '../../contract/int64.ts'
import { mix } from '../random.ts'
import { SortedList } from './sorted-list.ts'

/** What decides a pet's place in a list. */
export interface Rank {
  readonly id: Int64
}

/** A number that is greater than any hash. */
const hashes = 2 ** 32

/** How many pets are found at least that nobody has asked for yet, so that few that go make no difference. */
const spare = 400

/**
 * The first pets of a list in shuffled order: by a hash of id and seed. It finds those whose hash is low, and never puts
 * all in order: of 100,000 that would take 50 ms.
 */
export class ShuffledList<Value extends Rank> {
  readonly #all: SortedList<Value, Rank>
  readonly #seed: number
  readonly #compare: (left: Rank, right: Rank) => number
  /** All whose hash is below the bound. */
  #first: SortedList<Value, Rank>
  #bound = 0

  /** @param all All of them, by id; tell this list of what comes or goes there. */
  constructor(all: SortedList<Value, Rank>, seed: number) {
    this.#all = all
    this.#seed = seed
    this.#compare = comparer(seed)
    this.#first = new SortedList(this.#compare)
  }

  /** The first ones, at most `count`. */
  first(count: number): readonly Value[] {
    while (this.#bound < hashes && this.#first.size < count) this.#reachFor(count)
    return this.#first.first(count)
  }

  add(value: Value): void {
    if (hashOf(value.id, this.#seed) < this.#bound) this.#first.add(value)
  }

  delete(value: Value): void {
    if (hashOf(value.id, this.#seed) < this.#bound) this.#first.delete(value)
  }

  /** Raises the bound, so that it is likely that so many are below it. */
  #reachFor(count: number): void {
    const share = (2 * count + spare) / Math.max(1, this.#all.size)
    this.#bound = Math.min(hashes, Math.max(2 * this.#bound, Math.ceil(share * hashes)))
    const found = this.#all.all().filter(({ id }) => hashOf(id, this.#seed) < this.#bound)
    this.#first = new SortedList(this.#compare)
    for (const value of found.sort(this.#compare)) this.#first.append(value)
  }
}

/** Says which of two pets comes first in the order of a seed. */
export function comparer(seed: number): (left: Rank, right: Rank) => number {
  return (left, right) =>
    hashOf(left.id, seed) - hashOf(right.id, seed) || compareInt64(left.id, right.id)
}

/** Hashes an id's 64 bits, with the seed, to 32. */
function hashOf(id: Int64, seed: number): number {
  const isNumber = typeof id === 'number'
  const low = isNumber ? id >>> 0 : Number(BigInt.asUintN(32, id))
  const high = isNumber ? Math.floor(id / 2 ** 32) >>> 0 : Number(BigInt.asUintN(32, id >> 32n))
  return mix(mix(low ^ seed) ^ high)
}
