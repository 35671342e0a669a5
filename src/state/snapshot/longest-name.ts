import type { Pet } from '../../contract/pet.ts'
import { Refusal } from '../../input/schema.ts'
import type { SandboxLimits } from '../memory/limits.ts'

/** The longest name of pets that are read before it is known how long they may be. */
export class LongestName {
  #length = 0
  #index = 0
  #count = 0

  add({ name }: Pick<Pet, 'name'>): void {
    if (name.length > this.#length) {
      this.#length = name.length
      this.#index = this.#count
    }
    this.#count++
  }

  /**
   * @param list Where the pets stand.
   * @throws {@link Refusal} with the place, when it is too long.
   */
  expect({ nameLength }: SandboxLimits, list: string): void {
    if (this.#length <= nameLength) return
    throw new Refusal(
      `found ${this.#length} characters; use at most ${nameLength}, or raise limits.nameLength (--limit nameLength=N)`,
      [list, this.#index, 'name'],
    )
  }
}
