import type { Dependency, Exploration } from '../checks/assumptions/explorer.ts'
import { wholeSuite } from '../checks/assumptions/observation.ts'
import { choicesByGap, type Row, rowText } from '../checks/replay/choices.ts'
import { groupOf, type Report, type ReportItem } from '../checks/reports/report.ts'
import { cut } from '../checks/reports/text.ts'
import { dictionary, list, object, optional, view } from '../mock/input/object.ts'
import { type Given, readInput } from '../mock/input/schema.ts'
import { string } from '../mock/input/values.ts'
import { type GapName, gapDescriptions, gaps, unpromisedGaps } from '../mock/spec/gaps.ts'
import { readJsonFile } from './files.ts'
import type { ExplorerOptions } from './options.ts'
import {
  execLine,
  exploreSuite,
  maxMessage,
  offeredChoices,
  Progress,
  runBaseline,
} from './suite/session.ts'
import { type SuiteTask, withSuite } from './suite/suite.ts'
import { expectReportPlaces, writeReports } from './write-reports.ts'

/**
 * Runs a command under other choices at the gaps, and reports on which of them it depends.
 *
 * @returns The exit code: 0, 4 for a new dependency, or 128 plus the number of the signal that ended it.
 * @throws {@link CliError} with exit code 5 when the command can't be explored.
 */
export async function explore(
  task: SuiteTask<ExplorerOptions>,
  stdout: NodeJS.WritableStream,
): Promise<number> {
  const { options, settings } = task
  const known = await readKnown(options.baseline)
  expectReportPlaces(options.report)
  return await withSuite(task, async (suite) => {
    const choices = offeredChoices(settings, options['every-gap'] ? 'all' : 'promised')
    const run = async () => (await suite.run([], { offered: choices }))[0]
    const baseline = await runBaseline(suite, run, options, 'Cannot explore')
    const { found, slow, problem, isInterrupted } = await exploreSuite(
      suite,
      baseline,
      {
        strength: options.strength === 3 ? 3 : 2,
        seed: settings.seed,
        choices,
        tries: options['every-gap'] ? 'all' : 'mattering',
      },
      new Progress(process.stderr),
    )
    if (problem !== undefined) throw problem
    const result: ExploreResult = {
      found,
      tests: baseline.tests,
      known,
      notes: runNotes(baseline.areDisturbed, slow, suite.strays()),
      isInterrupted,
      commandFor: (row) => execLine(task, row),
    }
    writeReports(exploreReport(result), options, stdout, process.env)
    return newDependencies(result).length > 0 ? 4 : 0
  })
}

function runNotes(areDisturbed: boolean, slow: readonly number[], strays: number): string[] {
  return [
    areDisturbed &&
      'Two runs at the same time disturbed each other, perhaps by a port or files that they share; so they ran one after the other.',
    strays > 0 &&
      `${strays} requests went to /v1 of the server, and not to the address in PETSTORE_API_URL: they were answered at the baseline choices, whatever was tried. Keep the path of that address.`,
    slow.length > 0 && `Some runs took too long, and were ended: ${slow.join(', ')}.`,
  ].filter((note) => note !== false)
}

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

/** Puts what was found into the words of a report. */
export function exploreReport(result: ExploreResult): Report {
  const { found, isInterrupted, commandFor } = result
  const { runs, irrelevant, unaffected } = found
  const summary = dependText(found.dependencies.length, result)
  const jsonOf = ({ test, row }: Dependency) => ({
    test: test === wholeSuite ? undefined : test,
    choices: choicesByGap(row),
    clause: clauseOf(row),
    reproduce: commandFor(row),
  })
  const groups = [
    groupOf(
      'dependencies',
      found.dependencies.map((one) => dependencyItem(one, result)),
      summary,
    ),
    groupOf(
      'slower, not different',
      found.slower.map((one) => slowerItem(one, result)),
    ),
    groupOf('gaps without effect on your tests', gapItems('unaffected', unaffected)),
    groupOf('gaps that no request depends on', gapItems('irrelevant', irrelevant)),
    groupOf('notes', noteItems(notesOf(result))),
  ]
  return {
    title: 'Explore',
    summary: `${summary}; ${runs} runs${isInterrupted ? ', interrupted' : ''}`,
    layout: 'paragraphs',
    groups: groups.filter(({ items }) => items.length > 0),
    json: {
      runs,
      dependencies: found.dependencies.map(jsonOf),
      slower: found.slower.map(jsonOf),
      irrelevant,
      unaffected,
      interrupted: isInterrupted || undefined,
    },
  }
}

/** The clauses that leave open what is chosen. */
export function clauseOf(row: Row): string {
  return [...new Set(row.map(({ gap }) => gaps[gap].spec))].join(', ')
}

/** The dependencies that fail: those that aren't known. */
export function newDependencies({ found, known }: ExploreResult): readonly string[] {
  return found.dependencies
    .filter(({ test, row }) => !isKnown(test, row, known))
    .map(({ row }) => rowText(row))
}

function isKnown(test: string, row: Row, known: readonly KnownDependency[]): boolean {
  const choices = choicesText(choicesByGap(row))
  return known.some(
    (one) => (one.test ?? wholeSuite) === test && choicesText(one.choices) === choices,
  )
}

function dependText(count: number, { found, tests, isInterrupted }: ExploreResult): string {
  if (count === 0 && isInterrupted) return 'no dependency found so far'
  if (count === 0) return 'no test depends on a choice that the interface leaves open'
  const depending = new Set(found.dependencies.map(({ test }) => test)).size
  const who =
    tests === 0
      ? 'the suite depends'
      : `${depending} of ${tests} tests ${depending === 1 ? 'depends' : 'depend'}`
  return `${who} on what the interface leaves open, in ${count} ${count === 1 ? 'way' : 'ways'}`
}

function dependencyItem(dependency: Dependency, result: ExploreResult): ReportItem {
  const { test, row } = dependency
  const isOld = isKnown(test, row, result.known)
  const together = row.length === 1 ? '' : ', and with none of them alone'
  return {
    ...itemOf(dependency, result),
    level: isOld ? 'info' : 'error',
    state: isOld ? 'known' : 'depends',
    text: [
      `It fails with ${rowText(row)}${together}; every other choice passes.`,
      ...row.map(({ gap }) => openText(gap)),
    ].join('\n'),
  }
}

/** Choices under which a client waits as it should, and the test has no patience. */
function slowerItem(dependency: Dependency, result: ExploreResult): ReportItem {
  return {
    ...itemOf(dependency, result),
    level: 'info',
    state: 'slower',
    text: `With ${rowText(dependency.row)} its client was still waiting, as it was told to, when the test ended: slower, not different. Move the clock, or give the test more time.`,
  }
}

function itemOf({ test, row }: Dependency, { commandFor }: ExploreResult) {
  return {
    name: test === wholeSuite ? 'the whole suite' : cut(test, maxMessage),
    notes: { clause: `spec ${clauseOf(row)}` },
    code: commandFor(row),
  }
}

/** Quotes what is left open at a gap. */
function openText(gap: GapName): string {
  const { about } = gapDescriptions[gap]
  const why = unpromisedGaps.includes(gap)
    ? 'no clause promises'
    : `spec ${gaps[gap].spec} leaves open`
  return `${gap}, which ${why}: ${about}`
}

function gapItems(state: string, names: readonly GapName[]): readonly ReportItem[] {
  return names.map((gap) => ({ name: gap, level: 'ok', state, text: '' }))
}

function noteItems(notes: readonly string[]): readonly ReportItem[] {
  return notes.map((text) => ({ name: 'explore', level: 'warning', state: 'note', text }))
}

function notesOf({ found, notes, known, isInterrupted }: ExploreResult): string[] {
  const gone = known.filter(
    (one) => !found.dependencies.some(({ test, row }) => isKnown(test, row, [one])),
  )
  return [
    ...notes,
    isInterrupted && 'It was interrupted: there may be more dependencies.',
    found.open.length > 0 && `Not known yet whether a test depends on ${found.open.join(', ')}.`,
    ...found.unsteady.map(
      (test) =>
        `${nameOf(test)} passed once and failed once under the same choices: it is flaky, and may depend on more than is said here; fix that first.`,
    ),
    ...found.unexplained.map((test) => `${nameOf(test)} failed, and no choice explains it.`),
    gone.length > 0 &&
      !isInterrupted &&
      `${gone.length} of the known dependencies ${gone.length === 1 ? 'is' : 'are'} gone.`,
  ].filter((note) => note !== false)
}

function nameOf(test: string): string {
  return test === wholeSuite ? 'The whole suite' : cut(test, maxMessage)
}

const knownDependency = view({ test: optional(string), choices: dictionary(string) })

/** A dependency as a report in JSON has it. */
export type KnownDependency = Given<typeof knownDependency>

const report = object(
  { dependencies: list(knownDependency) },
  { unknown: 'ignore', title: 'baseline', example: '{ "dependencies": [] }' },
)

/**
 * Reads the dependencies in a report; none without a file.
 *
 * @throws {@link CliError} for a file that can't be read, or is not such a report.
 */
export async function readKnown(file: string | undefined): Promise<readonly KnownDependency[]> {
  if (file === undefined) return []
  const { dependencies } = await readJsonFile(file, (found) => readInput(report, found))
  return dependencies
}

function choicesText(choices: KnownDependency['choices']): string {
  return JSON.stringify(Object.entries(choices).sort())
}
