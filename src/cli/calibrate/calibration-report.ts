import { isSafe } from '../../calibrate/ask-for.ts'
import type { CalibratedGap, Calibration } from '../../calibrate/calibrate.ts'
import { defaultGaps, formatChoice, gapNames, gaps } from '../../contract/gaps.ts'
import { namesOf } from '../../input/record.ts'
import type { Report, ReportGroup, ReportItem } from '../../reports/report.ts'

/** Puts into words what archives tell of a service: first what is wrong, then the choices, then what to ask. */
export function calibrationReport(found: Calibration): Report {
  const { exchanges, baseUrl, unexplained, changes = [] } = found
  const shown = gapNames.filter((name) => found.gaps[name].verdict === 'shown')
  const contradicted = gapNames.filter((name) => found.gaps[name].verdict === 'contradicted')
  const broken = namesOf(found.clauses).filter((name) => found.clauses[name].verdict === 'broken')
  const counts = [
    { count: broken.length, one: 'clause broken', more: 'clauses broken' },
    { count: contradicted.length, one: 'gap contradicted', more: 'gaps contradicted' },
    { count: unexplained.length, one: 'reply unexplained', more: 'replies unexplained' },
    { count: changes.length, one: 'change', more: 'changes' },
  ]
  const wrong = counts.filter(({ count }) => count > 0)
  const verdict =
    wrong.map(({ count, one, more }) => `${count} ${count === 1 ? one : more}`).join(', ') ||
    'nothing wrong'
  const groups: ReportGroup[] = [
    group(
      'Changes',
      changes.map((text, index) => item(`${index + 1}`, 'error', 'changed', text)),
    ),
    group(
      'Clauses',
      broken.map((name) => brokenItem(name, found)),
    ),
    group(
      'Unexplained',
      unexplained.map(({ exchange, problem }) =>
        item(`exchange ${exchange}`, 'error', 'unexplained', problem),
      ),
    ),
    group('Choices', gapItems(found, ['contradicted', 'shown', 'narrowed'])),
    group('Not seen', gapItems(found, ['unseen'])),
  ]
  return {
    title: 'Calibration',
    summary: `${verdict}; ${shown.length} of ${gapNames.length} choices shown by ${exchanges.judged} exchanges with ${baseUrl ?? 'no API'} (of ${exchanges.read} in the archives)`,
    layout: 'card',
    groups: groups.filter(({ items }) => items.length > 0),
    json: found,
  }
}

function group(name: string, items: readonly ReportItem[]): ReportGroup {
  return { name, summary: String(items.length), items }
}

function item(name: string, level: ReportItem['level'], state: string, text: string): ReportItem {
  return { name, level, state, text }
}

function brokenItem(name: keyof Calibration['clauses'], { clauses }: Calibration): ReportItem {
  const { problems } = clauses[name]
  const [first, ...rest] = problems
  const more = rest.length === 0 ? '' : `, and ${rest.length} more`
  return item(name, 'error', 'broken', `exchange ${first?.exchange}: ${first?.problem}${more}`)
}

const levels = { contradicted: 'error', shown: 'ok', narrowed: 'info', unseen: 'info' } as const

function gapItems(
  { gaps: found }: Calibration,
  verdicts: readonly CalibratedGap['verdict'][],
): ReportItem[] {
  const names = gapNames.filter((name) => verdicts.includes(found[name].verdict))
  const rank = (ask = ''): number => (isSafe(ask) ? 0 : 1)
  return names
    .toSorted(
      (one, other) =>
        verdicts.indexOf(found[one].verdict) - verdicts.indexOf(found[other].verdict) ||
        rank(found[one].ask) - rank(found[other].ask),
    )
    .map((name) => {
      const { verdict, choices, exchanges, ask = '' } = found[name]
      const isUsual = choices[0] === String(formatChoice(name, defaultGaps[name]))
      const said =
        verdict === 'shown'
          ? `${choices[0]}${isUsual ? '' : ' (not the default)'}`
          : verdict === 'contradicted'
            ? `no choice agrees with ${placesOf(exchanges)}`
            : verdict === 'narrowed'
              ? choices.join(', ')
              : `spec ${gaps[name].spec}`
      return { ...item(name, levels[verdict], verdict, said), code: ask }
    })
}

function placesOf(exchanges: readonly number[]): string {
  const shown = exchanges.slice(0, 5).join(', ')
  return `exchanges ${shown}${exchanges.length > 5 ? ` and ${exchanges.length - 5} more` : ''}`
}
