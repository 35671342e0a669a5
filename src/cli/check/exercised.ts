import {
  type CoverageFragment,
  type CoverageReport,
  coverageFragment,
} from '../../checks/coverage/coverage-report.ts'
import type { ReportGroup, ReportItem } from '../../checks/reports/report.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { grouped, isRecord, namesOf } from '../../mock/input/record.ts'
import { readInput } from '../../mock/input/schema.ts'
import { type OperationName, operationNames } from '../../mock/spec/endpoints.ts'
import { CliError, reasonOf } from '../cli-error.ts'
import { isFolder, jsonFilesIn, readJsonFile } from '../files.ts'
import type { Thresholds } from '../options.ts'

type Tier = CoverageReport['tiers']['outcomes']

type Cell = Tier['cells'][number]

/** Tiers of situations that the spec documents; a suite meets values of gaps only if it sets them. */
const documented = ['outcomes', 'situations', 'values'] as const

/** Number of situations that a report for people shows. */
const maxShown = 5

/** Situations that matter most, the most important first: the beginnings of their names, or their ends. */
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
  /^id above/,
  /^listPets (?:empty|cut)$/,
  /^fault /,
]

/** Situations that only clients of an operation meet, whose names don't begin with it. */
const operationOf: Readonly<Record<string, OperationName>> = {
  'operation removed': 'getPet',
  'deprecation announced': 'getPet',
  'id above 2^53': 'createPet',
}

/** Situations that an outcome or another situation stands for. */
const standsFor: Readonly<Record<string, RegExp>> = {
  '429 by minute': / 429$/,
  'key unknown': / 401$/,
}

/** Puts the documented situations that tests never exercised into a group of a report, the most important first. */
export function exercisedGroup(
  coverage: CoverageReport,
  thresholds: Thresholds,
  isWhole: boolean,
): ReportGroup {
  const short = shortfalls(coverage, thresholds)
  const { covered, all } = totalOf(coverage)
  const missing = situationsOf(missingIn(coverage))
  const shown = isWhole ? missing.length : Math.min(maxShown, missing.length)
  const hint = shown < missing.length ? `; the ${shown} that matter most (--all lists all)` : ''
  return {
    name: 'never exercised',
    summary: `${all - covered} of ${all} documented situations${hint}`,
    items: [
      ...short.map((text): ReportItem => {
        return { name: 'coverage', level: 'error', state: 'fix', text }
      }),
      ...missing.slice(0, shown).map(({ name, how }): ReportItem => {
        return { name, level: 'info', state: 'todo', text: '', code: linesOf(how) }
      }),
    ],
  }
}

/** A situation, of one operation or several, and how to bring it about. */
interface Situation {
  readonly name: string
  readonly how: string
}

/** Puts the same status of several operations together. */
function situationsOf(missing: readonly Cell[]): readonly Situation[] {
  const statusIn = ({ cell }: Cell): string => {
    const [, operation, status] = /^(\w+) (\d{3})$/.exec(cell) ?? []
    return operation === undefined ? cell : `status ${status}`
  }
  return [...grouped(missing, statusIn)].map(([status, own]) => {
    const [{ cell, how } = { cell: '', how: '' }] = own
    const operations = own.map((one) => one.cell.replace(/ .*/, ''))
    return { name: status === cell ? cell : `${status} from ${operations.join(', ')}`, how }
  })
}

/** Writes each step on a line of its own. */
function linesOf(how: string): string {
  return how.replace(/; (?=await |sandbox\.|for )/g, '\n')
}

/** The situations that tests could still meet, the most important first: of operations that their client calls. */
function missingIn({ tiers }: CoverageReport): readonly Cell[] {
  const called = operationNames.filter((operation) =>
    tiers.outcomes.cells.some(({ cell, covered }) => covered && cell.startsWith(`${operation} `)),
  )
  const isCalled = (cell: string): boolean => {
    const of =
      operationOf[cell] ??
      operationNames.find((operation: OperationName) => cell.startsWith(`${operation} `))
    return of === undefined || called.length === 0 || called.includes(of)
  }
  const open = documented
    .flatMap((name) => tiers[name].cells)
    .filter(({ cell, covered }) => !covered && isCalled(cell))
  const isSaid = ({ cell }: Cell): boolean => {
    const other = standsFor[cell]
    return other !== undefined && open.some((one) => other.test(one.cell))
  }
  return open.filter((one) => !isSaid(one)).toSorted((one, other) => rankOf(one) - rankOf(other))
}

function rankOf({ cell }: Cell): number {
  const rank = ranking.findIndex((pattern) => pattern.test(cell))
  return rank < 0 ? ranking.length : rank
}

/** Counts the documented situations. */
function totalOf({ tiers }: CoverageReport): Pick<Tier, 'covered' | 'all'> {
  const all = documented.map((name) => tiers[name])
  return {
    covered: all.reduce((sum, tier) => sum + tier.covered, 0),
    all: all.reduce((sum, tier) => sum + tier.all, 0),
  }
}

/** Describes each part whose coverage is below its minimum. */
export function shortfalls(
  coverage: CoverageReport,
  { total, ...ofTiers }: Thresholds,
): readonly string[] {
  const parts = [
    { name: 'all situations', counted: totalOf(coverage), least: total },
    ...namesOf(ofTiers).map((name) => {
      return { name, counted: coverage.tiers[name], least: ofTiers[name] }
    }),
  ]
  return parts.flatMap(({ name, counted: { covered, all }, least }) => {
    if (least === undefined || covered * 100 >= least * all) return []
    // Rounded down: 100 % is all of them.
    const share = Math.floor((covered * 100) / all)
    return [`${name}: ${covered} of ${all} (${share} %), less than ${least} %`]
  })
}

/**
 * Reads the fragments in folders, or single ones.
 *
 * @throws {@link CliError} when there are none, or one can't be read.
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
    if (isRecord(found) && 'tiers' in found) return readInput(coverageFragment, found)
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
