import type { GapChoices } from '../../contract/gaps.ts'
import { compareInt64, type Int64 } from '../../contract/int64.ts'
import { type PetStatus, petJson } from '../../contract/pet.ts'
import { mix } from '../random.ts'
import { SortedList } from './sorted-list.ts'

type ListOrder = GapChoices['listOrder']

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
  readonly order: ListOrder
}

/** What decides a pet's place in a list. */
type Rank = Pick<PetEntry, 'id'>

type Compare = (left: Rank, right: Rank) => number

type PetList = SortedList<PetEntry, Rank>

/**
 * Finds a pet by id, and the first pets of all or of one status in an order, in a time that doesn't grow with their
 * number, except for the first page in a new order.
 */
export class PetIndex {
  readonly #byId: PetList = new SortedList<PetEntry, Rank>(comparators['id-ascending'])
  #order: ListOrder = 'id-ascending'
  /** All pets in that order. */
  #ordered = this.#byId
  readonly #byStatus = new Map<PetStatus, PetList>()
  /** The JSON of the pages that were read since the last change. */
  readonly #pages = new Map<string, string>()
  readonly #shuffleSeed: number

  constructor(shuffleSeed: number) {
    this.#shuffleSeed = shuffleSeed
  }

  get size(): number {
    return this.#byId.size
  }

  get(id: Int64): PetEntry | undefined {
    return this.#byId.find({ id })
  }

  /** All pets by ascending id. */
  all(): PetEntry[] {
    return this.#byId.all()
  }

  /** Adds a pet under a free id. */
  add(entry: PetEntry): void {
    if (this.#pages.size > 0) this.#pages.clear()
    this.#byId.add(entry)
    this.#putInOrder(entry)
  }

  /** Deletes a pet; returns whether it existed. */
  delete(id: Int64): boolean {
    const entry = this.#byId.delete({ id })
    if (entry === undefined) return false
    this.#pages.clear()
    if (this.#ordered !== this.#byId) this.#ordered.delete(entry)
    if (entry.status !== undefined) this.#byStatus.get(entry.status)?.delete(entry)
    return true
  }

  /** The JSON of a page, kept until the next change (spec 4.1). */
  page({ limit, status, order }: PetFilter): string {
    if (order !== this.#order) this.#reorder(order)
    const name = `${limit} ${status}`
    const known = this.#pages.get(name)
    if (known !== undefined) return known
    const list = status === undefined ? this.#ordered : this.#byStatus.get(status)
    const page = `[${(list?.first(limit) ?? []).map(petJson).join(',')}]`
    if (page.length <= keptPage) this.#pages.set(name, page)
    return page
  }

  #reorder(order: ListOrder): void {
    this.#order = order
    this.#ordered = order === 'id-ascending' ? this.#byId : this.#emptyList()
    this.#byStatus.clear()
    this.#pages.clear()
    for (const entry of this.#byId.all()) this.#putInOrder(entry)
  }

  #putInOrder(entry: PetEntry): void {
    if (this.#ordered !== this.#byId) this.#ordered.add(entry)
    if (entry.status === undefined) return
    let list = this.#byStatus.get(entry.status)
    if (list === undefined) {
      list = this.#emptyList()
      this.#byStatus.set(entry.status, list)
    }
    list.add(entry)
  }

  #emptyList(): PetList {
    const order = this.#order
    return new SortedList(order === 'shuffled' ? byRank(this.#shuffleSeed) : comparators[order])
  }
}

/** The longest page that is kept, in characters, since names may be long. */
const keptPage = 65_536

const comparators: Readonly<Record<Exclude<ListOrder, 'shuffled'>, Compare>> = {
  'id-ascending': (left, right) => compareInt64(left.id, right.id),
  'id-descending': (left, right) => compareInt64(right.id, left.id),
}

/** Orders by a hash of id and seed. */
function byRank(seed: number): Compare {
  return (left, right) =>
    rankOf(left.id, seed) - rankOf(right.id, seed) || compareInt64(left.id, right.id)
}

/** Hashes an id's 64 bits, with the seed, to 32. */
function rankOf(id: Int64, seed: number): number {
  const isNumber = typeof id === 'number'
  const low = isNumber ? id >>> 0 : Number(BigInt.asUintN(32, id))
  const high = isNumber ? Math.floor(id / 2 ** 32) >>> 0 : Number(BigInt.asUintN(32, id >> 32n))
  return mix(mix(low ^ seed) ^ high)
}
