import type { GapChoices } from '../../contract/gaps.ts'
import { type Int64, toInt64 } from '../../contract/int64.ts'
import { type NewPet, type Pet, petJsonWith } from '../../contract/pet.ts'
import { InputError } from '../../input/input-error.ts'
import type { Read } from '../../input/schema.ts'
import type { Holding } from '../memory/held-bytes.ts'
import { type Bounds, usualBounds } from '../memory/memory.ts'
import { mix, Random } from '../random.ts'
import type { PetCollection } from './pet-collection.ts'
import { type PetEntry, type PetFilter, PetIndex } from './pet-index.ts'
import type { PetQuery } from './pet-query.ts'
import { PetRoom } from './pet-room.ts'
import type { savedBesidePets, savedPets } from './saved-pets.ts'

type IdSequence = GapChoices['idSequence']

type PetStatuses = GapChoices['petStatuses']

/** A pet to add; its id is the next one unless given. */
type PetToAdd = NewPet & { readonly id?: Int64 | undefined }

const maxInt64 = 2n ** 63n - 1n

/**
 * The pets of a sandbox: an index for the API's operations, whose cost doesn't grow with the number of pets, and an
 * `@msw/data` Collection for test authors' queries.
 */
export class Pets {
  /** Made by the first query, and kept in step from then on. */
  #collection: Promise<PetCollection> | undefined
  #categories: ReadonlySet<Int64>
  #random: Random
  #shuffleSeed: number
  #index: PetIndex
  #highestId: Int64
  readonly #room: PetRoom
  /** The pets of a seed that take no room. */
  #free: PetIndex | undefined

  /** @throws {@link InputError} when two pets have the same id, or a name is too long. */
  constructor(seed: readonly Pet[], randomSeed: number, bounds: Bounds = usualBounds()) {
    this.#room = new PetRoom(bounds)
    this.#random = new Random(randomSeed)
    this.#shuffleSeed = mix(randomSeed >>> 0)
    const { seeds } = bounds.memory
    const { index, categories, highestId, longestName, nameLength } = seeds.find(seed)
    const isFree = seeds.isFree(seed)
    this.#room.takeSeed(longestName, isFree ? 0 : index.size, nameLength)
    this.#free = isFree ? index : undefined
    this.#index = index.fork(this.#shuffleSeed)
    this.#categories = categories
    this.#highestId = highestId
  }

  get size(): number {
    return this.#index.size
  }

  /** What they take in memory. */
  get holding(): Holding {
    return this.#room.holding
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
    this.#room.expect([pet], this.size)
    const entry = this.#insert(this.#nextId(sequence), pet)
    return { id: entry.id, json: petJsonWith(entry, statuses) }
  }

  /** All pets, by ascending id. */
  all(): Pet[] {
    return this.#index.all().map(petOf)
  }

  /** As {@link Pets.all}, one by one. */
  *walk(): Generator<Pet> {
    for (const pet of this.#index.walk()) yield petOf(pet)
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
    this.#room.expect(pets, this.size)
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
    this.#room.expect([pet], this.size)
    return petOf(this.#insert(pet.id ?? this.#nextId(sequence), pet))
  }

  /**
   * Replaces the pet with the same id.
   *
   * @throws {@link InputError} when its name is too long.
   */
  replace(pet: Pet): void {
    const before = this.#index.get(pet.id)
    const isSpared = before !== undefined && !this.#isFree(before)
    this.#room.expectChange(pet, isSpared ? before : undefined)
    this.delete(pet.id)
    this.#insert(pet.id, pet)
  }

  /** Deletes a pet; returns whether it existed. */
  delete(id: Int64): boolean {
    const deleted = this.#index.delete(id)
    if (deleted === undefined) return false
    if (!this.#isFree(deleted)) this.#room.give(deleted)
    this.#keepInStep((collection) => collection.delete((query) => query.where({ id })))
    return true
  }

  clear(): void {
    this.#index = new PetIndex(this.#shuffleSeed)
    this.holding.give(this.holding.bytes)
    // The library's own clear() leaves records behind.
    this.#collection = undefined
  }

  /** Gives the pets as they are now, whatever changes while the list is read. */
  save(): Read<typeof savedPets> {
    return {
      list: this.#index.frozen(),
      categories: this.#categories,
      highestId: this.#highestId,
      random: this.#random.save(),
      shuffleSeed: this.#shuffleSeed,
    }
  }

  /** @throws {@link InputError} when two pets have the same id. */
  static restore(
    { list, ...beside }: Read<typeof savedPets>,
    bounds: Bounds = usualBounds(),
  ): Pets {
    const pets = new Pets([], 0, bounds)
    for (const pet of list) pets.take(pet)
    pets.resume(beside, bounds)
    return pets
  }

  /** Takes a pet of a snapshot, as the constructor takes those of the seed. */
  take(pet: Pet): void {
    this.#insert(pet.id, pet)
  }

  /** Goes on as the pets of a snapshot would, once all are taken. */
  resume(saved: Read<typeof savedBesidePets>, { limits }: Pick<Bounds, 'limits'>): void {
    this.#room.limits = limits
    const { categories, highestId, random, shuffleSeed } = saved
    this.#random = new Random(random)
    this.#shuffleSeed = shuffleSeed
    this.#index.shuffleBy(shuffleSeed)
    this.#categories = new Set(categories)
    if (highestId > this.#highestId) this.#highestId = highestId
  }

  #insert(id: Int64, { name, categoryId, status }: NewPet): PetEntry {
    if (this.#isTaken(id)) {
      throw new InputError(`Cannot add pet ${id}: another pet has this id; use a free one`)
    }
    const entry = { id, name, categoryId, status }
    this.#room.take(entry)
    this.#index.add(entry)
    if (id > this.#highestId) this.#highestId = id
    this.#keepInStep((collection) => collection.create(petOf(entry)))
    return entry
  }

  #isFree(pet: PetEntry): boolean {
    return this.#free !== undefined && this.#free.get(pet.id) === pet
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
