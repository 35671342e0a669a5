import type { GapChoices } from '../contract/gaps.ts'
import { compareInt64, type Int64, int64, toInt64 } from '../contract/int64.ts'
import {
  isReserved,
  type NewPet,
  type Pet,
  type PetStatus,
  petJsonWith,
  petSchema,
} from '../contract/pet.ts'
import { list } from '../input/collections.ts'
import { FullError, InputError } from '../input/input-error.ts'
import { object } from '../input/object.ts'
import type { Read } from '../input/schema.ts'
import { whole } from '../input/values.ts'
import {
  defaultLimits,
  mostNameCharacters,
  mostNameLength,
  mostPets,
  type SandboxLimits,
} from './limits.ts'
import type { PetCollection } from './pet-collection.ts'
import { mix, Random } from './random.ts'

/** A condition on pets: values of fields, or predicates. */
type PetCondition =
  | { readonly [Field in keyof Pet]?: Pet[Field] | ((value: NonNullable<Pet[Field]>) => unknown) }
  | ((pet: Pet) => unknown)

/** A query of `@msw/data`, such as `(query) => query.where({ status: 'sold' })`. */
export interface PetQuery {
  where(condition: PetCondition): PetQuery
  and(...conditions: readonly (PetQuery | PetCondition)[]): PetQuery
  or(...conditions: readonly (PetQuery | PetCondition)[]): PetQuery
}

type IdSequence = GapChoices['idSequence']

type PetStatuses = GapChoices['petStatuses']

/** A pet to add; its id is the next one unless given. */
type PetToAdd = NewPet & { readonly id?: Int64 | undefined }

const maxInt64 = 2n ** 63n - 1n

/** How much there may be. */
interface Bounds {
  readonly limits: SandboxLimits
}

/** The pets in a snapshot. */
export const savedPets = object({
  list: list(petSchema),
  categories: list(int64),
  highestId: int64,
  random: whole(0, 2 ** 32 - 1),
  shuffleSeed: whole(0, 2 ** 32 - 1),
})

/**
 * The pets of a sandbox: an index for the API's operations, and an `@msw/data` Collection for test authors' queries.
 */
export class Pets {
  /** Made by the first query, and kept in step from then on. */
  #collection: Promise<PetCollection> | undefined
  #categories: ReadonlySet<Int64>
  #random: Random
  #index: PetIndex
  #highestId: Int64 = 0
  readonly #most: number
  #nameCharacters = 0

  /** @throws {@link InputError} when two pets have the same id, or a name is too long. */
  constructor(
    seed: readonly Pet[],
    randomSeed: number,
    { limits }: Bounds = { limits: defaultLimits },
  ) {
    this.#most = limits.pets
    this.#random = new Random(randomSeed)
    this.#index = new PetIndex(mix(randomSeed >>> 0))
    this.#categories = new Set(seed.map(({ categoryId }) => categoryId))
    this.#expectRoom(seed, mostPets)
    for (const pet of seed) this.#insert(pet.id, pet)
  }

  get size(): number {
    return this.#index.size
  }

  /** Whether a pet of the seed has this category. */
  hasCategory(categoryId: Int64): boolean {
    return this.#categories.has(categoryId)
  }

  /** The JSON of one pet. */
  jsonOf(id: Int64, statuses: PetStatuses = 'listed'): string | undefined {
    const found = this.#index.get(id)
    return found === undefined ? undefined : petJsonWith(found, statuses)
  }

  /** The JSON of a page: the first pets that match the filter, in its order (spec 4.1). */
  list(filter: PetFilter): string {
    return this.#index.page(filter)
  }

  /** How many pets have a status, or there are in all: what a page shows a part of. */
  count(status: Pet['status']): number {
    return this.#index.count(status)
  }

  /**
   * Adds a pet under a new id, and returns that and its JSON (spec 4.2).
   *
   * @throws {@link InputError} when its name is too long, {@link FullError} when there are too many.
   */
  create(
    pet: NewPet,
    sequence: IdSequence,
    statuses: PetStatuses = 'listed',
  ): { readonly id: Int64; readonly json: string } {
    this.#expectRoom([pet])
    const entry = this.#insert(this.#nextId(sequence), pet)
    return { id: entry.id, json: petJsonWith(entry, statuses) }
  }

  /** Copies of all pets, by ascending id. */
  all(): Pet[] {
    return this.#index.all().map(petOf)
  }

  get(id: Int64): Pet | undefined {
    const found = this.#index.get(id)
    return found === undefined ? undefined : petOf(found)
  }

  /** The pets that match a query of `@msw/data`, as they are now; none if it has no condition, as in the library. */
  async query(build: (query: PetQuery) => PetQuery): Promise<Pet[]> {
    const collection = await (this.#collection ?? this.#keep(collect(this.all())))
    // `PetQuery` is the part of the library's query that callers need.
    return collection.findMany((query) => build(query as PetQuery) as typeof query).map(petOf)
  }

  /**
   * Adds all pets or none; those without an id get the next one of the sequence.
   *
   * @throws {@link InputError} when an id is taken, a name too long, or there are too many.
   */
  add(pets: readonly PetToAdd[], sequence: IdSequence): Pet[] {
    const ids = new Set<Int64>()
    pets.forEach(({ id }, index) => {
      if (id === undefined) return
      if (this.#isTaken(id) || ids.has(id)) {
        throw new InputError(`Cannot add pet ${id}: another pet has this id; use a free one`, [
          index,
        ])
      }
      ids.add(id)
    })
    this.#expectRoom(pets)
    // Pets with an id first, since the sequence continues from the highest.
    for (const pet of pets) if (pet.id !== undefined) this.#insert(pet.id, pet)
    return pets.map((pet) => {
      const known = pet.id === undefined ? undefined : this.#index.get(pet.id)
      return petOf(known ?? this.#insert(this.#nextId(sequence), pet))
    })
  }

  /**
   * Adds a pet; without an id it gets the next one of the sequence.
   *
   * @throws {@link InputError} when its id is taken, its name too long, or there are too many.
   */
  addOne(pet: PetToAdd, sequence: IdSequence): Pet {
    this.#expectRoom([pet])
    return petOf(this.#insert(pet.id ?? this.#nextId(sequence), pet))
  }

  /**
   * Replaces the pet with the same id.
   *
   * @throws {@link InputError} when its name is too long.
   */
  replace(pet: Pet): void {
    expectName(pet)
    const before = this.#index.get(pet.id)?.name.length ?? 0
    this.#expectCharacters(pet.name.length - before)
    this.delete(pet.id)
    this.#insert(pet.id, pet)
  }

  /** Deletes a pet; returns whether it existed. */
  delete(id: Int64): boolean {
    const deleted = this.#index.delete(id)
    if (deleted === undefined) return false
    this.#nameCharacters -= deleted.name.length
    this.#keepInStep((collection) => collection.delete((query) => query.where({ id })))
    return true
  }

  clear(): void {
    this.#index = new PetIndex(this.#index.shuffleSeed)
    this.#nameCharacters = 0
    // The library's own clear() leaves records behind.
    this.#collection = undefined
  }

  save(): Read<typeof savedPets> {
    return {
      list: this.#index.all().map((pet) => ({ ...pet })),
      categories: [...this.#categories],
      highestId: this.#highestId,
      random: this.#random.save(),
      shuffleSeed: this.#index.shuffleSeed,
    }
  }

  /** @throws {@link InputError} when two pets have the same id, or there are too many. */
  static restore(saved: Read<typeof savedPets>, bounds?: Bounds): Pets {
    const { highestId, random, shuffleSeed } = saved
    const pets = new Pets(saved.list, 0, bounds)
    pets.#categories = new Set(saved.categories)
    if (highestId > pets.#highestId) pets.#highestId = highestId
    pets.#random = new Random(random)
    pets.#index.shuffleSeed = shuffleSeed
    return pets
  }

  #insert(id: Int64, { name, categoryId, status }: NewPet): PetEntry {
    if (this.#isTaken(id)) {
      throw new InputError(`Cannot add pet ${id}: another pet has this id; use a free one`, ['id'])
    }
    const entry = { id, name, categoryId, status }
    this.#nameCharacters += name.length
    this.#index.add(entry)
    if (id > this.#highestId) this.#highestId = id
    this.#keepInStep((collection) => collection.create(petOf(entry)))
    return entry
  }

  /** @throws {@link FullError} when there is no room for some more, {@link InputError} when a name is too long. */
  #expectRoom(pets: readonly Pick<Pet, 'name'>[], most = this.#most): void {
    if (this.size + pets.length > most) {
      throw new FullError(
        `Cannot add pets: there would be ${this.size + pets.length}, and ${most} are allowed; delete some`,
      )
    }
    pets.forEach(expectName)
    this.#expectCharacters(pets.reduce((sum, { name }) => sum + name.length, 0))
  }

  #expectCharacters(more: number): void {
    const characters = this.#nameCharacters + more
    if (more <= 0 || characters <= mostNameCharacters) return
    throw new FullError(
      `Cannot use these names: all pets would have names of ${characters} characters together, and ${mostNameCharacters} are allowed; use shorter ones, or delete some pets`,
    )
  }

  #isTaken(id: Int64): boolean {
    // Most new ids are beyond the highest, which needs no search.
    return id <= this.#highestId && this.#index.get(id) !== undefined
  }

  #keepInStep(change: (collection: PetCollection) => unknown): void {
    if (this.#collection === undefined) return
    this.#keep(
      this.#collection.then(async (collection) => {
        await change(collection)
        return collection
      }),
    )
  }

  /** Keeps a collection to come; forgets one that can't be made, so that the next query tries again. */
  #keep(collection: Promise<PetCollection>): Promise<PetCollection> {
    this.#collection = collection
    collection.catch(() => {
      if (this.#collection === collection) this.#collection = undefined
    })
    return collection
  }

  #nextId(sequence: IdSequence): Int64 {
    if (sequence === 'random') return this.#randomId()
    const isPlain = typeof this.#highestId === 'number' && this.#highestId < Number.MAX_SAFE_INTEGER
    if (sequence === 'sequential' && isPlain) return Number(this.#highestId) + 1
    const highest = BigInt(this.#highestId)
    if (highest === maxInt64) return this.#randomId()
    if (sequence === 'sequential') return normalized(highest + 1n)
    // Above 2^53 no odd number is a double.
    return ((highest < 2n ** 53n ? 2n ** 53n : highest) + 1n) | 1n
  }

  #randomId(): Int64 {
    for (;;) {
      const high = BigInt(this.#random.next() >>> 1)
      const id = normalized((high << 32n) | BigInt(this.#random.next()))
      if (id !== 0 && !this.#isTaken(id)) return id
    }
  }
}

/** @throws {@link InputError} when a name is too long. */
function expectName({ name }: Pick<Pet, 'name'>): void {
  if (name.length <= mostNameLength) return
  throw new InputError(
    `Cannot use name: found ${name.length} characters; use at most ${mostNameLength}`,
    ['name'],
  )
}

/** Makes a collection of pets; loaded only now, since most sandboxes are never queried. */
async function collect(pets: readonly Pet[]): Promise<PetCollection> {
  const { collectionOf } = await import('./pet-collection.ts')
  return await collectionOf(pets)
}

/** A copy for the caller. */
function petOf({ id, name, categoryId, status }: Pet): Pet {
  return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status }
}

/** Normalizes an id that is known to be an int64. */
function normalized(id: bigint): Int64 {
  const known = toInt64(id)
  if (known === undefined) throw new RangeError(`Cannot use ${id} as an id: it is outside int64`)
  return known
}

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
