import { type Int64, parseInt64, toInt64 } from '../../contract/int64.ts'
import { type NewPet, type Pet, type PetStatus, parseNewPet, parsePet } from '../../contract/pet.ts'
import { InputError, isRecord, show } from '../../input/input-error.ts'
import type { PetQuery } from '../../state/pets.ts'
import type { Access } from './access.ts'
import { MissingError } from './missing-error.ts'

/** A pet to add; without an id it gets the next one. */
export type PetSettings = NewPet & { readonly id?: Int64 }

/** What to change of a pet; what is left out stays. */
export interface PetChange {
  readonly name?: string
  readonly categoryId?: Int64
  /** `null` for none. */
  readonly status?: PetStatus | null
}

/** The pets behind the API's back. */
export interface PetControls {
  readonly size: number
  /** All pets, by ascending id. */
  list(): Pet[]
  /** @throws {@link InputError} when there is none. */
  get(id: Int64): Pet
  /** Adds pets, all of them or none. */
  create(pets: readonly PetSettings[]): Pet[]
  create(pet: PetSettings): Pet
  change(id: Int64, change: PetChange): Pet
  delete(id: Int64): void
  clear(): void
  /**
   * Finds pets with a query of `@msw/data`, such as `(query) => query.where({ status: 'sold' })`; a query without a
   * condition finds none.
   */
  query(build: (query: PetQuery) => PetQuery): Promise<Pet[]>
}

/** Makes the controls of a sandbox's pets. */
export function petControls({ state }: Access): PetControls {
  const find = (id: unknown): Pet => {
    const known = typeof id === 'string' ? parseInt64(id) : toInt64(id)
    const pet = known === undefined ? undefined : state().pets.get(known)
    if (pet !== undefined) return pet
    throw new MissingError(`Cannot find pet ${show(id)}: no pet has this id`)
  }
  function create(pets: readonly PetSettings[]): Pet[]
  function create(pet: PetSettings): Pet
  function create(value: unknown): Pet | Pet[] {
    const { pets, gaps } = state()
    if (Array.isArray(value)) return pets.add(value.map(parseEach), gaps.idSequence)
    return pets.add([parsePetSettings(value)], gaps.idSequence)[0] as Pet
  }
  return {
    get size() {
      return state().pets.size
    },
    list: () => state().pets.all(),
    get: find,
    create,
    change(id, change) {
      const pet = changed(find(id), change)
      state().pets.replace(pet)
      return pet
    },
    delete(id) {
      state().pets.delete(find(id).id)
    },
    clear: () => state().pets.clear(),
    query: (build) => state().pets.query(build),
  }
}

function parseEach(value: unknown, index: number): PetSettings {
  try {
    return parsePetSettings(value)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(`pets[${index}]: ${error.message}`, [index])
  }
}

function parsePetSettings(value: unknown): PetSettings {
  const isNew = isRecord(value) && value.id === undefined
  return isNew ? parseNewPet(value, { unknownProperties: 'reject' }) : parsePet(value)
}

function changed(pet: Pet, change: unknown): Pet {
  if (!isRecord(change)) {
    throw new InputError(
      `Cannot change the pet: found ${show(change)}; use an object such as { "status": "sold" }`,
    )
  }
  if (change.id !== undefined && String(change.id) !== String(pet.id)) {
    throw new InputError(`Cannot change the pet's id: found ${show(change.id)}; ids stay`)
  }
  const { status, ...rest } = { ...pet, ...change, id: pet.id }
  return parsePet(status === null ? rest : { ...rest, ...(status === undefined ? {} : { status }) })
}
