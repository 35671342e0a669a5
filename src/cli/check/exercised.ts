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

type Category = CoverageReport['categories']['outcomes']

type Item = Category['items'][number]

/** Maximum number of situations in a report for people. */
const maxShown = 5

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

/** Groups the documented situations that tests never exercised, the most important first. */
export function exercisedGroup(
  coverage: CoverageReport,
  minCoverage: number | undefined,
  isWhole: boolean,
): ReportGroup {
  const short = shortfalls(coverage, minCoverage)
  const { covered, total } = totalOf(coverage)
  const missing = situationsOf(missingIn(coverage))
  const shown = isWhole ? missing.length : Math.min(maxShown, missing.length)
  const hint = shown < missing.length ? `; the ${shown} that matter most (--all lists all)` : ''
  return {
    name: 'never exercised',
    summary: `${total - covered} of ${total} documented situations${hint}`,
    items: [
      ...short.map((text): ReportItem => {
        return { name: 'coverage', level: 'error', state: 'fix', text }
      }),
      ...missing.slice(0, shown).map(({ name, snippet }): ReportItem => {
        return { name, level: 'info', state: 'todo', text: '', code: linesOf(snippet) }
      }),
    ],
  }
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
