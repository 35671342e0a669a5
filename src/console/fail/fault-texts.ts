import type { FaultSettings } from '../../mock/faults/fault-rules.ts'
import { namesOf } from '../../mock/input/record.ts'

export type FaultName = FaultSettings['fault']

/** Short texts for the kinds of fault, in the order of the form. */
export const faultTexts: { readonly [Name in FaultName]: string } = {
  status: 'gets an error status',
  latency: 'responds late',
  'rate-limit': 'gets 429, its minute exhausted',
  disconnect: 'is cut off',
  timeout: 'gets no response',
  'malformed-json': 'gets a body that is not JSON',
  'truncated-body': 'gets half a body',
  'slow-body': 'gets its body in pieces',
}

export const faultNames: readonly FaultName[] = namesOf(faultTexts)

/** Finds a kind of fault by its name. */
export function faultNamed(name: string | undefined): FaultName | undefined {
  return faultNames.find((one) => one === name)
}

/** The most common faults, named as in the sentence. */
export const quickFaults: readonly { readonly name: string; readonly fault: FaultSettings }[] = [
  { name: 'gets 500', fault: { fault: 'status', status: 500 } },
  { name: 'gets 503', fault: { fault: 'status', status: 503 } },
  { name: 'gets 429', fault: { fault: 'rate-limit' } },
  { name: 'gets no response', fault: { fault: 'timeout' } },
  { name: 'is cut off', fault: { fault: 'disconnect' } },
  { name: 'responds 3 s late', fault: { fault: 'latency', ms: '3s' } },
  { name: 'gets half a body', fault: { fault: 'truncated-body' } },
  { name: 'gets broken JSON', fault: { fault: 'malformed-json' } },
]

/** Returns a description of the requests that a fault applies to. */
export function targetText(fault: FaultSettings): string {
  const { operation, method, key, times, skip, probability, at, for: span, every } = fault
  const requests = method ? `${method} requests` : 'all requests'
  return [
    operation ? [operation, method].filter(Boolean).join(', ') : requests,
    key === undefined || key === null ? '' : `with ${key}`,
    skip === undefined || skip === 0 ? '' : `after ${skip}`,
    probability === undefined || probability === 1 ? '' : `${Math.round(probability * 100)} %`,
    times === undefined || times === null ? '' : times === 1 ? 'once' : `${times} times`,
    at === undefined ? '' : `from ${instantText(at)}`,
    span === undefined ? '' : `for ${waitText(span)}`,
    every === undefined ? '' : `every ${waitText(every)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns a description of a fault's effect, with the settings of its kind. */
export function effectText(fault: FaultSettings): string {
  // A newer server may have kinds that this page doesn't know.
  const hint = faultTexts[fault.fault] ?? fault.fault
  switch (fault.fault) {
    case 'status':
      return `gets ${fault.status ?? 500}${fault.retryAfter === undefined ? '' : `, Retry-After ${fault.retryAfter}`}`
    case 'latency':
      return `responds ${waitText(fault.ms)} late`
    case 'slow-body':
      return `${hint}, for ${waitText(fault.ms)}`
    case 'disconnect':
      return fault.when === 'body' ? `${hint} within the body` : hint
    default:
      return hint
  }
}

/** Returns an instant as text: `2030-12-05 12:00:00`. */
function instantText(at: string | number | Date): string {
  return String(at).replace('T', ' ').replace('Z', '')
}

/** Returns a wait or a range as text, with blanks as elsewhere in the console: `1 s 500 ms`. */
function waitText(wait: unknown): string {
  const texts = [wait].flat().map((one) => (typeof one === 'number' ? `${one}ms` : String(one)))
  return texts
    .join(' to ')
    .replace(/(?<=\d)(?=[a-z])/g, ' ')
    .replace(/(?<=[a-z])(?=\d)/g, ' ')
}
