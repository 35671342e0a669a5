import { type GapName, gaps } from '../../contract/gaps.ts'
import { gapDescriptions, unpromisedGaps } from '../../contract/openapi/gap-descriptions.ts'
import { choicesByGap, type Row, rowText } from '../../explore/choices.ts'
import type { Dependency, Exploration } from '../../explore/suite/explorer.ts'
import { wholeSuite } from '../../explore/suite/observation.ts'
import { dictionary, list } from '../../input/collections.ts'
import { object, optional, view } from '../../input/object.ts'
import { readInput } from '../../input/schema.ts'
import { string } from '../../input/values.ts'
import type { Report, ReportGroup, ReportItem } from '../../reports/report.ts'
import { readJsonFile } from '../files.ts'

/** What a report is made of. */
export interface ExploreResult {
  readonly found: Exploration
  /** How many tests there are; 0 if single tests aren't known. */
  readonly tests: number
  /** The dependencies that aren't new. */
  readonly known: readonly KnownDependency[]
  /** What else has to be said. */
  readonly notes: readonly string[]
  /** Whether it was ended before all was known. */
  readonly isInterrupted: boolean
  /** Writes a command that runs the suite under a row. */
  readonly commandFor: (row: Row) => string
}

/** A dependency as the report has it. */
interface ShownDependency {
  readonly test?: string
  readonly choices: Readonly<Record<string, string>>
  readonly clause: string
  readonly reproduce: string
}

/** Puts what was found into the words of a report. */
export function exploreReport(result: ExploreResult): Report {
  const { found, isInterrupted } = result
  const shown = ({ test, row }: Dependency): ShownDependency => ({
    ...(test === wholeSuite ? {} : { test }),
    choices: choicesByGap(row),
    clause: [...new Set(row.map(({ gap }) => gaps[gap].spec))].join(', '),
    reproduce: result.commandFor(row),
  })
  const dependencies = found.dependencies.map(shown)
  const slower = found.slower.map(shown)
  const items = found.dependencies.map(({ row }, index) =>
    dependencyItem(dependencies[index], row, result),
  )
  const groups: ReportGroup[] = [
    { name: 'dependencies', summary: countText(items.length, result), items },
    slowerGroup(found.slower.map((one) => slowerItem(shown(one), one.row))),
    gapGroup('gaps without effect on your tests', 'unaffected', found.unaffected),
    gapGroup('gaps that no request depends on', 'irrelevant', found.irrelevant),
    noteGroup(notesOf(result)),
  ]
  const { runs, irrelevant, unaffected } = found
  return {
    title: 'Explore',
    summary: `${countText(items.length, result)}; ${runs} runs${isInterrupted ? ', interrupted' : ''}`,
    layout: 'paragraphs',
    groups: groups.filter((group) => group.items.length > 0),
    json: {
      runs,
      dependencies,
      slower,
      irrelevant,
      unaffected,
      ...(isInterrupted ? { interrupted: true } : {}),
    },
  }
}

/** The dependencies that fail: those that aren't known. */
export function newDependencies({ found, known }: ExploreResult): readonly string[] {
  return found.dependencies
    .filter(({ test, row }) => !isKnown(test, row, known))
    .map(({ row }) => rowText(row))
}

function isKnown(test: string, row: Row, known: readonly KnownDependency[]): boolean {
  const one = { test: test === wholeSuite ? undefined : test, choices: choicesByGap(row) }
  return known.some((other) => isSameDependency(one, other))
}

function countText(count: number, { found, tests, isInterrupted }: ExploreResult): string {
  if (count === 0 && isInterrupted) return 'no dependency found so far'
  if (count === 0) return 'no test depends on a choice that the interface leaves open'
  const depending = new Set(found.dependencies.map(({ test }) => test)).size
  const who =
    tests === 0
      ? 'the suite depends'
      : `${depending} of ${tests} tests ${depending === 1 ? 'depends' : 'depend'}`
  return `${who} on what the interface leaves open, in ${count} ${count === 1 ? 'way' : 'ways'}`
}

function dependencyItem(
  shown: ShownDependency | undefined,
  row: Row,
  { known }: ExploreResult,
): ReportItem {
  const { test = wholeSuite, clause = '', reproduce = '' } = shown ?? {}
  const isOld = isKnown(test, row, known)
  const together = row.length === 1 ? '' : ', and with none of them alone'
  return {
    name: test === wholeSuite ? 'the whole suite' : test,
    level: isOld ? 'info' : 'error',
    state: isOld ? 'known' : 'depends',
    text: [
      `It fails with ${rowText(row)}${together}; every other choice passes.`,
      ...row.map(({ gap }) => openText(gap)),
    ].join('\n'),
    notes: { clause: `spec ${clause}` },
    code: reproduce,
  }
}

/** Choices under which a client waits as it should, and the test has no patience. */
function slowerItem(
  { test = wholeSuite, clause, reproduce }: ShownDependency,
  row: Row,
): ReportItem {
  return {
    name: test === wholeSuite ? 'the whole suite' : test,
    level: 'info',
    state: 'slower',
    text: `With ${rowText(row)} its client was still waiting, as it was told to, when the test ended: slower, not different. Move the clock, or give the test more time.`,
    notes: { clause: `spec ${clause}` },
    code: reproduce,
  }
}

function slowerGroup(items: readonly ReportItem[]): ReportGroup {
  return { name: 'slower, not different', summary: String(items.length), items }
}

/** Quotes what is left open at a gap. */
function openText(gap: GapName): string {
  const { about } = gapDescriptions[gap]
  const why = unpromisedGaps.includes(gap)
    ? 'no clause promises'
    : `spec ${gaps[gap].spec} leaves open`
  return `${gap}, which ${why}: ${about}`
}

function gapGroup(name: string, state: string, names: readonly GapName[]): ReportGroup {
  return {
    name,
    summary: String(names.length),
    items: names.map((gap) => ({ name: gap, level: 'ok', state, text: '' })),
  }
}

function noteGroup(notes: readonly string[]): ReportGroup {
  return {
    name: 'notes',
    summary: String(notes.length),
    items: notes.map((text) => ({ name: 'explore', level: 'warning', state: 'note', text })),
  }
}

function notesOf({ found, notes, known, isInterrupted }: ExploreResult): string[] {
  const gone = known.filter(
    (one) => !found.dependencies.some(({ test, row }) => isKnown(test, row, [one])),
  )
  return [
    ...notes,
    ...(isInterrupted ? ['It was interrupted: there may be more dependencies.'] : []),
    ...(found.open.length === 0
      ? []
      : [`Not known yet whether a test depends on ${found.open.join(', ')}.`]),
    ...found.unsteady.map(
      (test) =>
        `${nameOf(test)} passed once and failed once under the same choices: it is flaky, and may depend on more than is said here; fix that first.`,
    ),
    ...found.unexplained.map((test) => `${nameOf(test)} failed, and no choice explains it.`),
    ...(gone.length === 0 || isInterrupted
      ? []
      : [`${gone.length} of the known dependencies ${gone.length === 1 ? 'is' : 'are'} gone.`]),
  ]
}

function nameOf(test: string): string {
  return test === wholeSuite ? 'The whole suite' : test
}

/** A dependency as a report in JSON has it. */
export interface KnownDependency {
  readonly test?: string | undefined
  readonly choices: Readonly<Record<string, string>>
}

const report = object(
  {
    dependencies: list(view({ test: optional(string), choices: dictionary(string) })),
  },
  { unknown: 'ignore', title: 'baseline', example: '{ "dependencies": [] }' },
)

/**
 * Reads the dependencies in a report; none without a file.
 *
 * @throws {@link CliError} for a file that can't be read, or is no such report.
 */
export async function readKnown(file: string | undefined): Promise<readonly KnownDependency[]> {
  if (file === undefined) return []
  const { dependencies } = await readJsonFile(file, (found) => readInput(report, found))
  return dependencies
}

/** Whether two dependencies are of the same test, on the same choices. */
function isSameDependency(one: KnownDependency, other: KnownDependency): boolean {
  return one.test === other.test && textOf(one) === textOf(other)
}

function textOf({ choices }: KnownDependency): string {
  return JSON.stringify(Object.entries(choices).sort())
}
