/** A whole number of 64 bits: a bigint where a number would not hold it exactly. */
export type Int64 = number | bigint

/** Reads JSON; whole numbers beyond what a number holds become bigints, digit for digit. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown, context?: { readonly source: string }) => {
    const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value)
    return isInexact && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? 0) : value
  })
}

/** Writes JSON; the values of an object may be bigints. */
export function toJson(fields: Readonly<Record<string, string | Int64>>): string {
  const members = Object.entries(fields).map(([name, value]) => {
    const written = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
    return `${JSON.stringify(name)}:${written}`
  })
  return `{${members.join(',')}}`
}

/** Reads a whole number of 64 bits as a person writes it; `undefined` where it is none. */
export function parseInt64(text: string): Int64 | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const value = BigInt(text.replace('+', ''))
  if (value !== BigInt.asIntN(64, value)) return undefined
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
