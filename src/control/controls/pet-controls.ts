import { type Int64, int64From } from '../../contract/int64.ts'
import {
  type Pet,
  type PetChange,
  type PetSettings,
  petChange,
  petSettings,
} from '../../contract/pet.ts'
import { list } from '../../input/collections.ts'
import { MissingError } from '../../input/input-error.ts'
import { readInput } from '../../input/schema.ts'
import { show } from '../../input/show.ts'
import type { PetQuery } from '../../state/pets.ts'
import { type Access, marking, observing } from './access.ts'

/** The tester's control of the pets. */
export interface PetControls {
  readonly size: number
  /** All pets, by ascending id. */
  list(): Pet[]
  /** @throws {@link MissingError} when no pet has this id. */
  get(id: Int64 | string): Pet
  /** Adds all pets or none. */
  create(pets: readonly PetSettings[]): Pet[]
  create(pet: PetSettings): Pet
  /** Adds a pet, or an array of them. */
  create(pets: PetSettings | readonly PetSettings[]): Pet | Pet[]
  change(id: Int64 | string, change: PetChange): Pet
  delete(id: Int64 | string): void
  clear(): void
  /**
   * Finds pets with a query of `@msw/data`, such as `(query) => query.where({ status: 'sold' })`; a query without a
   * condition finds none.
   */
  query(build: (query: PetQuery) => PetQuery): Promise<Pet[]>
}

const petList = list(petSettings)

/** Makes the controls of a sandbox's pets. */
export function petControls(access: Access): PetControls {
  const { state } = access
  const changing = marking(access, 'pets-changed')
  const observed = observing(access)
  const find = (id: unknown): Pet => {
    const known = int64From(id)
    const pet = known === undefined ? undefined : state().pets.get(known)
    if (pet !== undefined) return pet
    throw new MissingError(`Cannot find pet ${show(id)}: no pet has this id`)
  }
  const createOne = observed(
    'pets.create',
    changing((value: unknown) =>
      state().pets.addOne(readInput(petSettings, value), state().gaps.idSequence),
    ),
  )
  const createAll = observed(
    'pets.create',
    changing((value: unknown) =>
      state().pets.add(readInput(petList, value, 'pets'), state().gaps.idSequence),
    ),
  )
  function create(pets: readonly PetSettings[]): Pet[]
  function create(pet: PetSettings): Pet
  function create(value: PetSettings | readonly PetSettings[]): Pet | Pet[]
  function create(value: unknown): Pet | Pet[] {
    return Array.isArray(value) ? createAll(value) : createOne(value)
  }
  return {
    get size() {
      return state().pets.size
    },
    list: () => state().pets.all(),
    get: find,
    create,
    change: observed(
      'pets.change',
      changing((id, change) => {
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
    ),
    delete: observed(
      'pets.delete',
      changing((id) => {
        state().pets.delete(find(id).id)
      }),
    ),
    clear: observed(
      'pets.clear',
      changing(() => state().pets.clear()),
    ),
    query: (build) => state().pets.query(build),
  }
}
