import {
  type CoverageFragment,
  type CoverageReport,
  coverageFragment,
} from '../checks/coverage/coverage-report.ts'
import { mergeFragments } from '../checks/coverage/covered.ts'
import type { Report, ReportItem } from '../checks/reports/report.ts'
import { InputError } from '../mock/input/input-error.ts'
import { isRecord, namesOf } from '../mock/input/record.ts'
import { readInput } from '../mock/input/schema.ts'
import { CliError, reasonOf } from './cli-error.ts'
import { isFolder, jsonFilesIn, readJsonFile } from './files.ts'
import type { CoverageOptions, Thresholds } from './options.ts'
import { atSandbox } from './remote/connect.ts'
import { firstLines } from './terminal.ts'
import { targetsOf, writeReports } from './write-reports.ts'

/**
 * Reports what clients were exposed to, from the fragments in some folders together or from a running sandbox.
 *
 * @throws {@link CliError} with exit code 4 when a tier is below its threshold.
 */
export async function showCoverage(
  folders: readonly string[],
  { 'fail-under': thresholds, report, json, all, ...place }: CoverageOptions,
  stdout: NodeJS.WritableStream,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const coverage: CoverageReport =
    folders.length > 0
      ? mergeFragments(await readFragments(folders))
      : await atSandbox(place, async (client) => await client.coverage())
  const choice = { report, json }
  const isWhole =
    all || targetsOf(choice).some(({ format, file }) => format !== 'pretty' && file === undefined)
  const shorten = (text: string): string => firstLines(text, isWhole)
  writeReports(coverageText(coverage, thresholds), choice, stdout, environment, shorten)
  const short = shortfalls(coverage, thresholds)
  if (short.length === 0) return
  throw new CliError(`Cannot accept the coverage: ${short.join('; ')}`, 4)
}

type Tier = CoverageReport['tiers']['outcomes']

/** Puts coverage into the words of a report: a cell that isn't covered is an error in a tier below its threshold. */
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
function shortfalls({ tiers }: CoverageReport, thresholds: Thresholds): readonly string[] {
  return namesOf(tiers)
    .filter((name) => isBelow(tiers[name], thresholds[name]))
    .map((name) => `${name} ${summaryOf(tiers[name])}, less than ${thresholds[name]} %`)
}

function itemOf(
  { cell, covered, by, how }: Tier['cells'][number],
  uncovered: 'error' | 'info',
): ReportItem {
  if (!covered) return { name: cell, level: uncovered, state: 'not covered', text: '', code: how }
  return { name: cell, level: 'ok', state: 'covered', text: by === undefined ? '' : `by ${by}` }
}

function isBelow({ covered, all }: Tier, threshold: number | undefined): boolean {
  return threshold !== undefined && covered * 100 < threshold * all
}

function sumOf(tiers: readonly Tier[]): Pick<Tier, 'covered' | 'all'> {
  return {
    covered: tiers.reduce((sum, tier) => sum + tier.covered, 0),
    all: tiers.reduce((sum, tier) => sum + tier.all, 0),
  }
}

/** Rounded down: 100 % is all of them. */
function summaryOf({ covered, all }: Pick<Tier, 'covered' | 'all'>): string {
  return `${covered} of ${all} covered (${all === 0 ? 100 : Math.floor((covered * 100) / all)} %)`
}

/**
 * Reads the fragments in folders, or single ones.
 *
 * @throws {@link CliError} when there are none, or one can't be read.
 */
async function readFragments(paths: readonly string[]): Promise<CoverageFragment[]> {
  const files = paths.flatMap((path) => (isFolder(path) ? fragmentsIn(path) : [path]))
  if (files.length > 0) return await Promise.all(files.map(readFragment))
  throw new CliError(
    `Cannot report coverage: no fragment is in ${paths.join(', ')}; run the tests with PETSTORE_COVERAGE_DIR set to this folder`,
    2,
  )
}

function readFragment(file: string): Promise<CoverageFragment> {
  return readJsonFile(file, (found) => {
    if (isRecord(found) && 'tiers' in found) return readInput(coverageFragment, found)
    throw new InputError(
      'Cannot read the file: it is not coverage; use a file of PETSTORE_COVERAGE_DIR, or a report in JSON',
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
