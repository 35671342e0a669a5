import type { TierName } from './cells/cell.ts'
import { cells } from './cells/cells.ts'
import type { CoverageFragment, CoverageReport } from './coverage-report.ts'
import { Met } from './met.ts'

/** Makes something of each tier. */
function ofEachTier<Made>(make: (tier: TierName) => Made): Readonly<Record<TierName, Made>> {
  return {
    outcomes: make('outcomes'),
    values: make('values'),
    situations: make('situations'),
    gaps: make('gaps'),
  }
}

/** Reports on all cells, in the order of their tables. */
export function reportOf(found: Met): CoverageReport {
  return {
    tiers: ofEachTier((tier) => {
      const shown = cells[tier].map(({ cell, how }) => {
        const by = found.by(tier, cell)
        return { cell, met: found.has(tier, cell), ...(by === undefined ? {} : { by }), how }
      })
      return { met: shown.filter(({ met }) => met).length, all: shown.length, cells: shown }
    }),
  }
}

/** Says what was met, and no more: what {@link mergeFragments} takes. */
export function fragmentOf(found: Met): CoverageFragment {
  return { tiers: ofEachTier((tier) => ({ cells: found.list(tier) })) }
}

/** Reports on what several processes have met together; what this version has no cell for is left out. */
export function mergeFragments(fragments: readonly CoverageFragment[]): CoverageReport {
  const all = new Met()
  for (const { tiers } of fragments) {
    ofEachTier((tier) => {
      for (const { cell, met, by } of tiers[tier]?.cells ?? []) if (met) all.add(tier, cell, by)
    })
  }
  return reportOf(all)
}
