import { type Finding, type Severity, severities } from '../../audit/finding.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { Exception } from './exceptions.ts'

/** What became of an exception: it is needed, nothing needs it, or it has ended. */
export type ExceptionState = 'used' | 'unneeded' | 'ended'

/** An exception, what became of it, and how many findings it is for. */
export interface UsedException {
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
export function isFailing({ severity }: Pick<Finding, 'severity'>, failOn: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(failOn)
}

/** @throws {@link CliError} with exit code 4 if a finding is bad enough to fail. */
export function acceptVerdict({ findings, failOn }: Verdict): void {
  const failing = findings.filter((one) => isFailing(one, failOn))
  const names = [...new Set(failing.map(({ rule, severity }) => `${rule} (${severity})`))]
  if (names.length === 0) return
  throw new CliError(`Cannot accept what the client did: ${names.join(', ')}`, 4)
}
