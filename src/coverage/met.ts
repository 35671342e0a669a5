import { mapTable, namesOf } from '../input/record.ts'
import { cells } from './cells.ts'
import {
  type CoverageFragment,
  type CoverageReport,
  type TierName,
  tiers,
} from './coverage-report.ts'

/** The test that met a cell first; `undefined` where none was announced. */
type Finder = string | undefined

/** Which cells were met, and by which test first. */
export class Met {
  readonly #cells: Readonly<Record<TierName, Map<string, Finder>>> = mapTable(
    tiers,
    () => new Map(),
  )

  /** Notes a cell; returns whether that tells anything new. */
  add(tier: TierName, cell: string, by: Finder): boolean {
    const found = this.#cells[tier]
    // A name is worth more than none.
    if (found.get(cell) !== undefined || (by === undefined && found.has(cell))) return false
    found.set(cell, by)
    return true
  }

  /** Reports on all cells, in the order of their tables. */
  report(): CoverageReport {
    return {
      tiers: mapTable(tiers, (tier) => {
        const found = this.#cells[tier]
        const shown = cells[tier].map(({ cell, how }) => {
          const by = found.get(cell)
          return { cell, met: found.has(cell), ...(by === undefined ? {} : { by }), how }
        })
        return { met: shown.filter(({ met }) => met).length, all: shown.length, cells: shown }
      }),
    }
  }

  /** Lists what was met, and no more: what {@link mergeFragments} takes. */
  fragment(): CoverageFragment {
    return {
      tiers: mapTable(tiers, (tier) => ({
        cells: Array.from(this.#cells[tier], ([cell, by]) => ({ cell, met: true, by })),
      })),
    }
  }
}

/** Reports on what several processes have met together; what this version has no cell for is left out. */
export function mergeFragments(fragments: readonly CoverageFragment[]): CoverageReport {
  const all = new Met()
  for (const fragment of fragments) {
    for (const tier of namesOf(tiers)) {
      for (const { cell, met, by } of fragment.tiers[tier]?.cells ?? []) {
        if (met) all.add(tier, cell, by)
      }
    }
  }
  return all.report()
}
