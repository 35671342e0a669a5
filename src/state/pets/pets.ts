import type { Collection } from '@msw/data'
import type { GapChoices } from '../../contract/gaps.ts'
import { type Int64, int64, toInt64 } from '../../contract/int64.ts'
import { type NewPet, type Pet, petJson, petSchema } from '../../contract/pet.ts'
import { list } from '../../input/collections.ts'
import { InputError } from '../../input/input-error.ts'
import { object } from '../../input/object.ts'
import type { Read } from '../../input/schema.ts'
import { whole } from '../../input/values.ts'
import { mix, Random } from '../random.ts'
import { type PetEntry, type PetFilter, PetIndex } from './pet-index.ts'

type IdSequence = GapChoices['idSequence']

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

/** The schema that `@msw/data` asks for. */
const recordSchema: RecordSchema = {
  '~standard': {
    version: 1,
    vendor: 'petstore-sandbox',
    validate: (value) => ({ value: petSchema.read(value) }),
  },
}

/** A Standard Schema of a pet. */
interface RecordSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: Pet }
    readonly types?: { readonly input: Pet; readonly output: Pet }
  }
}

/** A pet to add; its id is the next one unless given. */
type PetToAdd = NewPet & { readonly id?: Int64 | undefined }

type PetCollection = Collection<RecordSchema>

/** Makes a collection of pets; loads the library only now, since most sandboxes are never queried. */
async function collect(pets: readonly Pet[]): Promise<PetCollection> {
  const { Collection } = await import('@msw/data')
  const collection = new Collection({ schema: recordSchema })
  for (const pet of pets) await collection.create(pet)
  return collection
}

const maxInt64 = 2n ** 63n - 1n

/** The pets in a snapshot. */
export const savedPets = object({
  list: list(petSchema),
  categories: list(int64),
  highestId: int64,
  random: whole(0, 2 ** 32 - 1),
  shuffleSeed: whole(0, 2 ** 32 - 1),
})

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
  #highestId: Int64 = 0

  /** @throws {@link InputError} when two pets have the same id. */
  constructor(seed: readonly Pet[], randomSeed: number) {
    this.#random = new Random(randomSeed)
    this.#shuffleSeed = mix(randomSeed >>> 0)
    this.#index = new PetIndex(this.#shuffleSeed)
    this.#categories = new Set(seed.map((pet) => pet.categoryId))
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
  jsonOf(id: Int64): string | undefined {
    const found = this.#index.get(id)
    return found === undefined ? undefined : petJson(found)
  }

  /** The JSON of a page: the first pets that match the filter, in its order (spec 4.1). */
  list(filter: PetFilter): string {
    return this.#index.page(filter)
  }

  /** Adds a pet under a new id and returns its JSON (spec 4.2). */
  create(pet: NewPet, sequence: IdSequence): string {
    return petJson(this.#insert(this.#nextId(sequence), pet))
  }

  /** All pets, by ascending id. */
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
   * @throws {@link InputError} when an id is taken.
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
   * @throws {@link InputError} when its id is taken.
   */
  addOne(pet: PetToAdd, sequence: IdSequence): Pet {
    return petOf(this.#insert(pet.id ?? this.#nextId(sequence), pet))
  }

  /** Replaces the pet with the same id. */
  replace(pet: Pet): void {
    this.delete(pet.id)
    this.#insert(pet.id, pet)
  }

  /** Deletes a pet; returns whether it existed. */
  delete(id: Int64): boolean {
    if (!this.#index.delete(id)) return false
    this.#keepInStep((collection) => collection.delete((query) => query.where({ id })))
    return true
  }

  clear(): void {
    this.#index = new PetIndex(this.#shuffleSeed)
    // The library's own clear() leaves records behind.
    this.#collection = undefined
  }

  save(): Read<typeof savedPets> {
    return {
      list: this.#index.all(),
      categories: [...this.#categories],
      highestId: this.#highestId,
      random: this.#random.save(),
      shuffleSeed: this.#shuffleSeed,
    }
  }

  /** @throws {@link InputError} when two pets have the same id. */
  static restore(saved: Read<typeof savedPets>): Pets {
    const pets = new Pets([], saved.random)
    pets.#shuffleSeed = saved.shuffleSeed
    pets.#index = new PetIndex(saved.shuffleSeed)
    pets.#categories = new Set(saved.categories)
    for (const pet of saved.list) pets.#insert(pet.id, pet)
    if (saved.highestId > pets.#highestId) pets.#highestId = saved.highestId
    return pets
  }

  #insert(id: Int64, { name, categoryId, status }: NewPet): PetEntry {
    if (this.#isTaken(id)) {
      throw new InputError(`Cannot add pet ${id}: another pet has this id; use a free one`)
    }
    const entry = { id, name, categoryId, status }
    this.#index.add(entry)
    if (id > this.#highestId) this.#highestId = id
    this.#keepInStep((collection) => collection.create(petOf(entry)))
    return entry
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
    const base = sequence === 'large' && highest < 2n ** 53n ? 2n ** 53n : highest
    return base < maxInt64 ? normalized(base + 1n) : this.#randomId()
  }

  #randomId(): Int64 {
    for (;;) {
      const high = BigInt(this.#random.next() >>> 1)
      const id = normalized((high << 32n) | BigInt(this.#random.next()))
      if (id !== 0 && !this.#isTaken(id)) return id
    }
  }
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
