import type { FaultSettings } from '../../faults/fault-rules.ts'
import { namesOf } from '../../input/record.ts'

export type FaultName = FaultSettings['fault']

/** The kinds of fault, in a few words, in the order of the form. */
export const faultTexts: { readonly [Name in FaultName]: string } = {
  status: 'an error status',
  latency: 'a late answer',
  'rate-limit': '429, its minute used up',
  disconnect: 'the connection is cut',
  timeout: 'no answer',
  'malformed-json': 'a body that is not JSON',
  'truncated-body': 'half a body',
  'slow-body': 'a body in pieces',
}

export const faultNames: readonly FaultName[] = namesOf(faultTexts)

/** Finds a kind of fault by its name. */
export function faultNamed(name: string | undefined): FaultName | undefined {
  return faultNames.find((one) => one === name)
}

/** What is asked for most, at a click. */
export const quickFaults: readonly { readonly name: string; readonly fault: FaultSettings }[] = [
  { name: '500', fault: { fault: 'status', status: 500 } },
  { name: '503', fault: { fault: 'status', status: 503 } },
  { name: '429', fault: { fault: 'rate-limit' } },
  { name: 'Cut off', fault: { fault: 'disconnect' } },
  { name: 'No answer', fault: { fault: 'timeout' } },
  { name: 'Slow, 3 s', fault: { fault: 'latency', ms: '3s' } },
  { name: 'Half a body', fault: { fault: 'truncated-body' } },
  { name: 'Broken JSON', fault: { fault: 'malformed-json' } },
]

/** Which requests a fault hits, in words. */
export function targetText(fault: FaultSettings): string {
  const { operation, method, key, times, after, probability } = fault
  const requests = method ? `${method} requests` : 'all requests'
  return [
    operation ? [operation, method].filter(Boolean).join(', ') : requests,
    key === undefined || key === null ? '' : `with ${key}`,
    after === undefined || after === 0 ? '' : `after ${after}`,
    probability === undefined || probability === 1 ? '' : `${Math.round(probability * 100)} in 100`,
    times === undefined || times === null ? 'every time' : times === 1 ? 'once' : `${times} times`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** What goes wrong, with the settings of the kind. */
export function effectText(fault: FaultSettings): string {
  // A newer process may have kinds that this page doesn't know.
  const about = faultTexts[fault.fault] ?? fault.fault
  switch (fault.fault) {
    case 'status':
      return `status ${fault.status ?? 500}${fault.retryAfter === undefined ? '' : `, again after ${fault.retryAfter}`}`
    case 'latency':
    case 'slow-body':
      return `${about}: ${[fault.ms].flat().join(' to ')}`
    case 'disconnect':
      return fault.when === 'body' ? `${about} within the body` : about
    default:
      return about
  }
}

/** Whether a fault may hit again. */
export function isWaiting({ times, struck }: FaultSettings & { readonly struck: number }): boolean {
  return times === undefined || times === null || struck < times
}
