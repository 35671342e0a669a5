import { type CapturedOutcome, responseOf } from '../../mock/controls/reports.ts'
import type { Outcome } from '../../mock/spec/message.ts'

/** An outcome without what hangs on its way. */
export function capturedOutcome(outcome: Outcome): CapturedOutcome {
  const { kind, status, headers, body } = responseOf(outcome)
  return { kind, status, headers, body, bodyDigest: undefined }
}

/** An outcome with only a digest of its body. */
export function digested(outcome: CapturedOutcome): CapturedOutcome {
  const { body } = outcome
  if (body === undefined) return outcome
  return { ...outcome, body: undefined, bodyDigest: digestOfText(body) }
}

/**
 * Makes a number of a text that another text hardly ever has: of two hashes at once, since one of 32 bits would hold too
 * many replies to be the same.
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

/** A part of a reply that is not as it was. */
export interface ResponseChange {
  /** Such as `status`, `body` or `headers.date`. */
  readonly field: string
  /** `undefined` for none, as is what was found. */
  readonly expected: string | undefined
  readonly found: string | undefined
}

/** Compares what became of a request with what was to, of whose body a capture may have only a digest. */
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

/** A map, since a header may be called `constructor`. */
function fieldsOf(outcome: CapturedOutcome): ReadonlyMap<string, string> {
  const { kind, status, headers = {}, body, bodyDigest } = outcome
  const fields = new Map<string, string>([['kind', kind]])
  if (status !== undefined) fields.set('status', String(status))
  for (const [name, value] of Object.entries(headers)) fields.set(headerPrefix + name, value)
  if (body !== undefined) fields.set('body', body)
  if (bodyDigest !== undefined) fields.set(digestField, String(bodyDigest))
  return fields
}

const headerPrefix = 'headers.'

const digestField = 'digest of the body'

/** What became of a request, with what was to become of it in some fields. */
export function withExpected(
  found: CapturedOutcome,
  expected: CapturedOutcome,
  changes: readonly ResponseChange[],
): CapturedOutcome {
  const headers = new Map(Object.entries(found.headers ?? {}))
  for (const { field, expected: value } of changes) {
    if (!field.startsWith(headerPrefix)) continue
    const name = field.slice(headerPrefix.length)
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  }
  const names = new Set(changes.map(({ field }) => field))
  const from = (field: string): CapturedOutcome => (names.has(field) ? expected : found)
  const { body, bodyDigest } = names.has(digestField) ? expected : from('body')
  return {
    kind: from('kind').kind,
    status: from('status').status,
    headers: expected.headers === undefined ? undefined : Object.fromEntries(headers),
    ...{ body, bodyDigest },
  }
}
