import type { RuleName } from '../../checks/audit/rules.ts'
import {
  type CoverageFragment,
  type CoverageReport,
  coverageFragment,
} from '../../checks/coverage/coverage-report.ts'
import type { ReportGroup, ReportItem } from '../../checks/reports/report.ts'
import { type OperationName, operationNames } from '../../mock/api/endpoints.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { grouped, isRecord, namesOf } from '../../mock/input/record.ts'
import { readInput } from '../../mock/input/schema.ts'
import { CliError, reasonOf } from '../cli-error.ts'
import { isFolder, jsonFilesIn, readJsonFile } from '../files.ts'
import type { GradedCondition } from './grade.ts'

type Category = CoverageReport['categories']['outcomes']

type Item = Category['items'][number]

/** Beginnings or ends of the names of situations, the most important first. */
const ranking: readonly RegExp[] = [
  / 429$/,
  /^createPet took effect/,
  / 401$/,
  /^fault status$/,
  /^succeeded after 429$/,
  /^fault timeout$/,
  / 400$/,
  / 404$/,
  /^banned$/,
  /^succeeded after a ban$/,
  /^operation removed$/,
  /^fault /,
]

/** Situations that only clients of one operation encounter, though their names don't begin with it. */
const operationOf: Readonly<Record<string, OperationName>> = {
  'operation removed': 'getPet',
  'deprecation announced': 'getPet',
}

/** Situations that are left out if an outcome or another situation with a matching name is listed. */
const standsFor: Readonly<Record<string, RegExp>> = {
  '429 by minute': / 429$/,
  'key unknown': / 401$/,
}

/** Groups the documented situations that no run exercised, the most important first: in one line, or each. */
export function exercisedGroup(coverage: CoverageReport, isWhole: boolean): readonly ReportGroup[] {
  const { covered, total } = totalOf(coverage)
  const missing = situationsOf(missingIn(coverage))
  const [first] = missing
  if (first === undefined) return []
  const count = `${total - covered} of ${total} documented situations`
  if (!isWhole) {
    const summary = `${count}, such as ${first.name} (see --all)`
    return [{ name: 'never exercised', summary, items: [], isSummed: true }]
  }
  const items = missing.map(({ name, snippet }): ReportItem => {
    return { name, level: 'info', state: 'todo', text: '', code: linesOf(snippet) }
  })
  return [{ name: 'never exercised', summary: count, items }]
}

const limits = / 429$|^fault rate-limit$/
const failures = / (?:40[014]|429)$|^fault |^key |response lost$/

/** For situations that coverage doesn't list. */
const never = /^$/

/** Names of coverage items or conditions; a client that meets one of them has an occasion to break the rule. */
const occasions: Readonly<Record<RuleName, RegExp>> = {
  'retry-too-early': new RegExp(`${limits.source}|^fault status$`),
  'retry-after-misread': new RegExp(`${limits.source}|^fault status$`),
  'request-while-limited': limits,
  'retried-until-banned': limits,
  'burst-until-banned': limits,
  'request-while-banned': /^banned$/,
  'request-with-none-remaining': /^last request of a window$/,
  'no-backoff': failures,
  'endless-retries': failures,
  'retried-permanent-error': failures,
  'duplicate-create': /^createPet took effect, response lost$/,
  'unsafe-create-retry': /^createPet took effect, response lost$/,
  'key-in-url': / 20[01]$/,
  'key-outside-authorization': / 20[01]$/,
  'id-precision-loss': /^large-ids$/,
  'list-truncated': /^listPets 200$/,
  'n-plus-one': /^getPet 200$/,
  'deprecated-operation': /^getPet /,
  'removed-operation': /^operation removed$/,
  'redirect-lost-authorization': never,
  'redirect-changed-method': never,
  'polling-over-quota': /^listPets 200$/,
  'too-many-parallel-requests': / 20[01]$/,
  'relies-on-gap': / 20[01]$/,
}

/** Returns whether the client came into a situation in which it can break a rule. */
export function hadOccasion(
  rule: RuleName,
  { categories }: CoverageReport,
  conditions: readonly GradedCondition[],
): boolean {
  const covered = namesOf(categories).flatMap((name) =>
    categories[name].items.filter((item) => item.covered).map((item) => item.name),
  )
  const met = conditions.filter(({ state }) => state !== 'not-met' && state !== 'not-run')
  return [...covered, ...met.map(({ name }) => name)].some((name) => occasions[rule].test(name))
}

/** Situation of one operation or several, and code that causes it. */
interface Situation {
  readonly name: string
  readonly snippet: string
}

/** Combines the same status of several operations. */
function situationsOf(missing: readonly Item[]): readonly Situation[] {
  const statusIn = ({ name }: Item): string => {
    const [, operation, status] = /^(\w+) (\d{3})$/.exec(name) ?? []
    return operation === undefined ? name : `status ${status}`
  }
  return [...grouped(missing, statusIn)].map(([status, own]) => {
    const [{ name, snippet } = { name: '', snippet: '' }] = own
    const operations = own.map((one) => one.name.replace(/ .*/, ''))
    return { name: status === name ? name : `${status} from ${operations.join(', ')}`, snippet }
  })
}

/** Writes each step on a line of its own. */
function linesOf(snippet: string): string {
  return snippet.replace(/; (?=await |sandbox\.|for )/g, '\n')
}

/**
 * Returns the situations that tests could still exercise, the most important first, of operations that the client
 * calls.
 */
function missingIn({ categories }: CoverageReport): readonly Item[] {
  const called = operationNames.filter((operation) =>
    categories.outcomes.items.some(
      ({ name, covered }) => covered && name.startsWith(`${operation} `),
    ),
  )
  const isCalled = (item: string): boolean => {
    const of =
      operationOf[item] ??
      operationNames.find((operation: OperationName) => item.startsWith(`${operation} `))
    return of === undefined || called.length === 0 || called.includes(of)
  }
  const open = namesOf(categories)
    .flatMap((name) => categories[name].items)
    .filter(({ name, covered }) => !covered && isCalled(name))
  const isSaid = ({ name }: Item): boolean => {
    const other = standsFor[name]
    return other !== undefined && open.some((one) => other.test(one.name))
  }
  return open.filter((one) => !isSaid(one)).toSorted((one, other) => rankOf(one) - rankOf(other))
}

function rankOf({ name }: Item): number {
  const rank = ranking.findIndex((pattern) => pattern.test(name))
  return rank < 0 ? ranking.length : rank
}

/** Counts the documented situations. */
function totalOf({ categories }: CoverageReport): Pick<Category, 'covered' | 'total'> {
  const all = Object.values(categories)
  return {
    covered: all.reduce((sum, tier) => sum + tier.covered, 0),
    total: all.reduce((sum, tier) => sum + tier.total, 0),
  }
}

/** Describes a coverage below its minimum, in percent. */
export function shortfalls(
  coverage: CoverageReport,
  minCoverage: number | undefined,
): readonly string[] {
  const { covered, total } = totalOf(coverage)
  if (minCoverage === undefined || covered * 100 >= minCoverage * total) return []
  // Rounded down: 100 % means all of them.
  const share = Math.floor((covered * 100) / total)
  return [`${covered} of ${total} situations (${share} %), less than ${minCoverage} %`]
}

/**
 * Reads the fragments in folders, or single files.
 *
 * @throws {@link CliError} if there are none, or if one can't be read.
 */
export async function readFragments(paths: readonly string[]): Promise<CoverageFragment[]> {
  const files = paths.flatMap((path) => (isFolder(path) ? fragmentsIn(path) : [path]))
  if (files.length > 0) return await Promise.all(files.map(readFragment))
  throw new CliError(
    `Cannot check: ${paths.join(', ')} has no results; run the tests with PETSTORE_CHECK_DIR set to this folder`,
    2,
  )
}

function readFragment(file: string): Promise<CoverageFragment> {
  return readJsonFile(file, (found) => {
    if (isRecord(found) && 'categories' in found) return readInput(coverageFragment, found)
    throw new InputError(
      'Cannot read the file: it has no results; use a file of PETSTORE_CHECK_DIR, or a report of check in JSON',
    )
  })
}

function fragmentsIn(folder: string): string[] {
  try {
    return jsonFilesIn(folder)
  } catch (error) {
    throw new CliError(`Cannot read ${folder}: ${reasonOf(error)}`, 2)
  }
}
