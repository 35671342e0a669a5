import { Collection } from '@msw/data'
import type { GapChoices } from '../contract/gaps.ts'
import { InputError } from '../contract/input.ts'
import { compareInt64, type Int64, toInt64 } from '../contract/int64.ts'
import { type NewPet, type Pet, type PetStatus, petJson } from '../contract/pet.ts'
import { mix, Random } from './random.ts'
import { SortedList } from './sorted-list.ts'

type ListOrder = GapChoices['listOrder']
type IdSequence = GapChoices['idSequence']

/** A pet in the index, with its text, so that a reply only joins what is already written. */
interface Entry {
  readonly id: Int64
  readonly status: PetStatus | undefined
  readonly json: string
  /** Its place in the shuffled order. */
  readonly rank: number
}

/** Which pets of the list to give. */
export interface PetFilter {
  readonly limit: number
  readonly status: PetStatus | undefined
  readonly order: ListOrder
}

/** What `@msw/data` checks a record with; pets are parsed before they come here. */
const petSchema = {
  '~standard': {
    version: 1,
    vendor: 'petstore-sandbox',
    validate: (value: unknown) => ({ value: value as Pet }),
  },
} as const

const maxInt64 = 2n ** 63n - 1n

/**
 * The pets of a sandbox: records in an `@msw/data` Collection, and beside it an index by id, status and order
 * for the API's operations, whose cost doesn't grow with the number of pets.
 */
export class Pets {
  readonly #collection = new Collection({ schema: petSchema })
  readonly #byId = new Map<Int64, Entry>()
  readonly #categories: ReadonlySet<Int64>
  readonly #random: Random
  readonly #shuffleSeed: number
  #index = new OrderedIndex('id-ascending')
  #highestId: Int64 = 0

  /** @throws {@link InputError} when two pets have one id. */
  constructor(seed: readonly Pet[], randomSeed: number) {
    this.#random = new Random(randomSeed)
    this.#shuffleSeed = mix(randomSeed >>> 0)
    this.#categories = new Set(seed.map((pet) => pet.categoryId))
    for (const pet of seed) this.#insert(pet)
  }

  get size(): number {
    return this.#byId.size
  }

  /** Whether a pet of the seed has this category. */
  hasCategory(categoryId: Int64): boolean {
    return this.#categories.has(categoryId)
  }

  /** The JSON of one pet. */
  jsonOf(id: Int64): string | undefined {
    return this.#byId.get(id)?.json
  }

  /** The JSON of the first pets that the filter lets through, in its order (spec 4.1). */
  list(filter: PetFilter): string[] {
    if (filter.order !== this.#index.order) this.#reorder(filter.order)
    return this.#index.first(filter.limit, filter.status).map((entry) => entry.json)
  }

  /** Adds a pet under a new id and returns its JSON (spec 4.2). */
  create(pet: NewPet, sequence: IdSequence): string {
    return this.#insert({ id: this.#nextId(sequence), ...pet }).json
  }

  #insert(pet: Pet): Entry {
    if (this.#byId.has(pet.id)) {
      throw new InputError(`Cannot add pet ${pet.id}: another pet has this id; use a free one`)
    }
    const entry: Entry = {
      id: pet.id,
      status: pet.status,
      json: petJson(pet),
      rank: rankOf(pet.id, this.#shuffleSeed),
    }
    this.#byId.set(pet.id, entry)
    this.#index.add(entry)
    if (pet.id > this.#highestId) this.#highestId = pet.id
    // Its promise only waits for the schema, which has nothing left to refuse.
    void this.#collection.create(pet)
    return entry
  }

  #reorder(order: ListOrder): void {
    this.#index = new OrderedIndex(order)
    for (const entry of this.#byId.values()) this.#index.add(entry)
  }

  #nextId(sequence: IdSequence): Int64 {
    if (sequence === 'random') return this.#randomId()
    const highest = BigInt(this.#highestId)
    const base = sequence === 'large' && highest < 2n ** 53n ? 2n ** 53n : highest
    return base < maxInt64 ? toKnown(base + 1n) : this.#randomId()
  }

  #randomId(): Int64 {
    for (;;) {
      const high = BigInt(this.#random.next() >>> 1)
      const id = toKnown((high << 32n) | BigInt(this.#random.next()))
      if (id !== 0 && !this.#byId.has(id)) return id
    }
  }
}

/** The entries in one order: all, and those of each status. */
class OrderedIndex {
  readonly order: ListOrder
  readonly #all: SortedList<Entry>
  readonly #byStatus = new Map<PetStatus, SortedList<Entry>>()

  constructor(order: ListOrder) {
    this.order = order
    this.#all = new SortedList(comparators[order])
  }

  add(entry: Entry): void {
    this.#all.add(entry)
    if (entry.status === undefined) return
    let list = this.#byStatus.get(entry.status)
    if (list === undefined) {
      list = new SortedList(comparators[this.order])
      this.#byStatus.set(entry.status, list)
    }
    list.add(entry)
  }

  first(count: number, status: PetStatus | undefined): readonly Entry[] {
    const list = status === undefined ? this.#all : this.#byStatus.get(status)
    return list?.first(count) ?? []
  }
}

const comparators: Readonly<Record<ListOrder, (left: Entry, right: Entry) => number>> = {
  'id-ascending': (left, right) => compareInt64(left.id, right.id),
  'id-descending': (left, right) => compareInt64(right.id, left.id),
  shuffled: (left, right) => left.rank - right.rank || compareInt64(left.id, right.id),
}

function rankOf(id: Int64, seed: number): number {
  const bits = BigInt.asUintN(64, BigInt(id))
  return mix(mix(Number(bits & 0xffffffffn) ^ seed) ^ Number(bits >> 32n))
}

/** Brings an id that is known to be an int64 into its form. */
function toKnown(id: bigint): Int64 {
  const known = toInt64(id)
  if (known === undefined) throw new RangeError(`Cannot use ${id} as an id: it is outside int64`)
  return known
}
