import type { Judgement } from '../audit/auditor.ts'
import { type AuditOptions, type Finding, type Severity, severities } from '../audit/finding.ts'
import { rules } from '../audit/rules.ts'
import { InputError } from '../input/input-error.ts'
import { formatInstant } from '../input/instant.ts'
import { namesOf } from '../input/record.ts'
import {
  type FindingGroup,
  findingItem,
  groupFindings,
  severitiesText,
} from '../reports/findings.ts'
import type { Level, Report, ReportGroup, ReportItem } from '../reports/report.ts'
import { countText, printable } from '../reports/text.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxPool } from '../sandbox-pool.ts'
import type { RunningServer } from '../server/start-server.ts'
import type { Exception } from './audit-settings.ts'
import { CliError } from './cli-error.ts'
import type { AuditCommandOptions, ExecAuditOptions } from './options.ts'
import { apiAddress, atSandbox, type RemotePlace } from './remote/connect.ts'
import { readExceptions } from './serve/serve-settings.ts'
import { report } from './terminal.ts'
import { expectReportPlaces, type ReportTarget, writeReports } from './write-reports.ts'

/**
 * Reports which rules of the interface the clients of a running sandbox broke.
 *
 * @throws {@link CliError} with exit code 4 if a finding is bad enough to fail, and with 5 if there is nothing to judge.
 */
export async function showAudit(
  { 'fail-on': failOn, 'one-client': oneClient, report, config, ...place }: AuditCommandOptions,
  stdout: NodeJS.WritableStream,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const exceptions = await readExceptions(
    config ?? (environment.PETSTORE_SANDBOX_CONFIG || undefined),
  )
  const { findings, judged } = await atSandbox(place, async (client) => {
    const found = await client.audit({ oneClient })
    const { findings: summary } = await client.status()
    return { findings: found, judged: summary?.judged }
  })
  if (judged === 0) {
    writeReports(unaskedReport(unaskedText(place)), report, stdout, environment)
    throw new CliError('Cannot judge the clients: there is no request to judge', 5)
  }
  const verdict = verdictOn(findings, { exceptions, failOn }, Date.now())
  writeReports(auditReport(verdict), report, stdout, environment)
  acceptVerdict(verdict)
}

function unaskedText(place: RemotePlace): string {
  return `There is no request to judge. Does the client use ${apiAddress(place)}? What came before a reset is judged only if a verdict had been asked for by then.`
}

/** Judges a command while it runs. */
export interface ExecAudit {
  /** Begins; returns what is to be called when the command has ended, with its exit code, and gives that of `exec`. */
  begin(server: RunningServer): Promise<(code: number) => number>
}

/**
 * Reads what an audit needs, before anything is started.
 *
 * @param config The config file, if one is named.
 * @throws {@link CliError} for an exception that can't be used, and for a report that can't be written.
 */
export async function execAudit(
  { 'fail-on': failOn, 'one-client': oneClient, report: targets }: ExecAuditOptions,
  config: string | undefined,
): Promise<ExecAudit> {
  const exceptions = await readExceptions(config)
  expectReportPlaces(targets)
  return {
    async begin(server) {
      const end = await collectFindings(server, { oneClient })
      return (code) => {
        try {
          const { findings, judged } = end()
          if (judged === 0) reportUnasked(targets)
          const verdict = verdictOn(findings, { exceptions, failOn }, Date.now())
          writeReports(auditReport(verdict), targets, process.stdout, process.env)
          acceptVerdict(verdict)
          return code
        } catch (error) {
          const isOurs = error instanceof CliError || error instanceof InputError
          // What the command says of itself comes first.
          if (code === 0 || !isOurs) throw error
          report(printable(error.message))
          return code
        }
      }
    },
  }
}

/** @throws {@link CliError} with exit code 5: a green verdict on nothing would mislead. */
function reportUnasked(targets: readonly ReportTarget[]): never {
  const text = 'No request reached the sandbox. Does the command use $PETSTORE_URL?'
  writeReports(unaskedReport(text), targets, process.stdout, process.env)
  throw new CliError(
    'Cannot judge the command: no request reached the sandbox; have it use $PETSTORE_URL',
    5,
  )
}

/** How many findings are kept of sandboxes that are deleted. */
const keptOfDeleted = 10_000

/**
 * Judges the clients of all sandboxes of a process from now on, those to come and those that are deleted meanwhile too;
 * returns a function that ends this and says what came of it.
 */
async function collectFindings(
  { sandbox, pool }: { readonly sandbox: Sandbox; readonly pool: SandboxPool },
  options: AuditOptions,
): Promise<() => Judgement> {
  // A module that is only ever loaded late stays out of what pages load at once.
  const { createAuditor } = await import('../audit/auditor.ts')
  const ofDeleted: Finding[] = []
  let judgedOfDeleted = 0
  let left = 0
  const findingsOf = (one: Sandbox): Finding[] => one.auditWith(createAuditor, options)
  const living = (): Sandbox[] => [
    sandbox,
    ...pool.names().flatMap((name) => pool.find(name) ?? []),
  ]
  for (const one of living()) findingsOf(one)
  const endCreated = pool.onCreate((created) => void findingsOf(created))
  const endDeleted = pool.onDelete((deleted) => {
    const found = findingsOf(deleted)
    judgedOfDeleted += judgedIn(deleted)
    const kept = found.slice(0, keptOfDeleted - ofDeleted.length)
    ofDeleted.push(...kept)
    left += found.length - kept.length
  })
  return () => {
    endCreated()
    endDeleted()
    if (left > 0) report(`Cannot report all findings: ${left} of deleted sandboxes are left out`)
    return {
      findings: [...ofDeleted, ...living().flatMap(findingsOf)],
      judged: living().reduce((sum, one) => sum + judgedIn(one), judgedOfDeleted),
    }
  }
}

function judgedIn(sandbox: Sandbox): number {
  return sandbox.judgementSoFar()?.judged ?? 0
}

/** Says in a report that nothing was judged, since there was no request. */
function unaskedReport(text: string): Report {
  const item: ReportItem = { name: 'requests', level: 'error', state: 'none', text }
  return {
    title: 'Audit',
    summary: 'nothing judged',
    layout: 'paragraphs',
    groups: [{ name: 'requests', summary: 'none', items: [item] }],
    json: { findings: [], judged: 0 },
  }
}

/** What became of an exception: it is needed, nothing needs it, or it has ended. */
type ExceptionState = 'used' | 'unneeded' | 'ended'

/** An exception, what became of it, and how many findings it is for. */
interface UsedException {
  readonly exception: Exception
  readonly state: ExceptionState
  readonly count: number
}

/** The findings of an audit, with what is expected of clients. */
export interface Verdict {
  /** Those that count. */
  readonly findings: readonly Finding[]
  readonly exceptions: readonly UsedException[]
  readonly failOn: Severity
}

/**
 * Takes out what is excepted.
 *
 * @param now Unix milliseconds of real time, since exceptions are about code and not about a sandbox.
 */
export function verdictOn(
  all: readonly Finding[],
  { exceptions, failOn }: { readonly exceptions: readonly Exception[]; readonly failOn: Severity },
  now: number,
): Verdict {
  const used = exceptions.map((exception): UsedException => {
    const count = all.filter(({ rule }) => rule === exception.rule).length
    if (count === 0) return { exception, state: 'unneeded', count }
    const hasEnded = exception.until !== undefined && exception.until <= now
    return { exception, state: hasEnded ? 'ended' : 'used', count }
  })
  const isExcepted = ({ rule }: Finding): boolean =>
    used.some(({ exception, state }) => state === 'used' && exception.rule === rule)
  return { findings: all.filter((one) => !isExcepted(one)), exceptions: used, failOn }
}

/** Whether a finding is bad enough to fail. */
function isFailing({ severity }: Pick<Finding, 'severity'>, failOn: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(failOn)
}

/** @throws {@link CliError} with exit code 4 if a finding is bad enough to fail. */
export function acceptVerdict({ findings, failOn }: Verdict): void {
  const failing = findings.filter((one) => isFailing(one, failOn))
  const names = [...new Set(failing.map(({ rule, severity }) => `${rule} (${severity})`))]
  if (names.length === 0) return
  throw new CliError(`Cannot accept what the client did: ${names.join(', ')}`, 4)
}

/** The worst first. */
const levels: readonly Level[] = ['error', 'warning', 'info', 'ok']

/** Puts a verdict into the words of a report, with an item for each rule. */
export function auditReport(verdict: Verdict): Report {
  const { findings, exceptions } = verdict
  const groups = new Map(groupFindings(findings).map((group) => [group.rule, group]))
  const items = namesOf(rules)
    .map((rule) => itemOf(rule, groups.get(rule), verdict))
    .toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
  const ofRules = {
    name: 'rules',
    summary: `${groups.size} of ${items.length} found something`,
    items,
  }
  return {
    title: 'Audit',
    summary: severitiesText(findings),
    layout: 'paragraphs',
    groups: exceptions.length === 0 ? [ofRules] : [ofRules, exceptionGroup(exceptions)],
    json: { findings },
  }
}

function itemOf(
  rule: string,
  group: FindingGroup | undefined,
  { exceptions, failOn }: Verdict,
): ReportItem {
  if (group !== undefined) {
    return findingItem(group, isFailing(group, failOn) ? 'error' : group.severity)
  }
  const used = exceptions.find(({ exception, state }) => {
    return state === 'used' && exception.rule === rule
  })
  if (used === undefined) return { name: rule, level: 'ok', state: 'nothing found', text: '' }
  return { name: rule, level: 'ok', state: 'excepted', text: used.exception.reason }
}

const states: Readonly<Record<ExceptionState, string>> = {
  used: 'in use',
  unneeded: 'not needed any more',
  ended: 'ended',
}

function exceptionGroup(exceptions: readonly UsedException[]): ReportGroup {
  const needless = exceptions.filter(({ state }) => state !== 'used').length
  return {
    name: 'exceptions',
    summary: `${exceptions.length - needless} in use, ${needless} to remove`,
    items: exceptions.map(exceptionItem),
  }
}

function exceptionItem({ exception, state, count }: UsedException): ReportItem {
  const { rule, reason, until } = exception
  const findings = countText(count, 'finding')
  const ended = until === undefined ? '' : formatInstant(until)
  const texts: Readonly<Record<ExceptionState, string>> = {
    used: `${findings}: ${reason}`,
    unneeded: `It matches no finding: remove it from the config file. Its reason was: ${reason}`,
    ended: `It ended at ${ended}, and its findings count again (${findings}): fix the client, or set a later end. Its reason was: ${reason}`,
  }
  return {
    name: rule,
    level: state === 'used' ? 'ok' : 'warning',
    state: states[state],
    text: printable(texts[state]),
  }
}
