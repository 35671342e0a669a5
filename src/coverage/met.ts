import type { TierName } from './cells/cell.ts'

/** The test that met a cell first; `undefined` where none was announced. */
export type Finder = string | undefined

/** Which cells were met, and by which test first. */
export class Met {
  readonly #cells: Readonly<Record<TierName, Map<string, Finder>>> = {
    outcomes: new Map(),
    values: new Map(),
    situations: new Map(),
    gaps: new Map(),
  }

  has(tier: TierName, cell: string): boolean {
    return this.#cells[tier].has(cell)
  }

  /** Gives the test that met a cell first. */
  by(tier: TierName, cell: string): Finder {
    return this.#cells[tier].get(cell)
  }

  /** What was met of a tier. */
  list(tier: TierName): { readonly cell: string; readonly met: boolean; readonly by: Finder }[] {
    return [...this.#cells[tier]].map(([cell, by]) => ({ cell, met: true, by }))
  }

  /** Notes a cell; returns whether that tells anything new. */
  add(tier: TierName, cell: string, by: Finder): boolean {
    const cells = this.#cells[tier]
    // A name is worth more than none.
    if (cells.get(cell) !== undefined || (by === undefined && cells.has(cell))) return false
    cells.set(cell, by)
    return true
  }
}
