import { wholeSuite } from '../../checks/assumptions/assumption-search.ts'
import { cut } from '../../checks/reports/text.ts'
import { spanText } from '../../mock/input/values.ts'
import type { TestFailure } from './read-junit.ts'
import type { SuiteRun } from './suite.ts'

/**
 * Ways in which a suite can end, the worst last: tests failed, a script ended with an error, it was still running when
 * its time was over, a test runner reported an error that nothing caught, a signal ended it.
 */
const ending = ['green', 'red', 'error', 'slow', 'uncaught', 'signal'] as const

/** End of a suite. */
export interface SuiteEnd {
  readonly kind: (typeof ending)[number]
  readonly text: string
  /** Run that it is about. */
  readonly run: SuiteRun
}

/** Facts about a suite's tests, from its baseline runs. */
export interface SuiteTests {
  /** Number of tests; 0 if single tests aren't known. */
  readonly tests: number
  /** Whether a test runner runs them; otherwise the command is a script, which fails by ending with an error. */
  readonly isRunner: boolean
}

/** Returns the worst end of several runs at once. */
export function suiteEnd(runs: readonly [SuiteRun, ...SuiteRun[]], suite: SuiteTests): SuiteEnd {
  const ends = runs.map((run) => runEnd(run, suite))
  const worst = ends.reduce((one, other) =>
    ending.indexOf(other.kind) > ending.indexOf(one.kind) ? other : one,
  )
  const bad = ends.filter(({ kind }) => kind !== 'green').length
  if (bad === 0 || runs.length === 1) return worst
  const verb = bad === 1 ? 'does' : 'do'
  return { ...worst, text: `${bad} of ${runs.length} runs ${verb} not pass: ${worst.text}` }
}

function runEnd(run: SuiteRun, { tests, isRunner }: SuiteTests): SuiteEnd {
  const { command, results } = run
  const { code, signal, end, ms } = command
  if (end !== 'by itself') {
    const text = `the suite was still running after ${spanText(ms)}, and was ended`
    return { kind: 'slow', text, run }
  }
  const failed = [...results].filter(([, result]) => result === 'failed').map(([test]) => test)
  if (code === 0 && failed.length === 0) {
    const text = tests === 0 ? 'the suite passes' : `all ${tests} tests pass`
    return { kind: 'green', text, run }
  }
  if (signal !== undefined) return { kind: 'signal', text: `the suite crashes by ${signal}`, run }
  if (!isRunner) {
    const text = `the script ends with an error: ${cut(errorText(command), maxMessage)}`
    return { kind: 'error', text, run }
  }
  const uncaught = uncaughtIn(command)
  if (uncaught !== undefined) {
    const text = `the suite ends with an uncaught ${cut(uncaught, maxMessage)}`
    return { kind: 'uncaught', text, run }
  }
  const named = failed.filter((test) => test !== wholeSuite)
  if (named.length === 0) {
    return { kind: 'red', text: `the suite fails, with exit code ${code}`, run }
  }
  if (named.length === tests) return { kind: 'red', text: `all ${tests} tests fail`, run }
  const verb = named.length === 1 ? 'fails' : 'fail'
  const text = `${named.length} of ${tests} tests ${verb}: ${listed(named)}`
  return { kind: 'red', text, run }
}

/** Maximum number of names in a list. */
const maxListed = 2

/** Lists the first names, and the number of the others. */
export function listed(names: readonly string[]): string {
  const rest = names.length - maxListed
  const shown = names.slice(0, maxListed).join(', ')
  return rest > 0 ? `${shown} and ${rest} more` : shown
}

/** Lines in which test runners count tests: of node:test, Jest, Vitest, Mocha, pytest, Playwright, Go, Maven, Cargo. */
const testCounts =
  /^(?:\[INFO\])?\W*(?:tests?:?\s+\d|tests run: \d|ran \d+ tests?\b|\d+ (?:tests? )?(?:passed|passing|pass\b|examples?)|test result: |passed!|build success|ok \(\d|PASS\b|ok\s+\S+\s+[\d.]+s)/im

/** Returns whether the output of a command is that of a test runner. */
export function isOfRunner(output: string): boolean {
  return testCounts.test(output)
}

/** Lines that Node prints at the end of a process with an uncaught exception, and Vitest for one outside of tests. */
const uncaughtMarks =
  /^Node\.js v\d+\.\d+\.\d+\S*\s*$|\bUnhandled Rejection\b|\bUncaught Exception\b/m

/** Returns the error outside of all tests that a test runner reports. A failed assertion is the suite's own. */
function uncaughtIn({ output, code }: SuiteRun['command']): string | undefined {
  const mark = uncaughtMarks.exec(output)
  if (mark === null) return undefined
  // Node's mark is the last line.
  const errorOutput = mark[0].startsWith('Node.js') ? output : output.slice(mark.index)
  const text = errorText({ errorOutput, code })
  return text.startsWith('AssertionError') ? undefined : text
}

/** Lines with the error that ended a process, in the dumps of several languages, the most telling first. */
const errorLines: readonly RegExp[] = [
  // Java; Go.
  /^Exception in thread "[^"]*" (.+)$/gm,
  /^(panic: .+)$/gm,
  // Python: the line after the indented ones.
  /^Traceback \(most recent call last\):\n(?:[ \t].*\n)+(\S.*)$/gm,
  // JavaScript: at the beginning of a line, since properties and causes are indented.
  /^(?:Uncaught )?((?:\w+\.)*(?:[A-Z]\w*)?(?:Error|Exception)\b(?![.(]).*)$/gm,
]

/** Error as test runners print it. */
const indentedError =
  /^(?:E\s)?\s*\[?((?:\w+\.)*(?:[A-Z]\w*)?(?:Error|Exception)\b(?![.(]).*?)\]?$/m

/** Lines at the end of standard error that don't name an error. */
const noise = /^(?:\s|[)}\]]|Node\.js v|npm (?:error|ERR!)|exit status \d)|^$/

/** Returns the error that ended a process: a line of its dump, else the last line of standard error. */
export function errorText({
  errorOutput,
  code,
}: Pick<SuiteRun['command'], 'errorOutput' | 'code'>): string {
  const found = errorLines.flatMap((pattern) => [...errorOutput.matchAll(pattern)].slice(-1))
  const [, line] = found[0] ?? indentedError.exec(errorOutput) ?? []
  const last = errorOutput.split('\n').findLast((text) => !noise.test(text))
  return (line ?? last ?? `exit code ${code}`).replace(/ \{$/, '').trim()
}

/** Maximum length of a failure's message in a report, since some contain a whole page. */
export const maxMessage = 120

/** Names a failed test with its runner's message. */
export function failureText({ test, message }: TestFailure): string {
  const name = cut(test, maxMessage)
  return message === '' ? name : `${name} (${cut(message, maxMessage)})`
}

/** Known facts about why a suite hasn't passed. */
export interface Failure {
  /** First test that failed, if single tests are known. */
  readonly test?: string
  /** Message of its runner; `''` if there is none. */
  readonly message: string
  /** File with the results of its tests. */
  readonly report?: string
}

/** Failed test in the Test Anything Protocol of Node's runner. */
const tapFailure = /^ *not ok \d+ - (.+)$/m

/** Maximum distance from the name of such a test to its error, in characters. */
const maxDetails = 2_000

/** Returns the first failure of a run, as far as its report or its output names one. */
export function failureOf({ failure, report, command }: SuiteRun): Failure {
  if (failure !== undefined) return { ...failure, ...(report === undefined ? {} : { report }) }
  const [, test] = tapFailure.exec(command.output) ?? []
  if (test === undefined) {
    return { message: errorText({ ...command, errorOutput: command.output }) }
  }
  const from = command.output.indexOf(test)
  const details = command.output.slice(from, from + maxDetails)
  const [, message = ''] = /^ *error: (?:\|-\n *)?(.+)$/m.exec(details) ?? []
  return { test, message: message.replace(/^'(.*)'$/, '$1') }
}

/**
 * Describes the first test that failed, and its message.
 *
 * @param output File with the whole message, if there is no report.
 */
export function firstFailureText({ test, message, report }: Failure, output?: string): string {
  const what = test === undefined ? cut(message, maxMessage) : failureText({ test, message })
  const rest = report ?? (message.length > maxMessage ? output : undefined)
  return rest === undefined ? what : `${what}, in ${rest}`
}
