import type { CapturedOutcome } from '../../control/reports/capture-file.ts'

/** A part of a reply that is not as it was. */
export interface ReplyChange {
  /** Such as `status`, `body` or `headers.date`. */
  readonly field: string
  /** `undefined` for none, as is what was found. */
  readonly expected: string | undefined
  readonly found: string | undefined
}

/** Compares what became of a request, status, headers and body, with what was to become of it. */
export function changesBetween(expected: CapturedOutcome, found: CapturedOutcome): ReplyChange[] {
  const [old, other] = [fieldsOf(expected), fieldsOf(found)]
  const fields = [...new Set([...old.keys(), ...other.keys()])]
  return fields
    .filter((field) => old.get(field) !== other.get(field))
    .map((field) => ({ field, expected: old.get(field), found: other.get(field) }))
}

/** A map, since a header may be called `constructor`. */
function fieldsOf({
  kind,
  status,
  headers = {},
  body,
  bodyDigest,
}: CapturedOutcome): ReadonlyMap<string, string> {
  const fields = new Map<string, string>([['kind', kind]])
  if (status !== undefined) fields.set('status', String(status))
  for (const [name, value] of Object.entries(headers)) fields.set(headerPrefix + name, value)
  if (body !== undefined) fields.set('body', body)
  if (bodyDigest !== undefined) fields.set('digest of the body', String(bodyDigest))
  return fields
}

const headerPrefix = 'headers.'

/** Puts what was to become of a request in the place of what did, in some fields. */
export function withExpected(
  found: CapturedOutcome,
  expected: CapturedOutcome,
  changes: readonly ReplyChange[],
): CapturedOutcome {
  const names = new Set(changes.map(({ field }) => field))
  const from = (field: string): CapturedOutcome => (names.has(field) ? expected : found)
  const isDigest = names.has('digest of the body')
  const headers = new Map(Object.entries(found.headers ?? {}))
  for (const { field, expected: value } of changes) {
    if (!field.startsWith(headerPrefix)) continue
    const name = field.slice(headerPrefix.length)
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  }
  return {
    kind: from('kind').kind,
    status: from('status').status,
    headers: expected.headers === undefined ? undefined : Object.fromEntries(headers),
    body: isDigest ? undefined : from('body').body,
    bodyDigest: isDigest ? expected.bodyDigest : undefined,
  }
}
