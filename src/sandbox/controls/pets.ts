import { type Int64, int64, int64From } from '../../mock/api/int64.ts'
import {
  type Pet,
  type PetChange,
  type PetSettings,
  petChange,
  petSettings,
  petStatus,
} from '../../mock/api/pet.ts'
import { NotFoundError, show } from '../../mock/input/input-error.ts'
import { list, object, oneOrMany, optional } from '../../mock/input/object.ts'
import { described, type Input, named, readInput } from '../../mock/input/schema.ts'
import { string } from '../../mock/input/values.ts'
import type { PetQuery } from '../../mock/state/pets.ts'
import { type ControlContext, mutation } from './access.ts'
import { routesOn } from './http/route.ts'

const petChoice = object({
  /** Returns only pets with this status. */
  status: optional(described('Only pets with this status.', petStatus)),
  /** Returns only pets with exactly this name. */
  name: optional(described('Only pets with exactly this name.', string)),
})

/** Filter for pets. */
type PetChoice = Input<typeof petChoice>

/** Controls of the pets. */
export interface PetControls {
  /** Number of pets. */
  readonly size: number
  /**
   * Returns all pets, or those of one status or name, by ascending id.
   *
   * @throws {@link InputError} for an invalid filter.
   */
  list(choice?: PetChoice): Pet[]
  /**
   * Returns a pet.
   *
   * @throws {@link NotFoundError} if the pet does not exist.
   */
  get(id: Int64 | string): Pet
  /**
   * Adds all pets or none; a pet without an id gets the next one of the sequence.
   *
   * @throws {@link InputError} for an invalid pet, an id in use, or too many pets.
   */
  create(pets: readonly PetSettings[]): Pet[]
  /**
   * Adds a pet; without an id it gets the next one of the sequence.
   *
   * @throws {@link InputError} for an invalid pet, an id in use, or too many pets.
   */
  create(pet: PetSettings): Pet
  /**
   * Adds a pet or an array of pets.
   *
   * @throws {@link InputError} for an invalid pet, an id in use, or too many pets.
   */
  create(pets: PetSettings | readonly PetSettings[]): Pet | Pet[]
  /**
   * Changes the given properties, such as the status; the others stay.
   *
   * @throws {@link NotFoundError} if the pet does not exist, {@link InputError} for an invalid change.
   */
  update(id: Int64 | string, change: PetChange): Pet
  /**
   * Deletes a pet; its id is not reused.
   *
   * @throws {@link NotFoundError} if the pet does not exist.
   */
  delete(id: Int64 | string): void
  /** Deletes all pets; their ids are not reused. */
  clear(): void
  /**
   * Returns the pets that match a query of `@msw/data`, such as `(query) => query.where({ status: 'sold' })`; a query
   * without a condition matches no pet.
   */
  query(build: (query: PetQuery) => PetQuery): Promise<Pet[]>
}

const petList = list(petSettings)

/** Creates the controls of a sandbox's pets. */
export function petControls(access: ControlContext): PetControls {
  const { state } = access
  const changed = mutation(access, 'pets-changed')
  const find = (id: unknown): Pet => {
    const known = int64From(id)
    const pet = known === undefined ? undefined : state().pets.get(known)
    if (pet !== undefined) return pet
    throw new NotFoundError(`Cannot find pet ${show(id)}: no such pet`)
  }
  const createAny = changed('pets.create', (value: unknown) => {
    const { pets, gaps } = state()
    return Array.isArray(value)
      ? pets.add(readInput(petList, value, 'pets'), gaps.idSequence)
      : pets.addOne(readInput(petSettings, value), gaps.idSequence)
  })
  function create(pets: readonly PetSettings[]): Pet[]
  function create(pet: PetSettings): Pet
  function create(value: PetSettings | readonly PetSettings[]): Pet | Pet[]
  function create(value: unknown): Pet | Pet[] {
    return createAny(value)
  }
  return {
    get size() {
      return state().pets.size
    },
    list(choice = {}) {
      const { status, name } = readInput(petChoice, choice)
      return state()
        .pets.all()
        .filter((pet) => status === undefined || pet.status === status)
        .filter((pet) => name === undefined || pet.name === name)
    },
    get: find,
    create,
    update: changed('pets.update', (id, change) => {
      const { id: known, name, categoryId, status } = find(id)
      const next = readInput(petChange, change)
      const pet = {
        id: known,
        name: next.name ?? name,
        categoryId: next.categoryId ?? categoryId,
        status: next.status === undefined ? status : (next.status ?? undefined),
      }
      state().pets.replace(pet)
      return find(known)
    }),
    delete: changed('pets.delete', (id) => {
      state().pets.delete(find(id).id)
    }),
    clear: changed('pets.clear', () => state().pets.clear()),
    query: (build) => state().pets.query(build),
  }
}

const petId = object({ id: described("The pet's id.", int64) }, { title: 'pet' })

const route = routesOn<{ readonly controls: { readonly pets: PetControls } }>('pets')

/** Routes of pets. */
export const petRoutes = {
  'pets.list': route('pets.list', {
    summary: 'List all pets',
    description: 'Returns every pet by ascending id, or those of one status or name.',
    query: petChoice,
    run: ({ controls, query }) => controls.pets.list(query),
  }),
  'pets.create': route('pets.create', {
    summary: 'Add a pet or an array of pets, optionally with ids of your choice',
    description: 'Adds all of them or none. A pet without an id gets the next one of the sequence.',
    body: oneOrMany(named('NewPet', petSettings)),
    status: 201,
    run: ({ controls, body }) => controls.pets.create(body),
  }),
  'pets.clear': route('pets.clear', {
    summary: 'Delete all pets; ids are not reused',
    run: ({ controls }) => controls.pets.clear(),
  }),
  'pets.get': route('pets.get', {
    summary: 'Get a pet',
    description: 'Returns one pet, even once the operation `getPet` is removed.',
    params: petId,
    run: ({ controls, params }) => controls.pets.get(params.id),
  }),
  'pets.update': route('pets.update', {
    summary: 'Change a pet, such as its status',
    description: 'Changes what is given; the rest stays. A status of null removes it.',
    params: petId,
    body: named('PetChange', petChange),
    run: ({ controls, params, body }) => controls.pets.update(params.id, body),
  }),
  'pets.delete': route('pets.delete', {
    summary: 'Delete a pet; its id is not reused',
    params: petId,
    run: ({ controls, params }) => controls.pets.delete(params.id),
  }),
} as const
