import type { Int64 } from '../../contract/int64.ts'
import type { Pet } from '../../contract/pet.ts'
import { InputError } from '../../input/input-error.ts'
import { type PetEntry, PetIndex } from './pet-index.ts'

/** The pets of a seed, put in order once for all sandboxes that begin with them. */
export class SeedPets {
  /** To be forked, and never changed. */
  readonly index = new PetIndex(0)
  readonly categories: ReadonlySet<Int64>
  readonly highestId: Int64
  /** How many characters their names have. */
  readonly nameLength: number
  readonly longestName: string

  /** @throws {@link InputError} when two pets have the same id. */
  constructor(pets: readonly Pet[]) {
    let highestId: Int64 = 0
    let nameLength = 0
    let longestName = ''
    for (const pet of pets) {
      const { id, name } = pet
      if (id <= highestId && this.index.get(id) !== undefined) {
        throw new InputError(`Cannot add pet ${id}: another pet has this id; use a free one`)
      }
      this.index.add(isEntry(pet) ? pet : { ...pet, status: undefined })
      if (id > highestId) highestId = id
      if (name.length > longestName.length) longestName = name
      nameLength += name.length
    }
    this.categories = new Set(pets.map((pet) => pet.categoryId))
    this.highestId = highestId
    this.nameLength = nameLength
    this.longestName = longestName
  }
}

/** Narrows to what can be in an index as it is. */
function isEntry(pet: Pet): pet is PetEntry {
  return 'status' in pet
}
