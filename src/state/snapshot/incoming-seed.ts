import { parseJson } from '../../contract/json/json.ts'
import type { JsonPath, JsonTaker } from '../../contract/json/json-splitter.ts'
import { inputErrorOf } from '../../input/schema.ts'
import { type SeedPart, seedSettings } from '../beginning.ts'
import type { Bounds } from '../memory/memory.ts'
import type { Secrets } from '../redactor/secrets.ts'
import { seedIntake } from './seed-intake.ts'

/** The shortest part that is too long, in characters: reading one takes some milliseconds. */
const leastTooLong = 262_144

/** Reads a seed that comes part by part: pets and keys one by one, however many there are. */
export class IncomingSeed implements JsonTaker {
  readonly #intake
  /** The longest part that it takes, in characters: a pet, and whatever has no place in a seed. */
  readonly longestPart: number

  /** @param bounds Those of the sandbox that is to begin with it. */
  constructor(bounds: Bounds) {
    this.#intake = seedIntake(bounds)
    // JSON may have six characters for one of a name.
    this.longestPart = leastTooLong + 6 * bounds.limits.nameLength
  }

  opens([list, ...rest]: JsonPath, kind: 'object' | 'array'): boolean {
    if (list === undefined) return kind === 'object'
    const isList =
      rest.length === 0 && kind === 'array' && Object.hasOwn(seedSettings.properties, list)
    if (isList) this.#intake.open(String(list))
    return isList
  }

  /** @throws {@link InputError} with the place. */
  take(path: JsonPath, text: string): void {
    const value = parseJson(text)
    const [name, index] = path
    try {
      if (index !== undefined) this.#intake.add(value)
      else {
        // Refuses it, whatever it is: the lists are opened.
        seedSettings.read(name === undefined ? value : { [name]: value })
      }
    } catch (thrown) {
      throw inputErrorOf(thrown, 'seed', index === undefined ? [] : path)
    }
  }

  closes(): void {}

  /** An index of its keys, if they are many. */
  get index(): readonly Secrets[] {
    return this.#intake.index
  }

  /** Gives the seed once all of it is read. */
  end(): SeedPart {
    return this.#intake.end({})
  }
}
