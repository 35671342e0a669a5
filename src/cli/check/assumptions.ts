import {
  type Dependency,
  type Exploration,
  Explorer,
  type ExplorerOptions,
} from '../../checks/assumptions/explorer.ts'
import { wholeSuite } from '../../checks/assumptions/observation.ts'
import { type Configuration, configurationText, valuesByGap } from '../../checks/replay/choices.ts'
import { groupOf, type ReportGroup, type ReportItem } from '../../checks/reports/report.ts'
import { countText, cut } from '../../checks/reports/text.ts'
import { type GapName, gapDescriptions, gaps, unpromisedGaps } from '../../mock/api/gaps.ts'
import { dictionary, list, object, optional, view } from '../../mock/input/object.ts'
import { type Input, readInput } from '../../mock/input/schema.ts'
import { string } from '../../mock/input/values.ts'
import { CliError } from '../cli-error.ts'
import { readJsonFile } from '../files.ts'
import { type BaselineRuns, limitedTo, maxMessage, type Progress } from './baseline.ts'
import type { Complaint } from './grade.ts'
import { type ConfigurationRun, Interrupted, type Suite } from './suite.ts'

/** Result of an exploration. */
interface Explored {
  readonly found: Exploration
  /** Numbers of the runs that were ended because they took too long. */
  readonly slow: readonly number[]
  /** Error that ended the exploration, or that makes its result useless. */
  readonly problem: CliError | undefined
  readonly isInterrupted: boolean
}

/** Explores a suite, several runs at a time. */
export async function exploreSuite(
  suite: Suite,
  baseline: BaselineRuns,
  how: Omit<ExplorerOptions, 'baseline' | 'run'>,
  progress: Progress,
): Promise<Explored> {
  const limitMs = baseline.ms * patience.times + patience.ms
  const slow: number[] = []
  const silent: number[] = []
  const run = async (row: Configuration): Promise<ConfigurationRun> => {
    const [found] = await suite.run(row, { offered: how.choices, limitMs })
    if (found.command.end === 'too slow') slow.push(found.number)
    if (found.requests > 0) return found
    silent.push(found.number)
    if (silent.length < maxSilent) return found
    // More runs may follow before the others have ended.
    throw silentError(silent.slice(0, maxSilent))
  }
  const atOnce = limitedTo(baseline.jobs)
  const runInTurn = (row: Configuration): Promise<ConfigurationRun> => atOnce(() => run(row))
  const explorer = new Explorer({ ...how, baseline: baseline.runs, run: runInTurn })
  let problem: CliError | undefined
  let isInterrupted = false
  try {
    do progress.show({ done: explorer.runs, left: explorer.left, jobs: baseline.jobs })
    while (await explorer.round())
  } catch (error) {
    if (error instanceof Interrupted) isInterrupted = true
    else if (error instanceof CliError) problem = error
    else throw error
  } finally {
    progress.clear()
  }
  const { found } = explorer
  // After few runs, a single one without a request is enough.
  if (silent.length * 2 > found.runs - baseline.runs.length) problem ??= silentError(silent)
  return { found, slow, problem: problem ?? flakiness(found, baseline), isInterrupted }
}

/** Returns an error if a suite without results of single tests passed and failed with the same gap values. */
function flakiness(
  { runs, dependencies, unsteady }: Exploration,
  baseline: BaselineRuns,
): CliError | undefined {
  const hasTests = baseline.runs.some((one) => one.hasTests)
  if (hasTests || dependencies.length > 0 || !unsteady.includes(wholeSuite)) return undefined
  return new CliError(
    `Cannot compare runs: the suite is flaky: in ${runs} runs it passed once and failed once with the same gap values; fix that first`,
    5,
  )
}

/** Time limit of a run: a multiple of the longest baseline run, plus milliseconds. */
const patience = { times: 5, ms: 30_000 } as const

/** Number of runs without a request that shows that something is wrong. */
const maxSilent = 2

function silentError(numbers: readonly number[]): CliError {
  return new CliError(
    `Cannot compare runs: ${numbers.join(' and ')} sent no request to their sandboxes, though others did; perhaps runs at the same time share files, a port or a server, or results are kept; use --jobs 1, and let each run start what it needs`,
    5,
  )
}

/** Hidden assumptions of a suite: values that the spec leaves open, and that its tests rely on. */
export interface Assumptions {
  readonly found: Exploration
  /** Number of tests; 0 if single tests aren't known. */
  readonly tests: number
  /** Assumptions that don't count as new. */
  readonly known: readonly KnownAssumption[]
  /** Further remarks. */
  readonly notes: readonly string[]
  /** Reason why there is no result; `undefined` if all went well. */
  readonly problem: string | undefined
  readonly isInterrupted: boolean
  /** Grade of a new assumption. */
  readonly grade: 'fix' | 'review'
  /** Writes a command that runs the suite with gap values. */
  readonly commandFor: (row: Configuration) => string
}

/** Writes remarks on the course of the runs. */
export function runNotes(
  areDisturbed: boolean,
  slow: readonly number[],
  strays: number,
): readonly string[] {
  return [
    areDisturbed &&
      'Two runs at the same time disturbed each other, perhaps by a port or files that they share; so they ran one after the other.',
    strays > 0 &&
      `${countText(strays, 'request')} went to /v1 of the server, and not to the address in PETSTORE_API_URL: they got responses with default values, whatever was tried. Keep the path of that address.`,
    slow.length > 0 && `Some runs took too long, and were ended: ${slow.join(', ')}.`,
  ].filter((note) => note !== false)
}

/** Writes the clauses of the spec that leave these gaps open. */
export function clauseOf(row: Configuration): string {
  return [...new Set(row.map(({ gap }) => gaps[gap].spec))].join(', ')
}

/** Returns the complaints about new assumptions, one for each set of values. */
export function assumptionComplaints(result: Assumptions): readonly Complaint[] {
  const byRow = new Map<string, { readonly row: Configuration; readonly tests: string[] }>()
  for (const { test, row } of result.found.dependencies) {
    if (isKnown(test, row, result.known)) continue
    const known = byRow.get(configurationText(row)) ?? { row, tests: [] }
    known.tests.push(test === wholeSuite ? 'The suite' : cut(test, maxMessage))
    byRow.set(configurationText(row), known)
  }
  return [...byRow].map(([values, { row, tests }]) => ({
    grade: result.grade,
    what: values,
    text: `${failText(tests)} with ${values}${row.length === 1 ? '' : ', and with none of them alone'}, which the spec allows as well.`,
    advice: `Expect nothing that the spec leaves open: pass with ${values}, too.`,
    command: result.commandFor(row),
    source: `spec ${clauseOf(row)}`,
  }))
}

function failText([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return `${first} fails`
  return `${first} and ${countText(others.length, 'more test')} fail`
}

/** Writes hidden assumptions as a group of a report. */
export function assumptionGroups(result: Assumptions): readonly ReportGroup[] {
  const { found, problem } = result
  const remarks = notesOf(result).map((text): ReportItem => {
    return { name: 'assumptions', level: 'warning', state: 'note', text }
  })
  const items: readonly ReportItem[] =
    problem === undefined
      ? [
          ...found.dependencies.map((one) => dependencyItem(one, result)),
          ...found.slower.map((one) => slowerItem(one, result)),
          ...gapItems('unaffected', found.unaffected, 'no test relies on their values'),
          ...gapItems('irrelevant', found.irrelevant, 'no response to the tests depends on them'),
          ...remarks,
        ]
      : [{ name: 'assumptions', level: 'info', state: 'not-run', text: problem }]
  return [groupOf('hidden assumptions', items, summaryOf(result))]
}

function summaryOf({ found, tests, problem, isInterrupted }: Assumptions): string {
  if (problem !== undefined) return 'not known'
  const count = found.dependencies.length
  if (count === 0) return isInterrupted ? 'none found so far' : 'none'
  const depending = new Set(found.dependencies.map(({ test }) => test)).size
  const who = tests === 0 ? 'in the suite' : `in ${depending} of ${countText(tests, 'test')}`
  return `${count}, ${who}`
}

/** Returns the part of a JSON report. */
export function assumptionsJson({ found, commandFor, problem }: Assumptions) {
  const jsonOf = ({ test, row }: Dependency) => ({
    test: test === wholeSuite ? undefined : test,
    values: valuesByGap(row),
    source: `spec ${clauseOf(row)}`,
    reproduce: commandFor(row),
  })
  return {
    assumptions: found.dependencies.map(jsonOf),
    slower: found.slower.map(jsonOf),
    gaps: { irrelevant: found.irrelevant, unaffected: found.unaffected, open: found.open },
    assumptionsProblem: problem,
  }
}

function isKnown(test: string, row: Configuration, known: readonly KnownAssumption[]): boolean {
  const values = valuesText(valuesByGap(row))
  return known.some((one) => (one.test ?? wholeSuite) === test && valuesText(one.values) === values)
}

function dependencyItem({ test, row }: Dependency, result: Assumptions): ReportItem {
  const isOld = isKnown(test, row, result.known)
  return {
    name: configurationText(row),
    level: isOld ? 'info' : result.grade === 'fix' ? 'error' : 'warning',
    state: isOld ? 'known' : result.grade,
    text: [
      `${nameOf(test)} fails with ${configurationText(row)}.`,
      ...row.map(({ gap }) => openText(gap)),
    ].join('\n'),
    notes: { source: `spec ${clauseOf(row)}`, reproduce: result.commandFor(row) },
    brief: `${nameOf(test)} fails`,
    isExplained: !isOld,
  }
}

/** Writes values with which a client correctly waits for longer than its test does. */
function slowerItem({ test, row }: Dependency, { commandFor }: Assumptions): ReportItem {
  return {
    name: configurationText(row),
    level: 'info',
    state: 'slower',
    text: `${nameOf(test)}: with these values its client was still waiting, as it should, when the test ended: slower, not different. Move the clock, or give the test more time.`,
    notes: { source: `spec ${clauseOf(row)}`, reproduce: commandFor(row) },
  }
}

/** Quotes what a gap leaves open. */
function openText(gap: GapName): string {
  const { summary } = gapDescriptions[gap]
  const why = unpromisedGaps.includes(gap)
    ? 'no clause promises'
    : `spec ${gaps[gap].spec} leaves open`
  return `${gap}, which ${why}: ${summary}`
}

function gapItems(state: string, names: readonly GapName[], why: string): readonly ReportItem[] {
  if (names.length === 0) return []
  const text = `${why}: ${names.join(', ')}`
  return [{ name: countText(names.length, 'gap'), level: 'ok', state, text, brief: why }]
}

function notesOf({ found, notes, known, isInterrupted }: Assumptions): readonly string[] {
  const gone = known.filter(
    (one) => !found.dependencies.some(({ test, row }) => isKnown(test, row, [one])),
  )
  return [
    ...notes,
    isInterrupted && 'It was interrupted: there may be more hidden assumptions.',
    found.open.length > 0 && `Not known yet whether a test relies on ${found.open.join(', ')}.`,
    ...found.unsteady.map(
      (test) =>
        `${nameOf(test)} passed once and failed once with the same values: it is flaky, and may rely on more than is reported here; fix that first.`,
    ),
    ...found.unexplained.map((test) => `${nameOf(test)} failed, and no value explains it.`),
    gone.length > 0 &&
      !isInterrupted &&
      `${gone.length} of the known assumptions ${gone.length === 1 ? 'is' : 'are'} gone.`,
  ].filter((note) => note !== false)
}

function nameOf(test: string): string {
  return test === wholeSuite ? 'the whole suite' : cut(test, maxMessage)
}

const knownAssumption = view({ test: optional(string), values: dictionary(string) })

/** Hidden assumption in a JSON report. */
export type KnownAssumption = Input<typeof knownAssumption>

const report = object(
  { assumptions: list(knownAssumption) },
  { unknown: 'ignore', title: 'baseline', example: '{ "assumptions": [] }' },
)

/**
 * Reads the hidden assumptions in a report; an empty list without a file.
 *
 * @throws {@link CliError} for a file that can't be read, or isn't such a report.
 */
export async function readKnown(file: string | undefined): Promise<readonly KnownAssumption[]> {
  if (file === undefined) return []
  const { assumptions } = await readJsonFile(file, (found) => readInput(report, found))
  return assumptions
}

function valuesText(choices: KnownAssumption['values']): string {
  return JSON.stringify(Object.entries(choices).sort())
}
