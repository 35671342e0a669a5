import type { CoverageReport } from '../../coverage/coverage-report.ts'
import { namesOf } from '../../input/record.ts'
import type { Report, ReportItem } from '../../reports/report.ts'
import type { Thresholds } from './coverage-options.ts'

type Tier = CoverageReport['tiers']['outcomes']

/** Puts coverage into the words of a report: a cell that isn't met is an error in a tier below its threshold. */
export function coverageText(coverage: CoverageReport, thresholds: Thresholds): Report {
  const { tiers } = coverage
  const groups = namesOf(tiers).map((name) => {
    const level = isBelow(tiers[name], thresholds[name]) ? 'error' : 'info'
    return {
      name,
      summary: summaryOf(tiers[name]),
      items: tiers[name].cells.map((cell) => itemOf(cell, level)),
    }
  })
  const all = Object.values(tiers)
  return {
    title: 'Coverage',
    summary: summaryOf(sumOf(all)),
    layout: 'lines',
    groups,
    json: coverage,
  }
}

/** Says of each tier below its threshold how far it is; nothing where all are good enough. */
export function shortfalls({ tiers }: CoverageReport, thresholds: Thresholds): readonly string[] {
  return namesOf(tiers)
    .filter((name) => isBelow(tiers[name], thresholds[name]))
    .map((name) => `${name} ${summaryOf(tiers[name])}, less than ${thresholds[name]} %`)
}

function itemOf(
  { cell, met, by, how }: Tier['cells'][number],
  unmet: 'error' | 'info',
): ReportItem {
  if (!met) return { name: cell, level: unmet, state: 'not met', text: '', code: how }
  return { name: cell, level: 'ok', state: 'met', text: by === undefined ? '' : `by ${by}` }
}

function isBelow({ met, all }: Tier, threshold: number | undefined): boolean {
  return threshold !== undefined && met * 100 < threshold * all
}

function sumOf(tiers: readonly Tier[]): Pick<Tier, 'met' | 'all'> {
  return {
    met: tiers.reduce((sum, tier) => sum + tier.met, 0),
    all: tiers.reduce((sum, tier) => sum + tier.all, 0),
  }
}

/** Rounded down: 100 % is all of them. */
function summaryOf({ met, all }: Pick<Tier, 'met' | 'all'>): string {
  return `${met} of ${all} met (${all === 0 ? 100 : Math.floor((met * 100) / all)} %)`
}
