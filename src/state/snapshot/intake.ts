import type { Beginning } from '../beginning.ts'
import type { Bounds } from '../memory/memory.ts'

/** Restores a part whose lists are given item by item. */
export interface Intake<Part> {
  /** Begins one of the lists; where it is given twice, the last one counts. */
  open(list: string): void
  /**
   * Takes an item of the list that was begun last.
   *
   * @throws {@link Refusal} with the place.
   */
  add(item: unknown): void
  /**
   * Gives the part.
   *
   * @param beside What was saved of it besides these lists.
   * @throws {@link Refusal} with the place.
   */
  end(beside: Readonly<Record<string, unknown>>, beginning: Beginning): Part
}

/** How a part is restored some of whose lists may be too long to be held whole. */
export interface IntakeRow<Part> {
  /** The names of these lists; `itself` for a part that is one. */
  readonly lists: readonly string[] | 'itself'
  readonly begin: (bounds: Bounds) => Intake<Part>
}
