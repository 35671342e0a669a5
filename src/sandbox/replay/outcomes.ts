import type { Outcome } from '../../mock/api/message.ts'
import { type CapturedOutcome, responseOf } from '../controls/captures.ts'

/** Returns the parts of an outcome that a capture stores. */
export function capturedOutcome(outcome: Outcome): CapturedOutcome {
  const { kind, status, headers, body } = responseOf(outcome)
  return { kind, status, headers, body, bodyDigest: undefined }
}

/** Replaces the body of an outcome with its digest. */
export function digested(outcome: CapturedOutcome): CapturedOutcome {
  const { body } = outcome
  if (body === undefined) return outcome
  return { ...outcome, body: undefined, bodyDigest: digestOfText(body) }
}

/**
 * Returns a digest of a text. It combines two hashes, since a single one of 32 bits would be the same for too many
 * responses.
 */
function digestOfText(text: string): number {
  let one = 0x811c9dc5
  let other = 0x9e3779b9
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 15)
  }
  one = Math.imul(one ^ 0x10000, 0x01000193)
  other = Math.imul(other ^ text.length, 0x85ebca6b)
  return (one >>> 0) * 2 ** 21 + (other >>> 11)
}

/** A changed part of a response. */
export interface ResponseChange {
  /** Name of the field, such as `status`, `body` or `headers.date`. */
  readonly field: string
  /** Expected value; `undefined`, like `found`, if the field is absent. */
  readonly expected: string | undefined
  readonly found: string | undefined
}

/** Compares the outcome of a request with the expected one, whose body may be only a digest. */
export function changesBetween(
  expected: CapturedOutcome,
  found: CapturedOutcome,
): ResponseChange[] {
  const isDigest = expected.bodyDigest !== undefined
  const [old, other] = [fieldsOf(expected), fieldsOf(isDigest ? digested(found) : found)]
  const fields = [...new Set([...old.keys(), ...other.keys()])]
  return fields
    .filter((field) => old.get(field) !== other.get(field))
    .map((field) => ({ field, expected: old.get(field), found: other.get(field) }))
}

/** Returns a map, since a header may be called `constructor`. */
function fieldsOf(outcome: CapturedOutcome): ReadonlyMap<string, string> {
  const { kind, status, headers = {}, body, bodyDigest } = outcome
  const fields = new Map<string, string>([['kind', kind]])
  if (status !== undefined) fields.set('status', String(status))
  for (const [name, value] of Object.entries(headers)) fields.set(`headers.${name}`, value)
  if (body !== undefined) fields.set('body', body)
  if (bodyDigest !== undefined) fields.set('digest of the body', String(bodyDigest))
  return fields
}
