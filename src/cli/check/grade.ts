import { wholeSuite } from '../../checks/assumptions/observation.ts'
import type { Finding } from '../../checks/audit/finding.ts'
import type { Rule } from '../../checks/audit/rule.ts'
import { rules } from '../../checks/audit/rules.ts'
import { moveClockAdvice, noTimePassed } from '../../checks/audit/waiting.ts'
import { countText, cut } from '../../checks/reports/text.ts'
import type { OperationName } from '../../mock/api/endpoints.ts'
import { spanText } from '../../mock/input/values.ts'
import { type BaselineRuns, failureText, maxMessage } from './baseline.ts'
import { type Condition, type ConditionName, conditions } from './conditions.ts'
import type { AbandonedRequest, ProvedFinding, RunResult } from './observer.ts'
import type { ConfigurationRun } from './suite.ts'

/**
 * Grades, the worst first: `fix` for a rule that was certainly broken, `review` for what needs a look, `info` for what
 * is good to know.
 */
export const grades = ['fix', 'review', 'info', 'passed', 'not-triggered', 'not-run'] as const

export type Grade = (typeof grades)[number]

/** Check with the operations that it is about. */
export interface ConditionRun {
  readonly name: ConditionName
  /** Empty for a condition of the whole suite. */
  readonly operations: readonly OperationName[]
}

/** Check after its run, or after several runs at once. */
export interface DoneRun extends ConditionRun {
  readonly runs: readonly [ConfigurationRun, ...ConfigurationRun[]]
  readonly seen: RunResult
  /** Number of requests that encountered the condition. */
  readonly met: number
  /** Requests whose client left before it had a response, if the check is about that. */
  readonly abandoned: readonly AbandonedRequest[]
}

/** Behaviour of a suite and its client when nothing goes wrong; further runs are compared with it. */
export interface Baseline extends BaselineRuns {
  readonly requests: number
  /** Whether the suite has several requests in flight at the same time, as parallel tests have. */
  readonly isParallel: boolean
  /** Maximum number of times that each request is sent in a run. */
  readonly sent: ReadonlyMap<string, number>
  readonly broken: ReadonlyMap<string, string>
  readonly operations: ReadonlySet<OperationName>
  /** Whether a page of another origin sends requests. */
  readonly isOfPage: boolean
  readonly findings: readonly ProvedFinding[]
}

/** Problem to fix or review. */
export interface Complaint {
  readonly grade: 'fix' | 'review'
  readonly what: string
  readonly text: string
  readonly advice: string
  readonly source: string
  /** Command that shows it; that of its checks by default. */
  readonly command?: string | undefined
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

/** Check with its grade. */
export interface GradedCondition extends ConditionRun {
  readonly grade: Grade
  /** Result of the suite and the reasons for the grade, in a few words. */
  readonly summary: string
  /** Result of the suite. */
  readonly suite: string
  readonly failure: Failure | undefined
  /** File with the output of a run that hasn't passed, if it could be saved. */
  readonly output: string | undefined
  /** Client's behaviour, as the sandbox has seen it. */
  readonly client: readonly string[]
  readonly complaints: readonly Complaint[]
}

/** Combines the results of the baseline runs. */
export function baselineOf(
  runs: BaselineRuns,
  [first, ...others]: readonly [RunResult, ...RunResult[]],
): Baseline {
  const all = [first, ...others]
  const sent = new Map<string, number>()
  for (const [request, count] of all.flatMap((one) => [...one.sent])) {
    sent.set(request, Math.max(count, sent.get(request) ?? 0))
  }
  return {
    ...runs,
    requests: Math.max(...all.map(({ requests }) => requests)),
    isParallel: all.some(({ isParallel }) => isParallel),
    sent,
    broken: new Map(all.flatMap(({ broken }) => [...broken])),
    operations: new Set(all.flatMap(({ operations }) => [...operations])),
    isOfPage: all.some(({ isOfPage }) => isOfPage),
    findings: first.findings,
  }
}

/**
 * Grades checks by the client's behaviour, and by whether the suite has passed.
 *
 * @param keep Saves the output of a run that hasn't passed, and returns the file.
 */
export function gradeConditions(
  all: readonly DoneRun[],
  baseline: Baseline,
  keep: (title: string, output: string) => string | undefined = () => undefined,
): readonly GradedCondition[] {
  const ended = all.map((done) => ({ done, end: suiteEnd(done.runs, baseline.tests) }))
  const failed = new Set<string>(
    ended.filter(({ end }) => end.kind !== 'green').map(({ done }) => done.name),
  )
  return ended.map(({ done, end }) => ({
    ...gradeCondition(done, end, baseline, { failed, all }),
    ...(end.kind === 'green'
      ? { failure: undefined, output: undefined }
      : { failure: failureOf(end.run), output: keep(titleOf(done), end.run.command.output) }),
  }))
}

/** Returns the name of a condition, with its operations. */
export function titleOf({ name, operations }: ConditionRun): string {
  return [name, ...operations].join(' ')
}

/** Ways in which a suite can end, the worst last. */
const ending = ['green', 'red', 'slow', 'exception', 'signal'] as const

/** End of a suite. */
interface SuiteEnd {
  readonly kind: (typeof ending)[number]
  readonly text: string
  /** Run that it is about. */
  readonly run: ConfigurationRun
}

/** @param tests Number of tests; 0 if single tests aren't known. */
function suiteEnd(
  runs: readonly [ConfigurationRun, ...ConfigurationRun[]],
  tests: number,
): SuiteEnd {
  const ends = runs.map((run) => runEnd(run, tests))
  const worst = ends.reduce((one, other) =>
    ending.indexOf(other.kind) > ending.indexOf(one.kind) ? other : one,
  )
  const bad = ends.filter(({ kind }) => kind !== 'green').length
  if (bad === 0 || runs.length === 1) return worst
  const verb = bad === 1 ? 'does' : 'do'
  return { ...worst, text: `${bad} of ${runs.length} runs ${verb} not pass: ${worst.text}` }
}

function runEnd(run: ConfigurationRun, tests: number): SuiteEnd {
  const { command, results } = run
  const { code, signal, end, ms, output } = command
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
  const uncaught = uncaughtIn(output)
  if (uncaught !== undefined) {
    return {
      kind: 'exception',
      text: `the suite ends with an uncaught ${cut(uncaught, maxMessage)}`,
      run,
    }
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

/** Lines that Node prints at the end of a process with an uncaught exception, and Vitest for one outside of tests. */
const uncaughtMarks =
  /^Node\.js v\d+\.\d+\.\d+\S*\s*$|\bUnhandled Rejection\b|\bUncaught Exception\b/m

/** Error as a runner prints it, but not a line of code, which Node shows above it: `Error.captureStackTrace(err)`. */
const errorLine = /^\s*(?:\[?cause\]?: )?(?:Uncaught )?((?:\w*Error|\w*Exception)\b(?![.(]).*)$/gm

/** Returns the uncaught exception in a runner's output. A failed assertion is the suite's own. */
function uncaughtIn(output: string): string | undefined {
  const mark = uncaughtMarks.exec(output)
  if (mark === null) return undefined
  const lines = [...output.matchAll(errorLine)]
  const isNode = mark[0].startsWith('Node.js')
  const near = isNode
    ? lines.findLast(({ index }) => index < mark.index)
    : lines.find(({ index }) => index > mark.index)
  const text = near?.[1]?.trim() ?? 'exception'
  return text.startsWith('AssertionError') ? undefined : text
}

/** Failed test in the Test Anything Protocol of Node's runner. */
const tapFailure = /^ *not ok \d+ - (.+)$/m

/** Maximum distance from the name of such a test to its error, in characters. */
const maxDetails = 2_000

function failureOf({ failure, report, command }: ConfigurationRun): Failure | undefined {
  if (failure !== undefined) return { ...failure, ...(report === undefined ? {} : { report }) }
  const [, test] = tapFailure.exec(command.output) ?? []
  if (test !== undefined) {
    const from = command.output.indexOf(test)
    const details = command.output.slice(from, from + maxDetails)
    const [, message = ''] = /^ *error: (?:\|-\n *)?(.+)$/m.exec(details) ?? []
    return { test, message: message.replace(/^'(.*)'$/, '$1') }
  }
  const [found] = command.output.matchAll(errorLine)
  return found === undefined ? undefined : { message: found[1]?.trim() ?? '' }
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

/** Facts about all checks, for one of them. */
interface OtherChecks {
  /** Checks with which the suite hasn't passed. */
  readonly failed: ReadonlySet<string>
  readonly all: readonly DoneRun[]
}

function gradeCondition(
  done: DoneRun,
  end: SuiteEnd,
  baseline: Baseline,
  { failed, all }: OtherChecks,
): Omit<GradedCondition, 'failure' | 'output'> {
  const { name, operations, seen } = done
  const check = conditions[name]
  const again = resentIn(seen, baseline, check.copies)
  const findings = newFindings(seen, check, baseline)
  const isShared = isSharedIn(done, baseline)
  const sure = sureFindings(done, baseline)
  const found = firstOfEach(sure.map(({ finding }) => complaintOf(finding)))
  const isRepeated = check.repeats !== undefined && failed.has(check.repeats)
  // A rule that was also broken where the suite passes doesn't explain why it fails here.
  const control = all.find((one) => one.name === check.repeats)
  const harmless = control === undefined ? [] : sureFindings(control, baseline)
  const causes = found.filter(({ what }) => harmless.every(({ finding }) => finding.rule !== what))
  const ofSuite = isRepeated ? [] : suiteComplaint(done, check, end, causes, baseline.tests > 0)
  const complaints = [
    ...found,
    ...ofSuite,
    ...clientComplaints(done, check, again.size > 0 && (!isShared || found.length > 0)),
  ]
  const unsure = findings.filter((one) => !sure.includes(one)).map(({ finding }) => finding.rule)
  const count = [...again.values()].reduce((sum, times) => sum + times, 0)
  const isWaiting = end.kind === 'slow' && count === 0 && seen.rejected > 0
  const acts = [
    againText(count),
    ...(isWaiting ? [`the client waits for Retry-After's ${spanText(seen.longestWaitMs)}`] : []),
    ...waitTexts(done, again),
    ...sharingTexts(done, check),
  ]
  const grade = gradeOf(complaints, end, done)
  return {
    name,
    operations,
    grade,
    summary: [end.text, ...whyTexts(grade, found, count, acts)].join('; '),
    suite: end.text,
    client: [
      ...acts,
      ...clientLines(done, check, baseline),
      ...stillLines(done, again),
      ...doubtLines(unsure),
    ],
    complaints,
  }
}

/** Returns whether parallel tests share the connections of a pool: one test needn't know the responses to another. */
function isSharedIn({ name }: DoneRun, { isParallel }: Baseline): boolean {
  return conditions[name].copies > 1 && isParallel
}

/** Returns the findings that are certainly about the client. */
function sureFindings(done: DoneRun, baseline: Baseline): readonly ProvedFinding[] {
  const check = conditions[done.name]
  const again = resentIn(done.seen, baseline, check.copies)
  const isShared = isSharedIn(done, baseline)
  return newFindings(done.seen, check, baseline).filter(
    (one) =>
      isSure(one, again) && (!isShared || !needsKnowledge(one) || isOfOneTest(one, baseline)),
  )
}

/** Returns the requests that were retried, and how much more often than the suite itself sends them. */
export function resentIn(
  { sent }: RunResult,
  baseline: Baseline,
  copies: number,
): ReadonlyMap<string, number> {
  const more = [...sent].map(([request, count]): [string, number] => [
    request,
    count - Math.max(baseline.sent.get(request) ?? 0, 1) * copies,
  ])
  return new Map(more.filter(([, count]) => count > 0))
}

/** Returns findings that the baseline doesn't have, and that the check doesn't cause itself. */
function newFindings(
  seen: RunResult,
  check: Condition,
  baseline: Baseline,
): readonly ProvedFinding[] {
  const counts = ({ finding: { severity } }: ProvedFinding): boolean => severity !== 'info'
  const known = baseline.findings.filter(counts).map(({ finding }) => finding.rule)
  const skipped = new Set([...known, ...check.expected])
  return seen.findings.filter(
    (one) =>
      (counts(one) || check.proves.includes(one.finding.rule)) && !skipped.has(one.finding.rule),
  )
}

const ruleTable: Readonly<Record<string, Rule | undefined>> = rules

/**
 * Whether a finding is certainly about the client. A rule that needs an earlier warning counts only if the request was
 * retried: else the next test may have sent it, without knowing of that warning.
 */
function isSure(found: ProvedFinding, resent: ReadonlyMap<string, number>): boolean {
  return !needsKnowledge(found) || found.proof.slice(1).some((request) => resent.has(request))
}

/**
 * Returns whether one of several parallel tests sent all requests that show a finding: they are the same request, which
 * the suite itself sends once.
 */
function isOfOneTest({ proof }: ProvedFinding, { sent }: Baseline): boolean {
  const [first = '', ...others] = proof
  return others.every((request) => request === first) && (sent.get(first) ?? 0) <= 1
}

function needsKnowledge({ finding: { rule } }: ProvedFinding): boolean {
  return ruleTable[rule]?.requiresWarning === true
}

/** Returns the complaint for a finding. */
export function complaintOf(
  { rule, severity, message, advice, source }: Finding,
  proof = '',
): Complaint {
  const grade = severity === 'error' ? 'fix' : 'review'
  return { grade, what: rule, text: message + proof, advice, source: source }
}

/** Returns the worst complaint of each rule. */
function firstOfEach(all: readonly Complaint[]): readonly Complaint[] {
  return all.filter((one) => {
    const alike = all.filter(({ what }) => what === one.what)
    return one === (alike.find(({ grade }) => grade === 'fix') ?? alike[0])
  })
}

/** @param here Observation in this check. */
function complaintIn(done: DoneRun, grade: Complaint['grade'], here: string): Complaint {
  const { description, advice, spec } = conditions[done.name]
  return {
    grade,
    what: titleOf(done),
    text: `${description} ${here}`,
    advice,
    source: `spec ${spec}`,
  }
}

/**
 * Returns the complaint about a suite that hasn't passed, unless a broken rule explains it.
 *
 * @param found Complaints that may explain it.
 * @param hasTests Whether single tests are known: else a script may have thrown on purpose, as its way to fail.
 */
function suiteComplaint(
  done: DoneRun,
  check: Condition,
  { kind, text }: SuiteEnd,
  found: readonly Complaint[],
  hasTests: boolean,
): readonly Complaint[] {
  const here = `Here ${text}.`
  if (kind === 'signal') return [complaintIn(done, 'fix', here)]
  if (kind === 'exception') return [complaintIn(done, hasTests ? 'fix' : 'review', here)]
  if (kind === 'green' || check[kind] === 'info') return []
  // A client that is still waiting is reported elsewhere; one that closed the connection has a time limit.
  if (kind === 'slow' && check.isSilent) return []
  return found.some(({ grade }) => grade === 'fix') ? [] : [complaintIn(done, 'review', here)]
}

/**
 * Returns complaints about a client that has broken no rule.
 *
 * @param hasResent Whether it retried requests: else a ban may only be due to the tests that followed.
 */
function clientComplaints(
  done: DoneRun,
  check: Condition,
  hasResent: boolean,
): readonly Complaint[] {
  const waiting = done.abandoned.find(({ isWaitingAtEnd }) => isWaitingAtEnd)
  const here = waiting && `Here ${waitText(waiting, false)}, for ${waiting.call}.`
  const isBanned = check.copies > 1 && done.seen.isBanned && hasResent
  const ban = isBanned ? 'It ended in a ban of the key.' : undefined
  return [here, ban].flatMap((text) => (text ? [complaintIn(done, 'review', text)] : []))
}

function gradeOf(complaints: readonly Complaint[], { kind }: SuiteEnd, { met }: DoneRun): Grade {
  if (complaints.some(({ grade }) => grade === 'fix')) return 'fix'
  if (complaints.length > 0) return 'review'
  if (met === 0 && kind === 'green') return 'not-triggered'
  return kind === 'green' ? 'passed' : 'info'
}

/**
 * @param rules Complaints about broken rules.
 * @param again Number of requests that were retried.
 * @param acts Client's behaviour.
 */
function whyTexts(
  grade: Grade,
  rules: readonly Complaint[],
  again: number,
  [, ...acts]: readonly string[],
): readonly string[] {
  if (grade === 'not-triggered') return ['the client never met it']
  if (rules.length > 0) return [...acts, rules.map(({ what }) => what).join(', ')]
  return again > 0 || grade === 'info' ? [...acts, againText(again)] : acts
}

function againText(count: number): string {
  if (count === 0) return 'no request was retried'
  return `${countText(count, 'request')} ${count === 1 ? 'was' : 'were'} retried`
}

/** Describes how the client's waits for missing responses have ended. */
function waitTexts({ abandoned }: DoneRun, resent: ReadonlyMap<string, number>): readonly string[] {
  const calls = [...resent.keys()]
  const texts = abandoned.map((one) => {
    const isResent = calls.some((request) => request.startsWith(`${one.call} `))
    return waitText(one, isResent)
  })
  return [...new Set(texts)]
}

/** @param isResent Whether the client retried the request. */
function waitText({ isWaitingAtEnd, waitedMs }: AbandonedRequest, isResent: boolean): string {
  if (isWaitingAtEnd) return 'the client was still waiting when the process ended'
  const closed = `the client closed the connection after ${spanText(waitedMs)}`
  return isResent ? `${closed}, and tried again` : closed
}

/** Maximum distance of simultaneous retries, in milliseconds. */
const stepMs = 100

/** Describes runs that shared a key. */
function sharingTexts({ seen }: DoneRun, { copies }: Condition): readonly string[] {
  if (copies === 1 || seen.rejected === 0) return []
  const inStep = maxWithin(seen.comebacks, stepMs)
  return [
    `${countText(seen.rejected, 'request')} rejected`,
    ...(inStep < 2 ? [] : [`${inStep} of them back within ${stepMs / 1_000} s of each other`]),
    seen.isBanned ? 'the key is banned' : 'no ban',
  ]
}

/** Returns the maximum number of instants within a period. */
function maxWithin(instants: readonly number[], ms: number): number {
  const counts = instants.map((at) => instants.filter((one) => one >= at && one < at + ms).length)
  return Math.max(0, ...counts)
}

function clientLines(
  { seen }: DoneRun,
  { copies }: Condition,
  baseline: Baseline,
): readonly string[] {
  const broken = [...seen.broken].filter(([call, end]) => baseline.broken.get(call) !== end)
  const calls = broken.map(([call, end]) => `${call} (${end})`)
  return [
    `${countText(seen.requests, 'request')}, ${baseline.requests * copies} in the baseline`,
    ...(calls.length === 0 ? [] : [`rejected: ${listed(calls)}`]),
  ]
}

/** Returns remarks on retries without any pause, as tests may replace the client's sleep. */
function stillLines({ seen }: DoneRun, resent: ReadonlyMap<string, number>): readonly string[] {
  const found = seen.findings.find(
    (one) =>
      one.finding.rule === 'retry-too-early' &&
      one.finding.severity === 'info' &&
      one.finding.message.includes(noTimePassed) &&
      isSure(one, resent),
  )
  return found === undefined ? [] : [`${noTimePassed}; ${moveClockAdvice}`]
}

function doubtLines(rules: readonly string[]): readonly string[] {
  if (rules.length === 0) return []
  const names = [...new Set(rules)].join(', ')
  return [`not held against it, since the next test may have sent the request: ${names}`]
}

/** Maximum number of names in a list. */
const maxListed = 2

/** Lists the first names, and the number of the others. */
function listed(names: readonly string[]): string {
  const rest = names.length - maxListed
  const shown = names.slice(0, maxListed).join(', ')
  return rest > 0 ? `${shown} and ${rest} more` : shown
}
