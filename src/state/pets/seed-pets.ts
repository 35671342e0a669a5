import type { Int64 } from '../../contract/int64.ts'
import type { Pet } from '../../contract/pet.ts'
import { InputError } from '../../input/input-error.ts'
import { type PetEntry, PetIndex } from './pet-index.ts'

/** The pets of a seed, put in order once for all sandboxes that begin with them. */
export class SeedPets {
  /** To be forked; it never changes once a sandbox begins with it. */
  readonly index = new PetIndex(0)
  readonly #categories = new Set<Int64>()
  #highestId: Int64 = 0
  #nameLength = 0
  #longestName = ''

  get categories(): ReadonlySet<Int64> {
    return this.#categories
  }

  get highestId(): Int64 {
    return this.#highestId
  }

  /** How many characters their names have. */
  get nameLength(): number {
    return this.#nameLength
  }

  get longestName(): string {
    return this.#longestName
  }

  has(id: Int64): boolean {
    // Most seeds are in order, and need no search.
    return id <= this.#highestId && this.index.get(id) !== undefined
  }

  /** @throws {@link InputError} when another pet has its id. */
  add(pet: Pet): void {
    const { id, name, categoryId } = pet
    if (this.has(id)) {
      throw new InputError(`Cannot add pet ${id}: another pet has this id; use a free one`)
    }
    this.index.add(isEntry(pet) ? pet : { ...pet, status: undefined })
    this.#categories.add(categoryId)
    if (id > this.#highestId) this.#highestId = id
    if (name.length > this.#longestName.length) this.#longestName = name
    this.#nameLength += name.length
  }
}

/** Narrows to what can be in an index as it is. */
function isEntry(pet: Pet): pet is PetEntry {
  return 'status' in pet
}
