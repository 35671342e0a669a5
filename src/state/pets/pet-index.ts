import type { GapChoices } from '../../contract/gaps.ts'
import { compareInt64, type Int64 } from '../../contract/int64.ts'
import { isReserved, type PetStatus, petJsonWith } from '../../contract/pet.ts'
import { comparer, type Rank, ShuffledList } from './shuffled-list.ts'
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
 * number, except for the first page in shuffled order.
 */
export class PetIndex {
  #byId: PetList = new SortedList<PetEntry, Rank>(byId)
  #order: ListOrder = 'id-ascending'
  readonly #byStatus = new Map<PetStatus, PetList>()
  /** Where the order is shuffled, the lists that were asked for: of all pets, and of those of a status. */
  readonly #shuffled = new Map<PetStatus | undefined, ShuffledList<PetEntry>>()
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
    const { status } = entry
    this.#shuffled.get(undefined)?.add(entry)
    if (status === undefined) return
    this.#shuffled.get(status)?.add(entry)
    const list = this.#byStatus.get(status) ?? new SortedList<PetEntry, Rank>(byId)
    list.add(entry)
    this.#byStatus.set(status, list)
  }

  /** Deletes and returns a pet, if there is one. */
  delete(id: Int64): PetEntry | undefined {
    const entry = this.#byId.delete({ id })
    if (entry === undefined) return undefined
    this.size--
    this.#forgetPagesWith(entry)
    const { status } = entry
    this.#shuffled.get(undefined)?.delete(entry)
    if (status === undefined) return entry
    this.#shuffled.get(status)?.delete(entry)
    this.#byStatus.get(status)?.delete(entry)
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
    const list = status === undefined ? this.#byId : this.#byStatus.get(status)
    if (list === undefined) return []
    if (status === undefined || statuses === 'listed') return this.#inOrder(list, status, limit)
    for (let most = limit; ; most *= 2) {
      const shown = this.#inOrder(list, status, most).filter((pet) => !isReserved(pet))
      if (shown.length >= limit || most >= list.size) return shown.slice(0, limit)
    }
  }

  /** The first pets of a list in the order of the page. */
  #inOrder(list: PetList, status: PetStatus | undefined, count: number): readonly PetEntry[] {
    if (this.#order === 'id-ascending') return list.first(count)
    // By descending id, a list is read from its end.
    if (this.#order === 'id-descending') return list.last(count)
    let shuffled = this.#shuffled.get(status)
    if (shuffled === undefined) {
      shuffled = new ShuffledList(list, this.#shuffleSeed)
      this.#shuffled.set(status, shuffled)
    }
    return shuffled.first(count)
  }

  #reorder(order: ListOrder): void {
    this.#order = order
    this.#compare = comparerOf(order, this.#shuffleSeed)
    this.#shuffled.clear()
    this.#keepPages([])
  }
}

/** How many pages are kept, since each pet that comes or goes is compared with all of them. */
const keptPages = 32

/** How long they are together, in characters, since names may be long. */
const keptLength = 65_536

const byId: Compare = (left, right) => compareInt64(left.id, right.id)

/** Says which of two pets comes first in an order. */
function comparerOf(order: ListOrder, seed: number): Compare {
  if (order === 'shuffled') return comparer(seed)
  return order === 'id-descending' ? (left, right) => byId(right, left) : byId
}
