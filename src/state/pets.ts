import type { Collection } from '@msw/data'
import type { GapChoices } from '../contract/gaps.ts'
import { InputError, isRecord, parseWhole, show } from '../contract/input.ts'
import { compareInt64, type Int64, parseInt64, parseJson, toInt64 } from '../contract/int64.ts'
import { type NewPet, type Pet, type PetStatus, parsePet, petJson } from '../contract/pet.ts'
import { mix, Random } from './random.ts'
import { SortedList } from './sorted-list.ts'

type ListOrder = GapChoices['listOrder']
type IdSequence = GapChoices['idSequence']

/** A pet in the index, with its text, so that a reply only joins what is already written. */
interface Entry {
  readonly id: Int64
  readonly status: PetStatus | undefined
  readonly json: string
}

/** Which pets of the list to give. */
export interface PetFilter {
  readonly limit: number
  readonly status: PetStatus | undefined
  readonly order: ListOrder
}

/** What a value of a pet may be: that value, or what a function of it says. */
type PetCondition =
  | { readonly [Field in keyof Pet]?: Pet[Field] | ((value: NonNullable<Pet[Field]>) => unknown) }
  | ((pet: Pet) => unknown)

/** A query of `@msw/data`, such as `(query) => query.where({ status: 'sold' })`. */
export interface PetQuery {
  where(condition: PetCondition): PetQuery
  and(...conditions: readonly (PetQuery | PetCondition)[]): PetQuery
  or(...conditions: readonly (PetQuery | PetCondition)[]): PetQuery
}

/** What `@msw/data` checks a record with; pets are parsed before they come here. */
const petSchema: PetSchema = {
  '~standard': {
    version: 1,
    vendor: 'petstore-sandbox',
    validate: (value) => ({ value: value as Pet }),
  },
}

/** A Standard Schema of a pet. */
interface PetSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: Pet }
    readonly types?: { readonly input: Pet; readonly output: Pet }
  }
}

type PetCollection = Collection<PetSchema>

/** Makes a collection of pets; the library is loaded here, since most sandboxes are never queried. */
async function collect(pets: readonly Pet[]): Promise<PetCollection> {
  const { Collection } = await import('@msw/data')
  const collection = new Collection({ schema: petSchema })
  for (const pet of pets) await collection.create(pet)
  return collection
}

const maxInt64 = 2n ** 63n - 1n

/**
 * The pets of a sandbox: an index by id, status and order for the API's operations, whose cost doesn't grow with
 * the number of pets, and an `@msw/data` Collection for the queries of test authors.
 */
export class Pets {
  /** Made when a query first asks for it, and kept in step from then on. */
  #collection: Promise<PetCollection> | undefined
  readonly #byId = new Map<Int64, Entry>()
  #categories: ReadonlySet<Int64>
  #random: Random
  #shuffleSeed: number
  #index = new OrderedIndex('id-ascending', 0)
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
  list({ limit, status, order }: PetFilter): string {
    if (order !== this.#index.order) this.#reorder(order)
    return this.#index.page(limit, status)
  }

  /** Adds a pet under a new id and returns its JSON (spec 4.2). */
  create(pet: NewPet, sequence: IdSequence): string {
    return this.#insert({ id: this.#nextId(sequence), ...pet }).json
  }

  /** All pets, by ascending id. */
  all(): Pet[] {
    return [...this.#byId.values()].map(petOf).sort((one, other) => compareInt64(one.id, other.id))
  }

  get(id: Int64): Pet | undefined {
    const found = this.#byId.get(id)
    return found === undefined ? undefined : petOf(found)
  }

  /** The pets that fit a query of `@msw/data`. */
  async query(build: (query: PetQuery) => PetQuery): Promise<Pet[]> {
    this.#collection ??= collect(this.all())
    const collection = await this.#collection
    // The interface is the part of the library's query that a caller needs.
    const found = collection.findMany((query) => build(query as PetQuery) as typeof query)
    return found.map((record) => this.get(record.id) ?? { ...record })
  }

  /**
   * Adds pets, all of them or none; one without an id gets one of the sequence.
   *
   * @throws {@link InputError} when an id is taken.
   */
  add(pets: readonly (NewPet & { readonly id?: Int64 })[], sequence: IdSequence): Pet[] {
    const ids = new Set<Int64>()
    pets.forEach(({ id }, index) => {
      if (id === undefined) return
      if (this.#byId.has(id) || ids.has(id)) {
        throw new InputError(`Cannot add pet ${id}: another pet has this id; use a free one`, [
          index,
        ])
      }
      ids.add(id)
    })
    const numbered = pets
      .filter((pet) => pet.id !== undefined)
      .map((pet) => petOf(this.#insert(pet as Pet)))
    const byId = new Map(numbered.map((pet) => [pet.id, pet]))
    return pets.map((pet) => {
      const known = pet.id === undefined ? undefined : byId.get(pet.id)
      return known ?? petOf(this.#insert({ id: this.#nextId(sequence), ...pet }))
    })
  }

  /** Puts a pet in the place of the one with its id. */
  replace(pet: Pet): void {
    this.delete(pet.id)
    this.#insert(pet)
  }

  /** Takes a pet away; tells whether there was one. */
  delete(id: Int64): boolean {
    const entry = this.#byId.get(id)
    if (entry === undefined) return false
    this.#byId.delete(id)
    this.#index.delete(entry)
    this.#keepInStep((collection) => collection.delete((query) => query.where({ id })))
    return true
  }

  clear(): void {
    this.#byId.clear()
    this.#index = new OrderedIndex(this.#index.order, this.#shuffleSeed)
    // The library's own clear() leaves records behind.
    this.#collection = undefined
  }

  save() {
    return {
      list: this.all().map(portable),
      categories: [...this.#categories].map(portableId),
      highestId: portableId(this.#highestId),
      random: this.#random.save(),
      shuffleSeed: this.#shuffleSeed,
    }
  }

  /** @throws {@link InputError} */
  static restore(value: unknown): Pets {
    if (!isRecord(value) || !Array.isArray(value.list) || !Array.isArray(value.categories)) {
      throw new InputError(`Cannot restore pets: found ${show(value)}; use what a snapshot has`)
    }
    const seed = parseWhole(value.random, 0, 2 ** 32 - 1, "the pets' random state")
    const pets = new Pets([], seed)
    pets.#shuffleSeed = parseWhole(value.shuffleSeed, 0, 2 ** 32 - 1, "the pets' shuffle seed")
    pets.#categories = new Set(value.categories.map(parseId))
    for (const pet of value.list) pets.#insert(parsePet(pet))
    const highestId = parseId(value.highestId)
    if (highestId > pets.#highestId) pets.#highestId = highestId
    return pets
  }

  #insert(pet: Pet): Entry {
    if (this.#byId.has(pet.id)) {
      throw new InputError(`Cannot add pet ${pet.id}: another pet has this id; use a free one`)
    }
    const entry: Entry = { id: pet.id, status: pet.status, json: petJson(pet) }
    this.#byId.set(pet.id, entry)
    this.#index.add(entry)
    if (pet.id > this.#highestId) this.#highestId = pet.id
    this.#keepInStep((collection) => collection.create(pet))
    return entry
  }

  #keepInStep(change: (collection: PetCollection) => unknown): void {
    this.#collection = this.#collection?.then(async (collection) => {
      await change(collection)
      return collection
    })
  }

  #reorder(order: ListOrder): void {
    this.#index = new OrderedIndex(order, this.#shuffleSeed)
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
  readonly #compare: Compare
  readonly #all: SortedList<Entry>
  readonly #byStatus = new Map<PetStatus, SortedList<Entry>>()
  /** The texts of pages that were asked for since the last change. */
  readonly #pages = new Map<string, string>()

  constructor(order: ListOrder, shuffleSeed: number) {
    this.order = order
    this.#compare = order === 'shuffled' ? byRank(shuffleSeed) : comparators[order]
    this.#all = new SortedList(this.#compare)
  }

  add(entry: Entry): void {
    this.#pages.clear()
    this.#all.add(entry)
    if (entry.status === undefined) return
    let list = this.#byStatus.get(entry.status)
    if (list === undefined) {
      list = new SortedList(this.#compare)
      this.#byStatus.set(entry.status, list)
    }
    list.add(entry)
  }

  delete(entry: Entry): void {
    this.#pages.clear()
    this.#all.delete(entry)
    if (entry.status !== undefined) this.#byStatus.get(entry.status)?.delete(entry)
  }

  /** The JSON of a page; the same text again as long as nothing changes. */
  page(limit: number, status: PetStatus | undefined): string {
    const name = `${limit} ${status}`
    const known = this.#pages.get(name)
    if (known !== undefined) return known
    const list = status === undefined ? this.#all : this.#byStatus.get(status)
    const page = `[${(list?.first(limit) ?? []).map((entry) => entry.json).join(',')}]`
    if (page.length <= keptPage) this.#pages.set(name, page)
    return page
  }
}

/** The longest page that is kept, in characters: names may be long. */
const keptPage = 65_536

type Compare = (left: Entry, right: Entry) => number

const comparators: Readonly<Record<Exclude<ListOrder, 'shuffled'>, Compare>> = {
  'id-ascending': (left, right) => compareInt64(left.id, right.id),
  'id-descending': (left, right) => compareInt64(right.id, left.id),
}

/** Orders by what a seed makes of the ids. */
function byRank(seed: number): Compare {
  return (left, right) =>
    rankOf(left.id, seed) - rankOf(right.id, seed) || compareInt64(left.id, right.id)
}

/** A pet of its own, read from its text. */
function petOf({ json }: Entry): Pet {
  return parsePet(parseJson(json))
}

/** Spreads an id's 64 bits, with the seed, over 32. */
function rankOf(id: Int64, seed: number): number {
  const isNumber = typeof id === 'number'
  const low = isNumber ? id >>> 0 : Number(BigInt.asUintN(32, id))
  const high = isNumber ? Math.floor(id / 2 ** 32) >>> 0 : Number(BigInt.asUintN(32, id >> 32n))
  return mix(mix(low ^ seed) ^ high)
}

/** Brings an id that is known to be an int64 into its form. */
function toKnown(id: bigint): Int64 {
  const known = toInt64(id)
  if (known === undefined) throw new RangeError(`Cannot use ${id} as an id: it is outside int64`)
  return known
}

/** A pet for JSON that other tools may read: ids that a number can't hold are decimal strings. */
function portable(pet: Pet) {
  return { ...pet, id: portableId(pet.id), categoryId: portableId(pet.categoryId) }
}

function portableId(id: Int64): number | string {
  return typeof id === 'bigint' ? String(id) : id
}

function parseId(value: unknown): Int64 {
  const id = typeof value === 'string' ? parseInt64(value) : toInt64(value)
  if (id !== undefined) return id
  throw new InputError(`Cannot restore an id: found ${show(value)}; use an int64`)
}
