import type { GapValues } from '../../src/mock/api/gaps.ts'
import { namesOf } from '../../src/mock/input/record.ts'

/** How a service writes instants and waits. */
export type Forms = Pick<GapValues, 'retryAfterFormat' | 'resetUnit'>

const secondMs = 1000

const resetUnits: { readonly [Unit in Forms['resetUnit']]: number } = {
  seconds: secondMs,
  milliseconds: 1,
}

/** What a number in `Retry-After` counts, and from when on; a date is neither. */
const retryForms: {
  readonly [Form in Forms['retryAfterFormat']]:
    | 'date'
    | { readonly ms: number; readonly from: 'now' | '1970' }
} = {
  seconds: { ms: secondMs, from: 'now' },
  'http-date': 'date',
  milliseconds: { ms: 1, from: 'now' },
  fraction: { ms: secondMs, from: 'now' },
  'unix-time': { ms: secondMs, from: '1970' },
}

/** Reads `X-RateLimit-Reset`; gives Unix milliseconds. */
export function toldReset(text = 'none', { resetUnit }: Pick<Forms, 'resetUnit'>): number {
  return Number(text) * resetUnits[resetUnit]
}

/**
 * Reads `Retry-After`; gives Unix milliseconds by the clock of the reader, and no number for a text of another form.
 *
 * @param aheadMs How far that clock is ahead of the service's.
 */
export function toldRetry(
  text = 'none',
  { retryAfterFormat }: Pick<Forms, 'retryAfterFormat'>,
  now: number,
  aheadMs = 0,
): number {
  const form = retryForms[retryAfterFormat]
  if (form === 'date') return /[a-z]/i.test(text) ? Date.parse(text) + aheadMs : Number.NaN
  return Math.round(Number(text) * form.ms) + (form.from === 'now' ? now : aheadMs)
}

/** The instants that `X-RateLimit-Reset` means at any value of a gap. */
export function possibleResets(text = 'none'): readonly number[] {
  return namesOf(resetUnits).map((resetUnit) => toldReset(text, { resetUnit }))
}

/** The instants that `Retry-After` means at any value of a gap. */
export function possibleRetries(text: string, now: number): readonly number[] {
  const all = namesOf(retryForms).map((form) => toldRetry(text, { retryAfterFormat: form }, now))
  return all.filter((at) => !Number.isNaN(at))
}
