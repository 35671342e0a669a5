import { parseJson } from '../../contract/int64.ts'
import type { JsonPath, JsonTaker } from '../../input/json-splitter.ts'
import { inputErrorOf, readInput, readPart } from '../../input/schema.ts'
import type { Beginning } from '../beginning.ts'
import type { Bounds } from '../memory/memory.ts'
import { type PartName, parts } from '../parts.ts'
import { makeState, type State } from '../state.ts'
import { type Intake, intakes } from './intakes.ts'
import { expectVersion, restorePart, snapshotDocument } from './snapshot.ts'

/** A part some of whose lists come item by item. */
interface OpenPart {
  /** What it has besides these lists. */
  readonly beside: Map<unknown, unknown>
  /** `undefined` before the first of them begins. */
  intake: Intake<unknown> | undefined
}

/** More properties than any part has. */
const mostBeside = 100

/** Restores a snapshot that is read part by part: pets, exchanges and callers one by one, however many there are. */
export class SnapshotIntake implements JsonTaker {
  readonly #whole = new Map<unknown, unknown>()
  readonly #open = new Map<unknown, OpenPart>()
  readonly #bounds: Bounds

  /** @param bounds Those of the sandbox that is to go on from it. */
  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  opens(path: JsonPath, kind: 'object' | 'array'): boolean {
    if (path.length > 2) return false
    const [name, list] = path
    if (name === undefined) return kind === 'object'
    const row = intakes.get(name)
    if (row === undefined) return false
    if (list === undefined) {
      if (kind === 'object') this.#open.set(name, { beside: new Map(), intake: undefined })
      return kind === 'object'
    }
    const part = this.#open.get(name)
    const isOne = typeof list === 'string' && row.lists.includes(list) && kind === 'array'
    if (part === undefined || !isOne) return false
    part.beside.delete(list)
    part.intake ??= row.begin(this.#bounds)
    part.intake.open(list)
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

  #takeValue([name, property, index]: JsonPath, value: unknown): void {
    if (name === undefined) {
      snapshotDocument.read(value)
      return
    }
    const part = property === undefined ? undefined : this.#open.get(name)
    if (part === undefined) {
      if (name === 'petstoreSandbox') expectVersion(value)
      this.#open.delete(name)
      // Nobody reads others, of which there may be any number.
      if (name === 'petstoreSandbox' || name in parts) this.#whole.set(name, value)
    } else if (index === undefined) {
      // More than it may have are refused in any case.
      if (part.beside.size < mostBeside) part.beside.set(property, value)
    } else part.intake?.add(value)
  }

  #state(beginning: Beginning): State {
    snapshotDocument.read(Object.fromEntries(this.#whole))
    return makeState((name) => {
      const part = this.#open.get(name)
      if (part?.intake === undefined) return restorePart(name, this.#wholeOf(name), beginning)
      const { beside, intake } = part
      return readPart(name, () => intake.end(Object.fromEntries(beside), beginning))
    })
  }

  /** What is given of a part as a whole; one that came without its list is refused for that. */
  #wholeOf(name: PartName): unknown {
    const part = this.#open.get(name)
    return part === undefined ? this.#whole.get(name) : Object.fromEntries(part.beside)
  }
}
