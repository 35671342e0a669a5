import type { Finding, Severity } from '../../checks/audit/finding.ts'
import { groupFindings } from '../../checks/reports/findings.ts'
import { list, object, view } from '../../mock/input/object.ts'
import { grouped } from '../../mock/input/record.ts'
import { type Output, readInput } from '../../mock/input/schema.ts'
import { string } from '../../mock/input/values.ts'
import { readJsonFile } from '../files.ts'
import { type Assumptions, assumptionComplaints } from './assumptions.ts'
import { type Complaint, gradeOf, grades } from './complaint.ts'
import { complaintOf, type GradedCondition, titleOf } from './grade.ts'

/** Complaint with all the checks in which it was seen. */
export interface Item extends Complaint {
  readonly checks: readonly string[]
  /** Whether the baseline lists it. */
  readonly isKnown: boolean
}

/** Rules whose violation corrupts data or exposes a key. */
const gravest: readonly string[] = [
  'duplicate-create',
  'id-precision-loss',
  'key-in-url',
  'key-outside-authorization',
]

/**
 * Combines complaints that say the same: those with the same name and advice. Items with a worse grade come first, among
 * these the gravest rules, then items that more checks show.
 */
export function itemsOf(
  {
    findings,
    first,
    conditions,
    assumptions,
  }: {
    readonly findings: readonly Finding[]
    /** Further complaints about the first run. */
    readonly first: readonly Complaint[]
    readonly conditions: readonly GradedCondition[]
    readonly assumptions: Assumptions | undefined
  },
  known: KnownItems,
): readonly Item[] {
  const all = [
    ...[...findingComplaints(findings), ...first].map((one) => ({ title: 'baseline', one })),
    ...conditions.flatMap((condition) =>
      condition.complaints.map((one) => ({ title: titleOf(condition), one })),
    ),
    ...(assumptions === undefined
      ? []
      : assumptionComplaints(assumptions).map((one) => ({ title: 'assumptions', one }))),
  ]
  const items = [...grouped(all, ({ one }) => `${one.what}\n${one.advice}`).values()].flatMap(
    (alike) => {
      const worst = alike.toSorted(({ one }, { one: other }) => rankOf(one) - rankOf(other))[0]
      if (worst === undefined) return []
      const { one } = worst
      const checks = alike
        .filter((other) => other.one.grade === one.grade)
        .map(({ title }) => title)
      const isKnown = known.some(({ what }) => what === one.what)
      return { ...one, checks: [...new Set(checks)], isKnown }
    },
  )
  return items.toSorted((one, other) => {
    return rankOf(one) - rankOf(other) || other.checks.length - one.checks.length
  })
}

/** Returns a smaller rank for a complaint that should be fixed earlier. */
function rankOf({ grade, what }: Complaint): number {
  return grades.indexOf(grade) - (gravest.includes(what) ? 0.5 : 0)
}

/** Returns one complaint for each rule that the first run broke, with the requests that show it. */
function findingComplaints(findings: readonly Finding[]): readonly Complaint[] {
  return groupFindings(findings).flatMap(({ messages: [worst], findings: all }) => {
    if (worst === undefined) return []
    const more = all.length - 1
    const others = more === 0 ? '' : `; ${more} more of this kind`
    return complaintOf(worst.shown, ` (${proofText(worst.shown)}${others})`)
  })
}

/** Maximum number of requests that a finding names. */
const maxRequests = 6

function proofText({ test, requests: sent, beforeReset }: Finding): string {
  const ids = sent.slice(0, maxRequests).join(', ')
  const rest = sent.length > maxRequests ? ' and more' : ''
  const requests = `${sent.length === 1 ? 'request' : 'requests'} ${ids}${rest}`
  return [
    ...(test === undefined ? [] : [`test "${test}"`]),
    `${requests}${beforeReset === true ? ' before a reset' : ''}`,
  ].join(', ')
}

/** Writes the checks that show an item: `outage, lost-response (createPet, listPets)`; `''` for the first run alone. */
export function placesText({ checks }: Pick<Item, 'checks'>): string {
  const parts = checks.filter((title) => title !== 'baseline').map((title) => title.split(' '))
  const names = [...new Set(parts.flatMap(([name]) => name ?? []))]
  const operations = [...new Set(parts.flatMap(([, operation]) => operation ?? []))].sort()
  if (names.length === 0 || names[0] === 'assumptions') return ''
  return `${names.join(', ')}${operations.length === 0 ? '' : ` (${operations.join(', ')})`}`
}

/** Returns the names of the checks that show an item, for `--only`. */
export function checksIn({ checks }: Pick<Item, 'checks'>): readonly string[] {
  return [...new Set(checks.map((title) => title.replace(/ .*/, '')))]
}

/** Lowest grade that makes a check fail, by the option `--fail-on`. */
export function isFailing({ grade }: Pick<Complaint, 'grade'>, failOn: Severity): boolean {
  return grades.indexOf(grade) <= grades.indexOf(gradeOf[failOn])
}

const knownItem = view({ what: string, grade: string, checks: list(string) })

const earlierReport = object(
  { items: list(knownItem) },
  { unknown: 'ignore', title: 'baseline', example: '{ "items": [] }' },
)

/** Items of an earlier JSON report. */
export type KnownItems = Output<typeof earlierReport>['items']

/**
 * Reads the items of an earlier JSON report; an empty list without a file.
 *
 * @throws {@link CliError} for a file that can't be read, or isn't such a report.
 */
export async function readKnown(file: string | undefined): Promise<KnownItems> {
  if (file === undefined) return []
  const { items } = await readJsonFile(file, (found) => readInput(earlierReport, found))
  return items.filter(({ grade }) => grade !== 'info')
}

/**
 * Returns the names of known items that are gone, though all checks that showed them have run.
 *
 * @param names Checks that have run.
 */
export function staleItems(
  known: KnownItems,
  items: readonly Item[],
  names: readonly string[],
): readonly string[] {
  const stale = known.filter(
    (one) =>
      !items.some(({ what }) => what === one.what) &&
      checksIn(one).every((name) => names.includes(name)),
  )
  return [...new Set(stale.map(({ what }) => what))]
}
