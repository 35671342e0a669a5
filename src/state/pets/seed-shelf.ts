import type { Pet } from '../../contract/pet.ts'
import { SeedPets } from './seed-pets.ts'

/** The seeds of sandboxes, put in order once for all that begin with them. */
export class SeedShelf {
  readonly #seeds = new WeakMap<readonly Pet[], SeedPets>()
  readonly #free = new WeakSet<readonly Pet[]>()

  /** Lets a seed take no room in memory: it comes from who starts the sandboxes. */
  give(pets: readonly Pet[]): void {
    this.#free.add(pets)
  }

  isFree(pets: readonly Pet[]): boolean {
    return this.#free.has(pets)
  }

  /**
   * Gives the pets of a seed in order.
   *
   * @throws {@link InputError} when two have the same id.
   */
  find(pets: readonly Pet[]): SeedPets {
    const known = this.#seeds.get(pets)
    if (known !== undefined) return known
    const seed = new SeedPets()
    for (const pet of pets) seed.add(pet)
    this.put(pets, seed)
    return seed
  }

  /** Keeps the pets of a seed that were put in order while they were read. */
  put(pets: readonly Pet[], inOrder: SeedPets): void {
    this.#seeds.set(pets, inOrder)
  }
}
