import type { GapChoices } from '../../contract/gaps.ts'
import { compareInt64, type Int64 } from '../../contract/int64.ts'
import { isReserved, type PetStatus, petJsonWith } from '../../contract/pet.ts'
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
  /** `listed` by default. */
  readonly statuses?: GapChoices['petStatuses']
}

/** What decides a pet's place in a list. */
type Rank = Pick<PetEntry, 'id'>

type Compare = (left: Rank, right: Rank) => number

type PetList = SortedList<PetEntry, Rank>

/** A page that was read, as JSON. */
interface KeptPage {
  readonly json: string
  readonly status: PetStatus | undefined
  /** The last pet of a full page; `undefined` for a page with room for more. */
  readonly last: PetEntry | undefined
}

/**
 * Finds a pet by id, and the first pets of all or of one status in an order, in a time that doesn't grow with their
 * number, except for the first page in a new order.
 */
export class PetIndex {
  #byId: PetList = new SortedList<PetEntry, Rank>(byId)
  #order: ListOrder = 'id-ascending'
  /** All pets in that order. */
  #ordered = this.#byId
  readonly #byStatus = new Map<PetStatus, PetList>()
  /** Which of two pets comes first in that order. */
  #compare = byId
  /**
   * The pages that were read and haven't changed since. One that has changed leaves by way of a new map: the old one
   * would stay linked to what comes after it (decisions/009-what-a-request-leaves-behind.md).
   */
  #pages = new Map<string, KeptPage>()
  #pagesLength = 0
  #shuffleSeed: number

  constructor(shuffleSeed: number) {
    this.#shuffleSeed = shuffleSeed
  }

  /** How many pets there are. */
  size = 0

  /** Shuffles by another seed, before anybody has asked for a shuffled page. */
  shuffleBy(seed: number): void {
    this.#shuffleSeed = seed
  }

  /** How many pets have a status; all of them without one. */
  count(status: PetStatus | undefined): number {
    return status === undefined ? this.#byId.size : (this.#byStatus.get(status)?.size ?? 0)
  }

  /** Another index of the same pets, whose usual order nobody has changed; it takes hardly longer for more of them. */
  fork(shuffleSeed: number): PetIndex {
    const other = new PetIndex(shuffleSeed)
    other.size = this.size
    other.#byId = this.#byId.fork()
    other.#ordered = other.#byId
    for (const [status, pets] of this.#byStatus) other.#byStatus.set(status, pets.fork())
    return other
  }

  get(id: Int64): PetEntry | undefined {
    return this.#byId.find({ id })
  }

  /** All pets by ascending id. */
  all(): PetEntry[] {
    return this.#byId.all()
  }

  /** Gives the pets by ascending id; it goes on with those that there are when each is asked for. */
  *walk(): Generator<PetEntry> {
    let values = this.#byId.following(undefined)
    while (values.length > 0) {
      yield* values
      values = this.#byId.following(values.at(-1))
    }
  }

  /** All pets by ascending id as they are now, whatever changes later. */
  frozen(): Iterable<PetEntry> {
    return this.#byId.frozen()
  }

  /** Adds a pet under a free id. */
  add(entry: PetEntry): void {
    this.#forgetPagesWith(entry)
    this.#byId.add(entry)
    this.size++
    this.#putInOrder(entry)
  }

  /** Deletes and returns a pet, if there is one. */
  delete(id: Int64): PetEntry | undefined {
    const entry = this.#byId.delete({ id })
    if (entry === undefined) return undefined
    this.size--
    this.#forgetPagesWith(entry)
    if (this.#ordered !== this.#byId) this.#ordered.delete(entry)
    if (entry.status !== undefined) this.#byStatus.get(entry.status)?.delete(entry)
    return entry
  }

  /** The JSON of a page, kept until a pet comes or goes that it would show (spec 4.1). */
  page(filter: PetFilter): string {
    const { limit, status, order, statuses = 'listed' } = filter
    if (order !== this.#order) this.#reorder(order)
    const name = statuses === 'listed' ? `${limit} ${status}` : `${limit} ${status} more`
    const known = this.#pages.get(name)
    if (known !== undefined) return known.json
    const pets = this.#first(filter)
    const json = `[${pets.map((pet) => petJsonWith(pet, statuses))}]`
    this.#keepPage(name, { json, status, last: pets[limit - 1] })
    return json
  }

  #keepPage(name: string, page: KeptPage): void {
    const { length } = page.json
    if (length > keptLength) return
    const isFull = this.#pages.size === keptPages || this.#pagesLength + length > keptLength
    if (isFull) this.#keepPages([])
    this.#pagesLength += length
    this.#pages.set(name, page)
  }

  /** Forgets the pages on which a pet, that comes or goes, has its place: most new pets come after all of them. */
  #forgetPagesWith(entry: PetEntry): void {
    for (const page of this.#pages.values()) {
      if (!this.#hasPlace(entry, page)) continue
      this.#keepPages([...this.#pages].filter(([, one]) => !this.#hasPlace(entry, one)))
      return
    }
  }

  #hasPlace(entry: PetEntry, { status, last }: KeptPage): boolean {
    if (status !== undefined && entry.status !== status) return false
    return last === undefined || this.#compare(entry, last) <= 0
  }

  #keepPages(pages: readonly (readonly [string, KeptPage])[]): void {
    this.#pages = new Map(pages)
    this.#pagesLength = pages.reduce((sum, [, { json }]) => sum + json.length, 0)
  }

  /** The pets of a page: of one status, only those that show it. */
  #first({ limit, status, statuses = 'listed' }: PetFilter): readonly PetEntry[] {
    const read = this.#order === 'id-descending' ? 'last' : 'first'
    if (status === undefined) return this.#ordered[read](limit)
    const list = this.#byStatus.get(status)
    if (list === undefined) return []
    if (statuses === 'listed') return list[read](limit)
    for (let most = limit; ; most *= 2) {
      const shown = list[read](most).filter((pet) => !isReserved(pet))
      if (shown.length >= limit || most >= list.size) return shown.slice(0, limit)
    }
  }

  #reorder(order: ListOrder): void {
    const wasShuffled = this.#order === 'shuffled'
    this.#order = order
    this.#compare = comparerOf(order, this.#shuffleSeed)
    this.#keepPages([])
    // By descending id, a list is read from its end.
    if (order !== 'shuffled' && !wasShuffled) return
    this.#ordered = order === 'shuffled' ? this.#emptyList() : this.#byId
    this.#byStatus.clear()
    const entries = this.#byId.all()
    const isSorted = order !== 'shuffled' || entries.length <= mostSorted
    const places =
      order === 'shuffled' && isSorted ? shuffled(entries, this.#shuffleSeed) : entries.keys()
    for (const place of places) {
      const entry = entries[place % entries.length]
      if (entry !== undefined) this.#putInOrder(entry, isSorted ? 'append' : 'add')
    }
  }

  #putInOrder(entry: PetEntry, how: 'add' | 'append' = 'add'): void {
    if (this.#ordered !== this.#byId) this.#ordered[how](entry)
    if (entry.status === undefined) return
    let list = this.#byStatus.get(entry.status)
    if (list === undefined) {
      list = this.#emptyList()
      this.#byStatus.set(entry.status, list)
    }
    list[how](entry)
  }

  #emptyList(): PetList {
    return new SortedList(this.#order === 'shuffled' ? byRank(this.#shuffleSeed) : byId)
  }
}

/** How many pages are kept, since each pet that comes or goes is compared with all of them. */
const keptPages = 32

/** How long they are together, in characters, since names may be long. */
const keptLength = 65_536

const byId: Compare = (left, right) => compareInt64(left.id, right.id)

/** Says which of two pets comes first in an order. */
function comparerOf(order: ListOrder, seed: number): Compare {
  if (order === 'shuffled') return byRank(seed)
  return order === 'id-descending' ? (left, right) => byId(right, left) : byId
}

/** How many pets are put in order before a list takes them: numbers hold their hashes and places exactly. */
const mostSorted = 2 ** 21

/** The places of pets by their hashes, plus multiples of their number; numbers are sorted many times as fast as pets. */
function shuffled(pets: readonly PetEntry[], seed: number): Float64Array {
  const sorted = new Float64Array(pets.length)
  pets.forEach(({ id }, place) => {
    sorted[place] = rankOf(id, seed) * pets.length + place
  })
  return sorted.sort()
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
