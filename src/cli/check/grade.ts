import type { Finding } from '../../checks/audit/finding.ts'
import type { Rule } from '../../checks/audit/rule.ts'
import { rules } from '../../checks/audit/rules.ts'
import { countText, timesText } from '../../checks/reports/text.ts'
import type { OperationName } from '../../mock/api/endpoints.ts'
import { spanText } from '../../mock/input/values.ts'
import type { BaselineRuns } from './baseline.ts'
import { type Complaint, type Grade, gradeOf, grades } from './complaint.ts'
import { type ConditionName, conditions, mostRetried } from './conditions.ts'
import type { AbandonedRequest, ClientBehaviour, ProvedFinding } from './observer.ts'
import { resultComplaints } from './results.ts'
import type { SuiteRun } from './suite.ts'
import { type Failure, failureOf, listed, type SuiteEnd, suiteEnd } from './suite-end.ts'

/** Failure condition, for one operation or for the whole suite. */
export interface ChosenCondition {
  readonly name: ConditionName
  readonly operation: OperationName | undefined
}

/** Condition after its run. */
export interface TriedCondition extends ChosenCondition {
  /** Several for a condition with copies of the suite. */
  readonly runs: readonly [SuiteRun, ...SuiteRun[]]
  readonly seen: ClientBehaviour
  /** Requests whose client left before it had a response, if the condition is about that. */
  readonly abandoned: readonly AbandonedRequest[]
}

/** Behaviour of a suite and its client when nothing goes wrong; further runs are compared with it. */
export interface Baseline extends BaselineRuns {
  /** Whether requests reached the sandbox of the check, and not only sandboxes in the tests' own processes. */
  readonly isServed: boolean
  readonly requests: number
  /** Maximum number of times that each request is sent to a sandbox. */
  readonly sent: ReadonlyMap<string, number>
  readonly broken: ReadonlyMap<string, string>
  readonly operations: ReadonlySet<OperationName>
  readonly findings: readonly ProvedFinding[]
}

/** Condition with its result. */
export interface GradedCondition extends ChosenCondition {
  /** Worst grade of its complaints; without one, `passed`, or `not-met` if the client never came into it. */
  readonly state: Grade | 'passed' | 'not-met' | 'not-run'
  /** Result in a few words. */
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
  [first, ...others]: readonly [ClientBehaviour, ...ClientBehaviour[]],
): Omit<Baseline, 'isServed'> {
  const all = [first, ...others]
  const sent = new Map<string, number>()
  const sandboxes = all.flatMap((one) => one.sandboxes)
  for (const [request, count] of sandboxes.flatMap((one) => [...one.sent])) {
    sent.set(request, Math.max(count, sent.get(request) ?? 0))
  }
  return {
    ...runs,
    requests: Math.max(...all.map(({ requests }) => requests)),
    sent,
    broken: new Map(all.flatMap(({ broken }) => [...broken])),
    operations: new Set(all.flatMap(({ operations }) => [...operations])),
    findings: first.findings,
  }
}

/** Returns the name of a condition, with its operation. */
export function titleOf({ name, operation }: ChosenCondition): string {
  return operation === undefined ? name : `${name} ${operation}`
}

/**
 * Grades a condition by what the client did, and by whether the suite has passed.
 *
 * @param keep Saves the output of a run that hasn't passed, and returns the file.
 */
export function gradeCondition(
  done: TriedCondition,
  baseline: Baseline,
  keep: (title: string, output: string) => string | undefined = () => undefined,
): GradedCondition {
  const end = suiteEnd(done.runs, baseline)
  const again = resentIn(done, baseline)
  const ofClient = [
    ...clientComplaints(done, again, baseline),
    ...resultComplaints(done.runs, done.seen),
  ]
  const complaints = [...ofClient, ...suiteComplaints(done, end, { others: ofClient, baseline })]
  const worst = grades.find((grade) => complaints.some((one) => one.grade === grade))
  const acts = actsOf(done, end, again)
  const causes = [...new Set(complaints.map(({ what }) => what))]
  return {
    name: done.name,
    operation: done.operation,
    state: worst ?? (done.seen.met === 0 ? 'not-met' : 'passed'),
    summary: [
      end.text,
      ...(done.seen.met === 0 ? ['the client never met it'] : acts),
      ...(causes.length === 0 ? [] : [causes.join(', ')]),
    ].join('; '),
    suite: end.text,
    client: [...acts, ...requestTexts(done, baseline)],
    complaints,
    ...(end.kind === 'green'
      ? { failure: undefined, output: undefined }
      : { failure: failureOf(end.run), output: keep(titleOf(done), end.run.command.output) }),
  }
}

/** Returns how much more often than in the baseline requests were sent, by their texts. */
function resentIn({ name, seen }: TriedCondition, { sent }: Baseline): ReadonlyMap<string, number> {
  const again = new Map<string, number>()
  for (const [request, count] of seen.sandboxes.flatMap((one) => [...one.sent])) {
    const more = count - usualCount(name, sent, request)
    if (more > 0) again.set(request, (again.get(request) ?? 0) + more)
  }
  return again
}

/** Returns how often the suite itself sends a request to a sandbox, with all of its copies. */
function usualCount(name: ConditionName, sent: Baseline['sent'], request: string): number {
  return Math.max(sent.get(request) ?? 0, 1) * conditions[name].copies
}

/** Returns the complaints about what the sandbox has seen of the client. */
function clientComplaints(
  done: TriedCondition,
  again: ReadonlyMap<string, number>,
  baseline: Baseline,
): readonly Complaint[] {
  const { name, seen, abandoned } = done
  const { advice, copies } = conditions[name]
  const early = earlyComplaints(done, baseline)
  const repeated = repeatedComplaints(done, baseline)
  const found = newFindings(done, again, baseline)
    .filter(({ rule }) => early.length === 0 || !earlyRules.includes(rule))
    .filter(({ rule }) => repeated.every(({ what }) => what !== rule))
    .map((one) => complaintOf(one))
  const waiting = abandoned.find((one) => isEndless(one, done))
  const isBanned = copies > 1 && seen.isBanned && again.size > 0
  return [
    ...early,
    ...repeated,
    ...found,
    ...(waiting === undefined
      ? []
      : [
          complaintIn(done, {
            what: 'waits without limit',
            text: `The client waited for ${waiting.call} until its time was over, after ${spanText(waiting.waitedMs)}.`,
            advice,
          }),
        ]),
    ...(isBanned
      ? [
          complaintIn(done, {
            what: `bans the key under ${name}`,
            text: 'The key was banned.',
            advice,
          }),
        ]
      : []),
  ]
}

/**
 * Rules about requests that come too early: the same after a ban, the same after another rejection, and others, which
 * the next test may send, however late the machine runs it.
 */
const earlyRules: readonly ['request-while-banned', 'retry-too-early', ...string[]] = [
  'request-while-banned',
  'retry-too-early',
  'request-while-limited',
]

/** Excuse of tests whose client doesn't wait. */
const moveClock = "If the tests replace the sleep, let them move the sandbox's clock."

/**
 * Returns the complaints about requests that came back before Retry-After had passed. The suite's run without the
 * condition proves that the client sent them again: of all its requests with this text, the first isn't early, and so
 * at most one less than the suite sends itself can be early by chance; one more if a client hedges, which sends another
 * beside a slow one.
 */
function earlyComplaints({ name, seen }: TriedCondition, { sent }: Baseline): readonly Complaint[] {
  const found = seen.sandboxes.flatMap((own) =>
    [...own.early].flatMap(([request, retries]) => {
      const usual = usualCount(name, sent, request)
      const count = own.sent.get(request) ?? 0
      const knowing = retries.filter(({ isKnowing }) => isKnowing).length
      if (count <= usual || (knowing < usual && retries.length <= usual)) return []
      const shortest = retries.reduce((one, other) => (other.pauseMs < one.pauseMs ? other : one))
      return { ...shortest, usual, count }
    }),
  )
  return [true, false].flatMap((isBan) => {
    const worst = found.find((one) => one.isBan === isBan)
    if (worst === undefined) return []
    const { call, count, usual, pauseMs, status, retryAfter } = worst
    const what = isBan ? earlyRules[0] : earlyRules[1]
    const { advice, source } = rules[what]
    return {
      grade: 'fix',
      what,
      text: `Sent ${call} ${timesText(count)}, which the suite itself sends ${timesText(usual)}: ${spanText(pauseMs)} after a ${status} with Retry-After: ${retryAfter}. ${moveClock}`,
      advice,
      source,
    }
  })
}

/**
 * Returns the complaint about a request that was sent much more often than by the suite itself, though it failed each
 * time. That needs no pauses, which depend on the load of the machine.
 */
function repeatedComplaints(
  { name, seen }: TriedCondition,
  { sent }: Baseline,
): readonly Complaint[] {
  const { repeats } = conditions[name]
  if (repeats === undefined) return []
  const found = seen.sandboxes.flatMap(({ met }) =>
    [...met].flatMap(([request, count]) => {
      const usual = usualCount(name, sent, request)
      return count < repeats.times * usual ? [] : { request, count, usual }
    }),
  )
  const [one] = found.toSorted((first, second) => second.count - first.count)
  if (one === undefined) return []
  const { advice, source } = rules[repeats.rule]
  const [method = '', url = ''] = one.request.split(' ')
  return [
    {
      grade: repeats.grade,
      what: repeats.rule,
      text: `Sent ${method} ${url} ${timesText(one.count)}, which the suite itself sends ${timesText(one.usual)}, though it failed each time.`,
      advice,
      source,
    },
  ]
}

const ruleTable: Readonly<Record<string, Rule | undefined>> = rules

/**
 * Returns the worst finding of each rule that the baseline doesn't have, and that the condition doesn't cause itself. A
 * rule that needs an earlier warning counts only if the request was sent again: else the next test may have sent it,
 * without knowing of that warning.
 */
function newFindings(
  { name, seen }: TriedCondition,
  again: ReadonlyMap<string, number>,
  baseline: Baseline,
): readonly Finding[] {
  const { copies, expected } = conditions[name]
  const counts = ({ finding: { severity } }: ProvedFinding): boolean => severity !== 'info'
  const known = baseline.findings.filter(counts).map(({ finding }) => finding.rule)
  const skipped = new Set<string>([...known, ...expected])
  const isSure = ({ finding, proof }: ProvedFinding): boolean => {
    if (ruleTable[finding.rule]?.requiresWarning !== true) return true
    return copies === 1 && proof.slice(1).some((request) => again.has(request))
  }
  const found = seen.findings
    .filter((one) => counts(one) && !skipped.has(one.finding.rule) && isSure(one))
    .map(({ finding }) => finding)
  return found.filter((one) => {
    const alike = found.filter(({ rule }) => rule === one.rule)
    return one === (alike.find(({ severity }) => severity === 'error') ?? alike[0])
  })
}

/** Returns the complaint for a finding. */
export function complaintOf(
  { rule, severity, message, advice, source }: Finding,
  proof = '',
): Complaint {
  return { grade: gradeOf[severity], what: rule, text: message + proof, advice, source }
}

/** Returns a complaint to review that a condition shows. */
function complaintIn(
  { name }: ChosenCondition,
  { what, text, advice }: Pick<Complaint, 'what' | 'text' | 'advice'>,
): Complaint {
  const { description, spec } = conditions[name]
  return { grade: 'review', what, text: `${description} ${text}`, advice, source: `spec ${spec}` }
}

/** Advice for a script without a test runner. */
const scriptAdvice =
  'Decide whether it should: a script that copes catches the error, prints what went wrong, and ends with 0.'

/** Returns the complaint about a suite that hasn't passed; `others` may explain it. */
function suiteComplaints(
  done: TriedCondition,
  { kind, text, run }: SuiteEnd,
  {
    others,
    baseline,
  }: { readonly others: readonly Complaint[]; readonly baseline: Pick<Baseline, 'requests'> },
): readonly Complaint[] {
  const { advice, mustPass, mayBeLong, isSilent, isLasting } = conditions[done.name]
  const here = `Here ${text}.`
  const crash = (what: string): Complaint => ({
    ...complaintIn(done, { what, text: here, advice }),
    grade: 'fix',
  })
  if (kind === 'signal') return [crash('crash')]
  if (kind === 'uncaught') return [crash('uncaught error')]
  if (kind === 'green' || others.some(({ grade }) => grade === 'fix')) return []
  const review = (what: string, how = advice): readonly Complaint[] => [
    complaintIn(done, { what, text: here, advice: how }),
  ]
  // A client that is still waiting is reported elsewhere; one that closed the connection has a time limit.
  const isExcused = mayBeLong || isSilent || (isLasting && baseline.requests > mostRetried)
  if (kind === 'slow') return isExcused ? [] : review('does not end in time')
  if (mustPass) return review(`fails under ${done.name}`)
  // The results of a script say which error its calls ended with.
  const hasResults = run.calls.some(({ error }) => error !== undefined)
  return kind === 'error' && !hasResults ? review('ends with an error', scriptAdvice) : []
}

/**
 * Message of a test runner whose test took too long: of Vitest, Jest, Playwright, node:test, Mocha. A client's own limit
 * may be called a timeout, too: "timeout of 5000ms exceeded" is Axios's.
 */
const timedOutTest =
  /\b(?:timed out in|Exceeded timeout of|(?:Test|hook) timeout of|test timed out after) \d+ ?ms\b|\bTimeout of \d+ms exceeded\. For async/

/** Returns whether a client waited until the run was ended, or until its test runner gave up. */
function isEndless({ isOpen }: AbandonedRequest, { runs }: TriedCondition): boolean {
  return runs.some(({ command }) =>
    command.end === 'too slow' ? isOpen : timedOutTest.test(command.output),
  )
}

/** Describes what the client did. */
function actsOf(
  done: TriedCondition,
  { kind }: SuiteEnd,
  again: ReadonlyMap<string, number>,
): readonly string[] {
  const { name, seen, abandoned } = done
  const count = [...again.values()].reduce((sum, times) => sum + times, 0)
  const isWaiting = kind === 'slow' && count === 0 && seen.longestWaitMs > 0
  const calls = [...again.keys()]
  const waits = abandoned.map((one) => {
    const left = `after ${spanText(one.waitedMs)}`
    if (isEndless(one, done)) return `the client was still waiting ${left}`
    const isResent = calls.some((request) => request.startsWith(`${one.call} `))
    return `the client closed the connection ${left}${isResent ? ', and tried again' : ''}`
  })
  return [
    ...(count === 0
      ? []
      : [`${countText(count, 'request')} ${count === 1 ? 'was' : 'were'} sent again`]),
    ...(isWaiting
      ? [`the client was still waiting; Retry-After said ${spanText(seen.longestWaitMs)}`]
      : []),
    ...new Set(waits),
    ...(conditions[name].copies === 1 || seen.rejected === 0
      ? []
      : [
          `${countText(seen.rejected, 'request')} rejected`,
          seen.isBanned ? 'the key is banned' : 'no ban',
        ]),
  ]
}

function requestTexts({ name, seen }: TriedCondition, baseline: Baseline): readonly string[] {
  const broken = [...seen.broken].filter(([call, end]) => baseline.broken.get(call) !== end)
  const calls = broken.map(([call, end]) => `${call} (${end})`)
  const { copies } = conditions[name]
  return [
    `${countText(seen.requests, 'request')}, ${baseline.requests * copies} in the baseline`,
    ...(calls.length === 0 ? [] : [`rejected: ${listed(calls)}`]),
  ]
}
