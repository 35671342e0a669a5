import { parseJson } from '../../contract/json/json.ts'
import type { JsonPath, JsonTaker } from '../../contract/json/json-splitter.ts'
import { inputErrorOf, readInput, readPart } from '../../input/schema.ts'
import type { Beginning } from '../beginning.ts'
import type { Bounds } from '../memory/memory.ts'
import { type PartName, parts } from '../parts.ts'
import { makeState, type State } from '../state.ts'
import { intakes } from './intakes.ts'
import { PartIntake } from './part-intake.ts'
import { expectVersion, restorePart, snapshotDocument } from './snapshot.ts'

/** How long a part may be that comes as a whole from somebody else, in characters: reading it takes some milliseconds. */
export const longestPart = 2_097_152

/** How deep what nobody reads is looked through. */
const deepest = 100

/** Whether a property of a snapshot is read; there may be any number of others. */
function isRead(name: string | number): boolean {
  return name === 'petstoreSandbox' || Object.hasOwn(parts, name)
}

/** Restores a snapshot that is read part by part: pets, exchanges and callers one by one, however many there are. */
export class SnapshotIntake implements JsonTaker {
  readonly #whole = new Map<unknown, unknown>()
  /** Those some of whose lists come item by item. */
  readonly #open = new Map<unknown, PartIntake<unknown>>()
  readonly #bounds: Bounds

  /** @param bounds Those of the sandbox that is to go on from it. */
  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  opens(path: JsonPath, kind: 'object' | 'array'): boolean {
    const [name, ...rest] = path
    if (name === undefined) return kind === 'object'
    // What nobody reads is looked through bit by bit, however much it is.
    if (!isRead(name)) return path.length < deepest
    if (rest.length > 0) return this.#open.get(name)?.opens(rest, kind) ?? false
    const row = intakes.get(name)
    const part = row && new PartIntake(row, this.#bounds)
    if (part?.opens(rest, kind) !== true) return false
    this.#open.set(name, part)
    return true
  }

  /** @throws {@link InputError} with the place. */
  take(path: JsonPath, text: string): void {
    const value = parseJson(text)
    try {
      this.#takeValue(path, value)
    } catch (thrown) {
      // Another version is a matter of the whole.
      throw inputErrorOf(thrown, 'snapshot', path[0] === 'petstoreSandbox' ? [] : path)
    }
  }

  closes(): void {}

  /**
   * Gives the state that goes on from the snapshot.
   *
   * @throws {@link InputError} with the place, for what isn't a snapshot.
   */
  end(beginning: Beginning): State {
    return readInput({ read: () => this.#state(beginning) }, undefined, 'snapshot')
  }

  #takeValue([name, ...rest]: JsonPath, value: unknown): void {
    if (name === undefined) {
      snapshotDocument.read(value)
      return
    }
    if (!isRead(name)) return
    if (rest.length > 0) {
      this.#open.get(name)?.take(rest, value)
      return
    }
    if (name === 'petstoreSandbox') expectVersion(value)
    this.#open.delete(name)
    this.#whole.set(name, value)
  }

  #state(beginning: Beginning): State {
    snapshotDocument.read(Object.fromEntries(this.#whole))
    return makeState((name) => {
      const part = this.#open.get(name)
      if (part?.hasList !== true) return restorePart(name, this.#wholeOf(name), beginning)
      return readPart(name, () => part.end(beginning))
    })
  }

  /** What is given of a part as a whole; one that came without its list is refused for that. */
  #wholeOf(name: PartName): unknown {
    const part = this.#open.get(name)
    return part === undefined ? this.#whole.get(name) : part.beside
  }
}
