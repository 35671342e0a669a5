import type { Finding } from '../../audit/finding.ts'
import type { Rule } from '../../audit/rule.ts'
import { rules } from '../../audit/rules.ts'
import type { OperationName } from '../../contract/endpoints.ts'
import type { RowRun } from '../explore/suite/suite-runner.ts'
import type { Paper, Weight } from './papers/paper.ts'
import type { RunPaperName } from './papers/paper-names.ts'
import { papers } from './papers/papers.ts'
import { listed, type SuiteEnd, suiteEnd } from './suite-end.ts'
import { resentIn, type Usual } from './usual.ts'
import type { ProvedFinding, RequestDigest, Testimony } from './witness.ts'

/** How well a client did, the worst first: a rule that was proved broken, what should be looked at, what is good to know. */
export const grades = ['mend', 'look', 'noted', 'passed', 'not met', 'not run'] as const

export type Grade = (typeof grades)[number]

/** A paper, and the operation that it is about if there is one for each. */
export interface PaperOf {
  readonly name: RunPaperName
  readonly operation: OperationName | undefined
}

/** A paper after its run. */
export interface SatPaper extends PaperOf {
  readonly run: RowRun
  readonly seen: Testimony
}

/** What is to be mended or looked at, and where it was seen. */
export interface Complaint {
  readonly grade: 'mend' | 'look'
  readonly what: string
  readonly text: string
  readonly advice: string
  readonly clause: string
  /** The command that shows it; that of its papers by default. */
  readonly command?: string
}

/** A paper with its grade. */
export interface GradedPaper extends PaperOf {
  readonly grade: Grade
  /** In few words: what became of the suite, and why it is graded so. */
  readonly brief: string
  /** What became of the suite. */
  readonly suite: string
  /** What the client did, as the sandbox has seen it. */
  readonly client: readonly string[]
  readonly complaints: readonly Complaint[]
}

/** Grades papers by what the client did, and by whether the suite has passed. */
export function gradePapers(all: readonly SatPaper[], usual: Usual): readonly GradedPaper[] {
  const failed = all.filter((sat) => suiteEnd(sat.run, usual.tests).kind !== 'green')
  const names = new Set<string>(failed.map(({ name }) => name))
  return all.map((sat) => gradePaper(sat, usual, names))
}

/** @param failed The papers with which the suite hasn't passed. */
function gradePaper(sat: SatPaper, usual: Usual, failed: ReadonlySet<string>): GradedPaper {
  const { name, operation, run, seen } = sat
  const paper = papers[name]
  const suite = suiteEnd(sat.run, usual.tests)
  const again = resentIn(seen, usual)
  const resent = new Set(again.keys())
  const findings = newFindings(seen, paper, usual)
  const sure = findings.filter((one) => isSure(one, resent))
  const found = firstOfEach(sure.map(complaintOf))
  const isRepeated = paper.repeats !== undefined && failed.has(paper.repeats)
  const ofSuite = isRepeated ? [] : suiteComplaint(sat, paper, suite, found)
  const complaints = [...found, ...ofSuite]
  const unsure = findings.filter((one) => !sure.includes(one)).map(({ finding }) => finding.rule)
  const grade = gradeOf(complaints, suite, seen, run)
  const count = [...again.values()].reduce((sum, times) => sum + times, 0)
  return {
    name,
    operation,
    grade,
    brief: `${suite.text}${whyText(grade, suite, complaints, count)}`,
    suite: suite.text,
    client: [againText(count), ...clientLines(sat, usual), ...doubtLines(unsure)],
    complaints,
  }
}

/** The name of a paper, with its operation. */
export function titleOf({ name, operation }: PaperOf): string {
  return operation === undefined ? name : `${name} ${operation}`
}

/** The findings that the usual run doesn't have, and that the paper doesn't show anyway. */
function newFindings(seen: Testimony, paper: Paper, usual: Usual): readonly ProvedFinding[] {
  const counts = ({ finding: { severity } }: ProvedFinding): boolean => severity !== 'info'
  const known = usual.findings.filter(counts).map(({ finding }) => finding.rule)
  const skipped = new Set([...known, ...paper.expected])
  return seen.findings.filter((one) => counts(one) && !skipped.has(one.finding.rule))
}

/**
 * Whether a finding is about the client. What a rule concludes from an earlier answer counts only where the request was
 * sent again: else the next test may have sent it, which knows nothing of that answer.
 */
function isSure({ finding, proof }: ProvedFinding, resent: ReadonlySet<RequestDigest>): boolean {
  return !needsKnowledge(finding) || proof.slice(1).some((request) => resent.has(request))
}

function complaintOf({ finding }: ProvedFinding): Complaint {
  const { rule, severity, verdict, advice, clause } = finding
  return {
    grade: severity === 'error' ? 'mend' : 'look',
    what: rule,
    text: verdict,
    advice,
    clause,
  }
}

const ruleTable: Readonly<Record<string, Rule | undefined>> = rules

function needsKnowledge({ rule }: Finding): boolean {
  return ruleTable[rule]?.needsKnowledge === true
}

/** The worst complaint of each rule. */
function firstOfEach(all: readonly Complaint[]): readonly Complaint[] {
  return all.filter((one) => {
    const alike = all.filter(({ what }) => what === one.what)
    return one === (alike.find(({ grade }) => grade === 'mend') ?? alike[0])
  })
}

/** What is to be said of a suite that hasn't passed, unless a broken rule says why. */
function suiteComplaint(
  sat: SatPaper,
  paper: Paper,
  { kind, text }: SuiteEnd,
  found: readonly Complaint[],
): readonly Complaint[] {
  const { about, advice, spec } = paper
  const told = `${about} Here ${text}.`
  const complaint = { what: titleOf(sat), text: told, advice, clause: `spec ${spec}` }
  if (kind === 'crash') return [{ ...complaint, grade: 'mend' }]
  if (kind === 'green' || weightOf(paper, kind) === 'noted') return []
  return found.some(({ grade }) => grade === 'mend') ? [] : [{ ...complaint, grade: 'look' }]
}

function weightOf(paper: Paper, kind: 'red' | 'slow'): Weight {
  return kind === 'red' ? paper.red : paper.slow
}

function gradeOf(
  complaints: readonly Complaint[],
  { kind }: SuiteEnd,
  { met }: Testimony,
  { command }: RowRun,
): Grade {
  if (command.end === 'stopped') return 'not run'
  if (complaints.some(({ grade }) => grade === 'mend')) return 'mend'
  if (complaints.length > 0) return 'look'
  if (met === 0 && kind === 'green') return 'not met'
  return kind === 'green' ? 'passed' : 'noted'
}

/** @param again How many requests were sent again. */
function whyText(
  grade: Grade,
  { kind }: SuiteEnd,
  complaints: readonly Complaint[],
  again: number,
): string {
  if (complaints.length > 0) return `; ${complaints.map(({ what }) => what).join(', ')}`
  if (grade === 'not met') return '; the client never met it'
  if (kind === 'red')
    return `; the client ${again === 0 ? '' : `${againText(again)}, and `}gives up`
  return again === 0 ? '' : `; the client ${againText(again)}`
}

function clientLines({ seen }: SatPaper, usual: Usual): readonly string[] {
  const broken = [...seen.broken].filter(([call, end]) => usual.broken.get(call) !== end)
  const calls = broken.map(([call, end]) => `${call} (${end})`)
  return [
    `${countText(seen.requests, 'request')}, usually ${usual.requests}`,
    ...(calls.length === 0 ? [] : [`not served: ${listed(calls)}`]),
  ]
}

function doubtLines(rules: readonly string[]): readonly string[] {
  if (rules.length === 0) return []
  const names = [...new Set(rules)].join(', ')
  return [`not held against it, since the next test may have sent the request: ${names}`]
}

function againText(count: number): string {
  return count === 0 ? 'sends nothing again' : `sends ${countText(count, 'request')} again`
}

/** Says how many there are of something. */
export function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
