import type { GapValues } from '../api/gaps.ts'
import { compareInt64, type Int64, int64, toInt64 } from '../api/int64.ts'
import {
  isReserved,
  type NewPet,
  type Pet,
  type PetStatus,
  petJson,
  petSchema,
} from '../api/pet.ts'
import { FullError, InputError } from '../input/input-error.ts'
import { list, object, optional } from '../input/object.ts'
import type { Output } from '../input/schema.ts'
import { integer } from '../input/values.ts'
import { maxNames, SharedMemory } from '../log/shared-memory.ts'
import type { Clock } from './clock.ts'
import { defaultLimits, maxNameCharacters, maxPets, type SandboxLimits } from './limits.ts'
import { mix, Random } from './random.ts'

/** A condition on pets: property values, or predicates. */
type PetCondition =
  | { readonly [Field in keyof Pet]?: Pet[Field] | ((value: NonNullable<Pet[Field]>) => unknown) }
  | ((pet: Pet) => unknown)

/** A query of `@msw/data`, such as `(query) => query.where({ status: 'sold' })`. */
export interface PetQuery {
  /** Restricts the query to pets with these properties. */
  where(condition: PetCondition): PetQuery
  /** Restricts the query to pets that meet all conditions. */
  and(...conditions: readonly (PetQuery | PetCondition)[]): PetQuery
  /** Extends the query to pets that meet one of the conditions. */
  or(...conditions: readonly (PetQuery | PetCondition)[]): PetQuery
}

/** A pet to add; by default with the next id of the sequence. */
type PetToAdd = NewPet & { readonly id?: Int64 | undefined }

/** The page of the list to return. */
export interface PetFilter {
  readonly limit: number
  readonly status: PetStatus | undefined
  readonly order: GapValues['listOrder']
  readonly statuses: GapValues['undocumentedStatus']
}

/** A page of the list. */
interface PetPage {
  readonly json: string
  /** Number of pets on the page. */
  readonly count: number
  /** Number of matching pets; the page contains the first of them. */
  readonly total: number
}

const maxInt64 = 2n ** 63n - 1n

/** The pets in a snapshot. */
export const savedPets = object({
  list: list(petSchema),
  categories: list(int64),
  highestId: int64,
  random: integer(0, 2 ** 32 - 1),
  shuffleSeed: integer(0, 2 ** 32 - 1),
  /** Pets that the list doesn't show yet. */
  unlisted: optional(list(object({ id: int64, listedAt: integer(0, 9e15) }))),
})

/** The schema of a pet in the form that `@msw/data` requires. */
const recordSchema: {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: Pet }
    readonly types?: { readonly input: Pet; readonly output: Pet }
  }
} = {
  '~standard': {
    version: 1,
    vendor: 'petstore-sandbox',
    validate: (value) => ({ value: petSchema.parse(value) }),
  },
}

/** A pet as stored. A change replaces it, so that a list of references is a copy of all pets. */
type KeptPet = Output<typeof petSchema>

/** The pets of a sandbox. */
export class Pets {
  readonly #byId = new Map<Int64, KeptPet>()
  /**
   * All pets by ascending id; `undefined` after a pet was deleted or inserted in between. Most new pets have the
   * highest id.
   */
  #sorted: KeptPet[] | undefined
  #categories: ReadonlySet<Int64>
  #random: Random
  #shuffleSeed: number
  #highestId: Int64 = 0
  readonly #most: number
  readonly #memory: Pick<SharedMemory, 'hasRoomForNames'>
  #nameCharacters = 0
  /** Times from which the list shows the pets that it doesn't show yet, in Unix milliseconds. */
  readonly #listedAt = new Map<Int64, number>()
  /** The page that was asked for last, and by which filter; kept until a pet comes or goes. */
  #lastPage: { readonly filter: string; readonly page: PetPage } | undefined

  /** @throws {@link InputError} if two pets have the same id. */
  constructor(
    seed: readonly PetToAdd[],
    randomSeed: number,
    limits: SandboxLimits = defaultLimits,
    sequence: GapValues['idSequence'] = 'sequential',
    memory: Pick<SharedMemory, 'hasRoomForNames'> = new SharedMemory(),
  ) {
    this.#most = limits.pets
    this.#memory = memory
    this.#random = new Random(randomSeed)
    this.#shuffleSeed = mix(randomSeed >>> 0)
    this.#categories = new Set(seed.map(({ categoryId }) => categoryId))
    this.#expectRoom(seed, maxPets)
    this.#insertAll(seed, sequence)
  }

  get size(): number {
    return this.#byId.size
  }

  /** Number of characters in the names of all pets. */
  get nameCharacters(): number {
    return this.#nameCharacters
  }

  /** Returns whether a pet of the seed has this category. */
  hasCategory(categoryId: Int64): boolean {
    return this.#categories.has(categoryId)
  }

  /** A page: the first pets that match the filter, in its order (spec 4.1). */
  list(filter: PetFilter, clock: Pick<Clock, 'now'>): PetPage {
    if (this.#listedAt.size > 0) this.#listDue(clock.now())
    const { limit, status, order, statuses } = filter
    const name = `${limit} ${status} ${order} ${statuses}`
    if (this.#lastPage?.filter !== name) {
      this.#lastPage = { filter: name, page: this.#pageOf(filter) }
    }
    return this.#lastPage.page
  }

  /** Leaves a pet out of the list until an instant, in Unix milliseconds. */
  listLater(id: Int64, listedAt: number): void {
    this.#lastPage = undefined
    this.#listedAt.set(id, listedAt)
  }

  #listDue(now: number): void {
    for (const [id, listedAt] of this.#listedAt) {
      if (listedAt > now) continue
      this.#lastPage = undefined
      this.#listedAt.delete(id)
    }
  }

  #pageOf({ limit, status, order, statuses }: PetFilter): PetPage {
    const all = this.#inOrder(order)
    const pets = this.#listedAt.size === 0 ? all : all.filter(({ id }) => !this.#listedAt.has(id))
    // One whose status isn't shown is none of those that have it.
    const isHidden = (pet: Pet): boolean => statuses !== 'absent' && isReserved(pet)
    const found =
      status === undefined ? pets : pets.filter((pet) => pet.status === status && !isHidden(pet))
    const page = found.slice(0, limit).map((pet) => petJson(pet, statuses))
    return { json: `[${page}]`, count: page.length, total: found.length }
  }

  #inOrder(order: GapValues['listOrder']): readonly KeptPet[] {
    this.#sorted ??= [...this.#byId.values()].sort((one, other) => compareInt64(one.id, other.id))
    if (order === 'id-ascending') return this.#sorted
    if (order === 'id-descending') return this.#sorted.toReversed()
    return this.#sorted
      .map((pet) => ({ pet, rank: hashOf(pet.id, this.#shuffleSeed) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ pet }) => pet)
  }

  /** Returns copies of all pets by ascending id. */
  all(): Pet[] {
    return this.#inOrder('id-ascending').map(copyOf)
  }

  get(id: Int64): Pet | undefined {
    const found = this.#byId.get(id)
    return found === undefined ? undefined : copyOf(found)
  }

  /**
   * Returns the pets that currently match a query of `@msw/data`; an empty list if the query has no condition, as in
   * the library.
   */
  async query(build: (query: PetQuery) => PetQuery): Promise<Pet[]> {
    // Loaded on demand, since most sandboxes are never queried.
    const { Collection } = await import('@msw/data')
    const collection = new Collection({ schema: recordSchema })
    for (const pet of this.all()) await collection.create(pet)
    // `PetQuery` is the part of the library's query type that users need.
    return collection.findMany((query) => build(query as PetQuery) as typeof query).map(copyOf)
  }

  /**
   * Adds all pets or none; pets without an id get the next one of the sequence.
   *
   * @throws {@link InputError} if an id is taken, or there are too many.
   */
  add(pets: readonly PetToAdd[], sequence: GapValues['idSequence']): Pet[] {
    const ids = new Set<Int64>()
    pets.forEach(({ id }, index) => {
      if (id === undefined) return
      if (this.#byId.has(id) || ids.has(id)) {
        throw new InputError(`Cannot add pet ${id}: id already in use`, [index])
      }
      ids.add(id)
    })
    this.#expectRoom(pets)
    this.#expectSharedRoom(charactersIn(pets))
    return this.#insertAll(pets, sequence)
  }

  #insertAll(pets: readonly PetToAdd[], sequence: GapValues['idSequence']): Pet[] {
    // Pets with an id come first, since the sequence continues from the highest.
    for (const pet of pets) if (pet.id !== undefined) this.#insert(pet.id, pet)
    return pets.map((pet) => {
      const known = pet.id === undefined ? undefined : this.get(pet.id)
      return known ?? this.#insert(this.#nextId(sequence), pet)
    })
  }

  /**
   * Adds a pet; without an id it gets the next one of the sequence (spec 4.2).
   *
   * @throws {@link InputError} if its id is taken, {@link FullError} if there are too many.
   */
  addOne(pet: PetToAdd, sequence: GapValues['idSequence']): Pet {
    this.#expectRoom([pet])
    this.#expectSharedRoom(pet.name.length)
    return this.#insert(pet.id ?? this.#nextId(sequence), pet)
  }

  /**
   * Replaces the pet with the same id.
   *
   * @throws {@link FullError} if all names together would be too long.
   */
  replace(pet: Pet): void {
    const before = this.#byId.get(pet.id)?.name.length ?? 0
    this.#expectCharacters(pet.name.length - before)
    this.#expectSharedRoom(pet.name.length - before)
    const listedAt = this.#listedAt.get(pet.id)
    this.delete(pet.id)
    this.#insert(pet.id, pet)
    if (listedAt !== undefined) this.#listedAt.set(pet.id, listedAt)
  }

  /** Deletes a pet; returns whether it existed. */
  delete(id: Int64): boolean {
    this.#lastPage = undefined
    this.#sorted = undefined
    this.#listedAt.delete(id)
    this.#nameCharacters -= this.#byId.get(id)?.name.length ?? 0
    return this.#byId.delete(id)
  }

  clear(): void {
    for (const id of this.#byId.keys()) this.delete(id)
  }

  /** @throws Error naming the violated invariant. */
  check(): void {
    const names = [...this.#byId.values()].reduce((sum, { name }) => sum + name.length, 0)
    if (names !== this.#nameCharacters) {
      throw new Error(
        `The pets have names of ${names} characters, and ${this.#nameCharacters} are counted`,
      )
    }
    const sorted = this.#inOrder('id-ascending')
    const isOrdered = sorted.every(({ id }, index) => {
      const before = sorted[index - 1]
      return this.#byId.has(id) && (before === undefined || compareInt64(before.id, id) < 0)
    })
    if (!isOrdered || sorted.length !== this.size)
      throw new Error('The pets are not in their order')
    const last = sorted.at(-1)
    if (last !== undefined && last.id > this.#highestId) {
      throw new Error(`Pet ${last.id} is above the highest id, ${this.#highestId}`)
    }
  }

  save(): Output<typeof savedPets> {
    return {
      list: [...this.#inOrder('id-ascending')],
      categories: [...this.#categories],
      highestId: this.#highestId,
      random: this.#random.save(),
      shuffleSeed: this.#shuffleSeed,
      unlisted:
        this.#listedAt.size === 0
          ? undefined
          : [...this.#listedAt].map(([id, listedAt]) => ({ id, listedAt })),
    }
  }

  /** @throws {@link InputError} if two pets have the same id, or there are too many. */
  static restore(
    saved: Output<typeof savedPets>,
    limits?: SandboxLimits,
    memory?: SharedMemory,
  ): Pets {
    const { highestId, random, shuffleSeed, unlisted = [] } = saved
    const pets = new Pets(saved.list, 0, limits, 'sequential', memory)
    pets.#categories = new Set(saved.categories)
    if (highestId > pets.#highestId) pets.#highestId = highestId
    pets.#random = new Random(random)
    pets.#shuffleSeed = shuffleSeed
    for (const { id, listedAt } of unlisted)
      if (pets.#byId.has(id)) pets.#listedAt.set(id, listedAt)
    return pets
  }

  #insert(id: Int64, pet: NewPet): Pet {
    if (this.#byId.has(id)) {
      throw new InputError(`Cannot add pet ${id}: id already in use`, ['id'])
    }
    this.#lastPage = undefined
    const { name, categoryId, status } = pet
    const added: KeptPet = { id, name, categoryId, status }
    this.#byId.set(id, added)
    this.#nameCharacters += pet.name.length
    if (id > this.#highestId) {
      this.#sorted?.push(added)
      this.#highestId = id
    } else this.#sorted = undefined
    return copyOf(added)
  }

  /** @throws {@link FullError} if there would be too many. */
  #expectRoom(pets: readonly Pick<Pet, 'name'>[], most = this.#most): void {
    if (this.size + pets.length > most) {
      throw new FullError(
        `Cannot add pets: there would be ${this.size + pets.length}, and ${most} are allowed; delete some`,
      )
    }
    this.#expectCharacters(charactersIn(pets))
  }

  #expectCharacters(more: number): void {
    const characters = this.#nameCharacters + more
    if (more <= 0 || characters <= maxNameCharacters) return
    throw new FullError(
      `Cannot use these names: all pets would have names of ${characters} characters together, and ${maxNameCharacters} are allowed; use shorter ones, or delete some pets`,
    )
  }

  /** @throws {@link FullError} if the pets of all sandboxes would have too long names. */
  #expectSharedRoom(more: number): void {
    if (more <= 0 || this.#memory.hasRoomForNames(more)) return
    throw new FullError(
      `Cannot use these names: the pets of all sandboxes would have names of more than ${maxNames} characters; use shorter ones, or delete some pets`,
    )
  }

  #nextId(sequence: GapValues['idSequence']): Int64 {
    if (sequence === 'random') return this.#randomId()
    const isPlain = typeof this.#highestId === 'number' && this.#highestId < Number.MAX_SAFE_INTEGER
    if (sequence === 'sequential' && isPlain) return Number(this.#highestId) + 1
    const highest = BigInt(this.#highestId)
    if (highest === maxInt64) return this.#randomId()
    if (sequence === 'sequential') return normalized(highest + 1n)
    // Above 2^53 doubles represent no odd number.
    return ((highest < 2n ** 53n ? 2n ** 53n : highest) + 1n) | 1n
  }

  #randomId(): Int64 {
    for (;;) {
      const high = BigInt(this.#random.next() >>> 1)
      const id = normalized((high << 32n) | BigInt(this.#random.next()))
      if (id !== 0 && !this.#byId.has(id)) return id
    }
  }
}

function charactersIn(pets: readonly Pick<Pet, 'name'>[]): number {
  return pets.reduce((sum, { name }) => sum + name.length, 0)
}

/** Returns a copy that omits an undefined status. */
function copyOf({ id, name, categoryId, status }: Pet): Pet {
  return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status }
}

/** Normalizes an id that is an int64. */
function normalized(id: bigint): Int64 {
  const known = toInt64(id)
  if (known === undefined) throw new RangeError(`Cannot use ${id} as an id: it is outside int64`)
  return known
}

/** Hashes an id's 64 bits and the seed to 32 bits. */
function hashOf(id: Int64, seed: number): number {
  const isNumber = typeof id === 'number'
  const low = isNumber ? id >>> 0 : Number(BigInt.asUintN(32, id))
  const high = isNumber ? Math.floor(id / 2 ** 32) >>> 0 : Number(BigInt.asUintN(32, id >> 32n))
  return mix(mix(low ^ seed) ^ high)
}
