import type { Pet } from '../../contract/pet.ts'
import { FullError, InputError } from '../../input/input-error.ts'
import { Holding } from '../memory/held-bytes.ts'
import type { Bounds } from '../memory/memory.ts'

/** What a pet takes in memory beside its name, in bytes. */
const petBytes = 100

type Named = Pick<Pet, 'name'>

/** About how many bytes a pet takes: rather too many, since no name takes more than two for a character. */
function bytesOf({ name }: Named): number {
  return petBytes + 2 * name.length
}

/** How many pets a sandbox may still take, and how long their names may be. */
export class PetRoom {
  limits: Bounds['limits']
  readonly holding: Holding

  constructor({ limits, memory }: Bounds) {
    this.limits = limits
    this.holding = new Holding(memory.held)
  }

  /**
   * Checks that pets can be added to as many as there are.
   *
   * @throws {@link FullError} when there is no room for them, {@link InputError} when a name is too long.
   */
  expect(pets: readonly Named[], size: number): void {
    const { pets: most } = this.limits
    if (size + pets.length > most) {
      throw new FullError(
        `Cannot add pets: there would be ${size + pets.length}, and ${most} are allowed; delete some, or raise limits.pets (--limit pets=N)`,
      )
    }
    for (const pet of pets) this.#expectName(pet)
    this.holding.expectRoom(pets.reduce((sum, pet) => sum + bytesOf(pet), 0))
  }

  /**
   * Checks that a pet can take the place of another.
   *
   * @param before `undefined` for one that takes no room.
   * @throws {@link FullError} when there is no room for it, {@link InputError} when its name is too long.
   */
  expectChange(pet: Named, before: Named | undefined): void {
    this.#expectName(pet)
    const spared = before === undefined ? 0 : bytesOf(before)
    this.holding.expectRoom(Math.max(0, bytesOf(pet) - spared))
  }

  /**
   * Takes the room of a pet; a seed or a snapshot may bring more of them than can be added.
   *
   * @throws {@link FullError} when there is none, {@link InputError} when its name is too long.
   */
  take(pet: Named): void {
    this.#expectName(pet)
    this.holding.take(bytesOf(pet))
  }

  /**
   * Takes the room of the pets of a seed.
   *
   * @param longestName The longest of their names.
   * @param count How many there are that take room.
   * @param nameLength How long the names of all are.
   * @throws {@link FullError} when there is none, {@link InputError} when a name is too long.
   */
  takeSeed(longestName: string, count: number, nameLength: number): void {
    this.#expectName({ name: longestName })
    if (count > 0) this.holding.take(count * petBytes + 2 * nameLength)
  }

  /** Gives back the room of a pet that is deleted. */
  give(pet: Named): void {
    this.holding.give(bytesOf(pet))
  }

  #expectName({ name }: Named): void {
    const { nameLength } = this.limits
    if (name.length <= nameLength) return
    throw new InputError(
      `Cannot use name: found ${name.length} characters; use at most ${nameLength}, or raise limits.nameLength (--limit nameLength=N)`,
      ['name'],
    )
  }
}
