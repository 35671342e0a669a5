import {
  AssumptionSearch,
  type Dependency,
  type SearchResult,
  wholeSuite,
} from '../../checks/assumptions/assumption-search.ts'
import { groupOf, type ReportGroup, type ReportItem } from '../../checks/reports/report.ts'
import { countText, cut } from '../../checks/reports/text.ts'
import {
  type Configuration,
  type GapValue,
  otherValues,
  valuesByGap,
} from '../../mock/api/gaps/configuration.ts'
import {
  formatValue,
  type GapName,
  gapDescriptions,
  gaps,
  parseGaps,
  unpromisedGaps,
} from '../../mock/api/gaps.ts'
import { grouped } from '../../mock/input/record.ts'
import { CliError } from '../cli-error.ts'
import type { ServeSettings } from '../serve/serve-settings.ts'
import { type BaselineRuns, limitedTo, type Progress } from './baseline.ts'
import type { Complaint } from './complaint.ts'
import { Interrupted, type Suite, type SuiteRun } from './suite.ts'
import { maxMessage } from './suite-end.ts'

/** Hidden assumptions of a suite: values that the spec leaves open, and that its tests rely on. */
export interface Assumptions {
  readonly found: SearchResult
  /** Number of tests; 0 if single tests aren't known. */
  readonly tests: number
  /** Number of runs. */
  readonly runs: number
  /** Further remarks. */
  readonly notes: readonly string[]
  /** Reason why there is no result; `undefined` if all went well. */
  readonly problem: string | undefined
  readonly isInterrupted: boolean
  /** Grade of an assumption. */
  readonly grade: 'fix' | 'review'
  /** Writes a command that runs the suite with gap values. */
  readonly commandFor: (row: Configuration) => string
}

/** Returns the gap values to try: none of gaps that are set explicitly, or of those about what the spec doesn't promise. */
export function triedValues({ gap: set }: Pick<ServeSettings, 'gap'>): readonly GapValue[] {
  return otherValues(parseGaps(set)).filter(({ gap }) => {
    return !Object.hasOwn(set, gap) && !unpromisedGaps.includes(gap)
  })
}

/** Time limit of a run: a multiple of the longest baseline run, plus milliseconds. */
const patience = { times: 5, ms: 30_000 } as const

/** Searches for the hidden assumptions of a suite, several runs at a time. */
export async function searchAssumptions(
  suite: Suite,
  baseline: BaselineRuns,
  how: Pick<Assumptions, 'grade' | 'commandFor'> & {
    readonly values: readonly GapValue[]
    readonly progress: Progress
  },
): Promise<Assumptions> {
  const limitMs = baseline.ms * patience.times + patience.ms
  const slow: number[] = []
  const silent: number[] = []
  let runs = 0
  const atOnce = limitedTo(baseline)
  const show = (): void =>
    how.progress.show({ done: runs, left: undefined, jobs: baseline.jobs, unit: 'run' })
  const run = (row: Configuration): Promise<SuiteRun> =>
    atOnce(async () => {
      const [found] = await suite.run(row, { limitMs })
      runs++
      show()
      if (found.command.end === 'too slow') slow.push(found.number)
      if (found.requests === 0) silent.push(found.number)
      if (silent.length >= maxSilent) throw silentError(silent)
      return found
    })
  const search = new AssumptionSearch(how.values, run)
  let problem: CliError | undefined
  let isInterrupted = false
  try {
    show()
    await search.search()
  } catch (error) {
    if (error instanceof Interrupted) isInterrupted = true
    else if (error instanceof CliError) problem = error
    else throw error
  } finally {
    how.progress.clear()
  }
  const { found } = search
  const isFlaky = found.unsteady.includes(wholeSuite) && found.dependencies.length === 0
  problem ??= isFlaky ? flakyError(runs) : undefined
  return {
    ...{ found, tests: baseline.tests, runs, isInterrupted },
    ...{ grade: how.grade, commandFor: how.commandFor },
    notes: runNotes(baseline.areDisturbed, slow, suite.strays()),
    problem: problem?.message,
  }
}

/** Number of runs without a request that shows that something is wrong. */
const maxSilent = 2

function silentError(numbers: readonly number[]): CliError {
  return new CliError(
    `Cannot compare runs: ${numbers.join(' and ')} sent no request to their sandboxes, though others did; perhaps runs at the same time share files, a port or a server, or results are kept; use --jobs 1, and let each run start what it needs`,
    5,
  )
}

function flakyError(runs: number): CliError {
  return new CliError(
    `Cannot compare runs: the suite is flaky: in ${runs} runs it passed once and failed once with the same gap values; fix that first`,
    5,
  )
}

/** Writes remarks on the course of the runs. */
function runNotes(
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

/** Gaps whose other values only make a client wait for longer. */
const waitingGaps: readonly GapName[] = ['retryAfterPadding', 'banDuration', 'quotaWindow']

/** Returns the complaints about hidden assumptions, one for each gap, or for gaps that matter together. */
export function assumptionComplaints(result: Assumptions): readonly Complaint[] {
  const byGaps = grouped(result.found.dependencies, ({ row }) =>
    row.map(({ gap }) => gap).join(' and '),
  )
  return [...byGaps].map(([names, own]) => {
    const [{ row } = { row: [] }] = own
    const tests = [...new Set(own.map(({ test }) => nameOf(test)))]
    const isSlower = row.every(({ gap }) => waitingGaps.includes(gap))
    return {
      grade: isSlower ? 'info' : result.grade,
      what: names,
      text: `${failText(tests)} with ${valuesText(own)}. ${row.map(({ gap }) => openText(gap)).join(' ')}`,
      advice: isSlower
        ? 'With these values a client has to wait for longer, so the tests may only be too short: move the clock, or give them more time.'
        : `Pass with ${valuesText(own)}, too.`,
      command: result.commandFor(row),
      source: `spec ${clauseOf(row)}`,
    }
  })
}

/** Writes the values that make tests fail: `defaultStatus=none, pending or sold`. */
function valuesText(own: readonly Dependency[]): string {
  const [{ row } = { row: [] }] = own
  const parts = row.map(({ gap }) => {
    const values = own.flatMap((one) => one.row.filter((other) => other.gap === gap))
    const texts = [...new Set(values.map(({ value }) => String(formatValue(gap, value))))]
    const last = texts.at(-1) ?? ''
    return `${gap}=${texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`}`
  })
  return parts.join(' together with ')
}

function failText([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return `${first} fails`
  return `${first} and ${countText(others.length, 'more test')} fail`
}

function nameOf(test: string): string {
  return test === wholeSuite ? 'The suite' : `"${cut(test, maxMessage)}"`
}

/** Quotes what a gap leaves open. */
function openText(gap: GapName): string {
  return `Spec ${gaps[gap].spec} leaves open: ${gapDescriptions[gap].summary}`
}

/** Writes the clauses of the spec that leave these gaps open. */
function clauseOf(row: Configuration): string {
  return [...new Set(row.map(({ gap }) => gaps[gap].spec))].join(', ')
}

/** Writes the result of the search as a group of a report. */
export function assumptionGroup(result: Assumptions): ReportGroup {
  const notes = notesOf(result).map((text): ReportItem => {
    return { name: 'assumptions', level: 'warning', state: 'note', text }
  })
  return {
    ...groupOf('hidden assumptions', notes, summaryOf(result)),
    isSummed: notes.length === 0,
  }
}

function summaryOf({ found, tests, problem, runs, isInterrupted }: Assumptions): string {
  if (problem !== undefined) return `not known: ${problem}`
  const { dependencies, unaffected } = found
  const depending = new Set(dependencies.map(({ test }) => test)).size
  const who = tests === 0 ? 'the suite' : countText(tests, 'test')
  if (dependencies.length > 0) return tests === 0 ? 'in the suite' : `in ${depending} of ${who}`
  if (isInterrupted || unaffected.length === 0) return 'none found so far'
  return `none; with other values of ${unaffected.length} gaps, ${who} ${tests === 1 || tests === 0 ? 'passes' : 'pass'} (${countText(runs, 'run')})`
}

function notesOf({ found, notes, isInterrupted, problem }: Assumptions): readonly string[] {
  return [
    ...notes,
    isInterrupted && 'It was interrupted: there may be more hidden assumptions.',
    !found.isComplete &&
      !isInterrupted &&
      problem === undefined &&
      'It took too many runs, and was ended: there may be more hidden assumptions.',
    ...found.unsteady.map(
      (test) =>
        `${nameOf(test)} passed once and failed once with the same values: fix this flaky test first.`,
    ),
  ].filter((note) => note !== false)
}

/** Returns the part of a JSON report. */
export function assumptionsJson({ found, commandFor, problem }: Assumptions) {
  return {
    assumptions: found.dependencies.map(({ test, row }) => ({
      test: test === wholeSuite ? undefined : test,
      values: valuesByGap(row),
      source: `spec ${clauseOf(row)}`,
      reproduce: commandFor(row),
    })),
    gaps: { unaffected: found.unaffected },
    assumptionsProblem: problem,
  }
}
