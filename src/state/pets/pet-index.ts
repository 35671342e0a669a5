import type { GapChoices } from '../../contract/gaps.ts'
import { compareInt64, type Int64 } from '../../contract/int64.ts'
import { isReserved, type PetStatus, petJsonWith } from '../../contract/pet.ts'
import { mix } from '../random.ts'

/** A pet in the index; it never changes. */
export interface PetEntry {
  readonly id: Int64
  readonly name: string
  readonly categoryId: Int64
  readonly status: PetStatus | undefined
}

/** Which page of the list to return. */
export interface PetFilter {
  readonly limit: number
  readonly status: PetStatus | undefined
  readonly order: GapChoices['listOrder']
  /** `listed` by default. */
  readonly statuses?: GapChoices['petStatuses']
}

/** How many pages are kept. */
const keptPages = 32

/** Finds pets by id, and the first ones of a list (spec 4.1). */
export class PetIndex {
  readonly #byId = new Map<Int64, PetEntry>()
  /** By ascending id. */
  readonly #sorted: PetEntry[] = []
  /** Kept until a pet comes or goes. */
  #shuffled: PetEntry[] | undefined
  /** The JSON of pages, each by its whole filter; kept until a pet comes or goes. */
  readonly #pages = new Map<string, string>()
  readonly #counts = new Map<PetStatus | undefined, number>()

  /** What the shuffled order depends on. */
  shuffleSeed: number

  constructor(shuffleSeed: number) {
    this.shuffleSeed = shuffleSeed
  }

  /** How many pets there are. */
  get size(): number {
    return this.#sorted.length
  }

  /** How many pets have a status; all of them without one. */
  count(status: PetStatus | undefined): number {
    return status === undefined ? this.size : (this.#counts.get(status) ?? 0)
  }

  get(id: Int64): PetEntry | undefined {
    return this.#byId.get(id)
  }

  /** All pets by ascending id. */
  all(): readonly PetEntry[] {
    return this.#sorted
  }

  /** Adds a pet under a free id. */
  add(entry: PetEntry): void {
    this.#forgetLists()
    this.#byId.set(entry.id, entry)
    this.#sorted.splice(this.#placeOf(entry.id), 0, entry)
    this.#counts.set(entry.status, this.count(entry.status) + 1)
  }

  /** Deletes and returns a pet, if there is one. */
  delete(id: Int64): PetEntry | undefined {
    const entry = this.#byId.get(id)
    if (entry === undefined) return undefined
    this.#forgetLists()
    this.#byId.delete(id)
    this.#sorted.splice(this.#placeOf(id), 1)
    this.#counts.set(entry.status, this.count(entry.status) - 1)
    return entry
  }

  /** The JSON of a page. */
  page(filter: PetFilter): string {
    const name = JSON.stringify(filter)
    const known = this.#pages.get(name)
    if (known !== undefined) return known
    const pets = this.#first(filter).map((pet) => petJsonWith(pet, filter.statuses ?? 'listed'))
    if (this.#pages.size === keptPages) this.#pages.clear()
    const page = `[${pets}]`
    this.#pages.set(name, page)
    return page
  }

  #first({ limit, status, order, statuses = 'listed' }: PetFilter): PetEntry[] {
    const pets = order === 'shuffled' ? this.#inShuffledOrder() : this.#sorted
    const found: PetEntry[] = []
    for (let index = 0; index < pets.length && found.length < limit; index++) {
      const pet = pets[order === 'id-descending' ? pets.length - 1 - index : index]
      if (pet === undefined || (status !== undefined && pet.status !== status)) continue
      // One whose status isn't shown is none of those that have it.
      if (status !== undefined && statuses !== 'listed' && isReserved(pet)) continue
      found.push(pet)
    }
    return found
  }

  #inShuffledOrder(): readonly PetEntry[] {
    const rank = (pet: PetEntry): number => hashOf(pet.id, this.shuffleSeed)
    this.#shuffled ??= this.#sorted
      .map((pet) => ({ pet, rank: rank(pet) }))
      .sort((one, other) => one.rank - other.rank || compareInt64(one.pet.id, other.pet.id))
      .map(({ pet }) => pet)
    return this.#shuffled
  }

  #forgetLists(): void {
    this.#shuffled = undefined
    this.#pages.clear()
  }

  /** The place of the first pet whose id is at least this one. */
  #placeOf(id: Int64): number {
    const last = this.#sorted.at(-1)
    // Most new pets come after all others.
    if (last === undefined || last.id < id) return this.#sorted.length
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      const found = this.#sorted[middle]
      if (found !== undefined && found.id < id) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Hashes an id's 64 bits, with the seed, to 32. */
function hashOf(id: Int64, seed: number): number {
  const isNumber = typeof id === 'number'
  const low = isNumber ? id >>> 0 : Number(BigInt.asUintN(32, id))
  const high = isNumber ? Math.floor(id / 2 ** 32) >>> 0 : Number(BigInt.asUintN(32, id >> 32n))
  return mix(mix(low ^ seed) ^ high)
}
