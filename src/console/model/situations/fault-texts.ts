import type { OperationName } from '../../../contract/endpoints.ts'
import type { FaultSettings } from '../../../faults/fault-rules.ts'
import { namesOf } from '../../../input/record.ts'
import { numberTyped } from '../number-typed.ts'

export type FaultName = FaultSettings['fault']

/** What is asked beside the kind of a fault. */
type Setting = 'status' | 'range' | 'ms' | 'when'

interface FaultText {
  /** What goes wrong, in a few words. */
  readonly about: string
  readonly setting?: Setting
}

/** The kinds of fault, as they are shown. */
export const faultTexts: { readonly [Name in FaultName]: FaultText } = {
  status: { about: 'an error status', setting: 'status' },
  latency: { about: 'a late answer', setting: 'range' },
  'rate-limit': { about: '429, its minute used up' },
  disconnect: { about: 'the connection is cut', setting: 'when' },
  timeout: { about: 'no answer' },
  'malformed-json': { about: 'a body that is no JSON' },
  'truncated-body': { about: 'half a body' },
  'slow-body': { about: 'a body in pieces', setting: 'ms' },
}

/** The kinds in the order of the form. */
export const faultNames: readonly FaultName[] = namesOf(faultTexts)

/** Finds a kind of fault by its name. */
export function faultNamed(name: string): FaultName | undefined {
  return faultNames.find((one) => one === name)
}

/** A fault as somebody writes it into a form; what is empty is left out. */
export interface FaultDraft {
  readonly fault: FaultName
  readonly status: string
  /** Of an error status; empty for none. */
  readonly retryAfter: string
  readonly ms: string
  readonly when: 'before' | 'body'
  readonly operation: OperationName | undefined
  /** Empty for all, as is `key`. */
  readonly method: string
  readonly key: string
  /** Empty for every time. */
  readonly times: string
  /** Empty for none. */
  readonly after: string
  /** Empty for always. */
  readonly probability: string
}

/** A draft to begin with. */
export const firstDraft: FaultDraft = {
  fault: 'status',
  status: '500',
  retryAfter: '',
  ms: '2s',
  when: 'before',
  operation: undefined,
  method: '',
  key: '',
  times: '1',
  after: '',
  probability: '',
}

/**
 * The fault that a draft describes.
 *
 * @throws `InputError` for what is no number, and has to be one.
 */
export function faultOf(draft: FaultDraft): FaultSettings {
  const { fault, retryAfter, ms, when, operation, method, key } = draft
  const numberOf = (name: 'status' | 'times' | 'after' | 'probability'): number =>
    numberTyped(`fault.${name}`, draft[name])
  const struck = {
    times: draft.times.trim() === '' ? null : numberOf('times'),
    ...(draft.after.trim() === '' ? {} : { after: numberOf('after') }),
    ...(draft.probability.trim() === '' ? {} : { probability: numberOf('probability') }),
    ...(operation === undefined ? {} : { operation }),
    ...(method.trim() === '' ? {} : { method: method.trim() }),
    ...(key === '' ? {} : { key }),
  }
  switch (fault) {
    case 'status':
      return {
        fault,
        status: numberOf('status'),
        ...(retryAfter.trim() === '' ? {} : { retryAfter: retryAfter.trim() }),
        ...struck,
      }
    case 'latency':
    case 'slow-body':
      return { fault, ms: ms.trim(), ...struck }
    case 'disconnect':
      return { fault, when, ...struck }
    default:
      return { fault, ...struck }
  }
}

/** Which requests a fault strikes, in words. */
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
  const { about } = faultTexts[fault.fault]
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

/** Whether a fault may strike again. */
export function isWaiting({ times, struck }: FaultSettings & { readonly struck: number }): boolean {
  return times === undefined || times === null || struck < times
}
