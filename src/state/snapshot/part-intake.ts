import type { JsonPath, JsonTaker } from '../../contract/json/json-splitter.ts'
import type { Beginning } from '../beginning.ts'
import type { Bounds } from '../memory/memory.ts'
import type { Intake, IntakeRow } from './intake.ts'

/** More properties than any part has. */
const mostBeside = 100

/** Reads a part that comes value by value, and its lists item by item. */
export class PartIntake<Part> implements Pick<JsonTaker, 'opens'> {
  readonly #row: IntakeRow<Part>
  readonly #bounds: Bounds
  /** What it has besides these lists. */
  readonly #beside = new Map<unknown, unknown>()
  /** `undefined` before the first of them begins. */
  #intake: Intake<Part> | undefined

  constructor(row: IntakeRow<Part>, bounds: Bounds) {
    this.#row = row
    this.#bounds = bounds
  }

  /** What came besides the lists. */
  get beside(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#beside)
  }

  /** Whether one of the lists has begun. */
  get hasList(): boolean {
    return this.#intake !== undefined
  }

  /** @param path From the part on. */
  opens(path: JsonPath, kind: 'object' | 'array'): boolean {
    const { lists } = this.#row
    const isWhole = path.length === 0
    if (isWhole && lists !== 'itself') return kind === 'object'
    const list = isWhole ? 'itself' : path[0]
    const isList =
      lists === 'itself' ? isWhole : path.length === 1 && lists.some((one) => one === list)
    if (!isList || kind !== 'array') return false
    this.#beside.delete(list)
    this.#begun().open(String(list))
    return true
  }

  /**
   * Takes an item of a list, or what stands besides the lists.
   *
   * @param path From the part on.
   * @throws {@link Refusal} with the place within the value.
   */
  take([property, index]: JsonPath, value: unknown): void {
    if (index !== undefined || this.#row.lists === 'itself') this.#intake?.add(value)
    // More than it may have are refused in any case.
    else if (this.#beside.size < mostBeside) this.#beside.set(property, value)
  }

  /** @throws {@link Refusal} with the place. */
  end(beginning: Beginning): Part {
    return this.#begun().end(this.beside, beginning)
  }

  #begun(): Intake<Part> {
    this.#intake ??= this.#row.begin(this.#bounds)
    return this.#intake
  }
}
