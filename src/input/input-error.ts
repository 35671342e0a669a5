import type { GapName } from '../contract/gaps.ts'

/** Outside data that can't be used: from a caller, a file, the command line or the control API. */
export class InputError extends TypeError {
  override readonly name = 'InputError'
  /** Where in the data, such as `['pets', 3]`; empty for all of it. */
  readonly path: readonly (string | number)[]
  /** The gap whose choice makes it unusable. */
  readonly gap: GapName | undefined

  constructor(message: string, path: readonly (string | number)[] = [], gap?: GapName) {
    super(message)
    this.path = path
    this.gap = gap
  }
}

/** Shows a value from outside within a message, on one line and cut to a length that fits there. */
export function show(value: unknown): string {
  const text = toText(value)
  // By characters, since half of a pair is none.
  return text.length > 60 ? `${[...text].slice(0, 57).join('')}...` : text
}

function toText(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 80 ? value.slice(0, 80) : value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value instanceof Date) return `the date ${value.getTime()}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Narrows to an object that is no array, as JSON has them. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Refuses properties that a settings object doesn't have, so that a misspelt one is not silently without effect.
 *
 * @param what The object's name at the start of the message, such as `the clock`.
 * @throws {@link InputError} naming the property and those that there are.
 */
export function refuseUnknown(
  record: Readonly<Record<string, unknown>>,
  known: readonly string[],
  what: string,
): void {
  for (const name of Object.keys(record)) {
    if (known.includes(name)) continue
    throw new InputError(
      `Cannot set ${what}: found ${show(name)}; use one of ${known.join(', ')}`,
      [name],
    )
  }
}

/**
 * Refuses options that are no object or hold a name that there isn't.
 *
 * @param doing What can't be done, such as `start the server`.
 * @throws {@link InputError}
 */
export function checkOptions(options: unknown, known: readonly string[], doing: string): void {
  if (!isRecord(options)) {
    throw new InputError(`Cannot ${doing}: found ${show(options)}; use an object of options`)
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    throw new InputError(
      `Cannot ${doing}: there is no option ${show(name)}; use ${known.join(', ')}`,
    )
  }
}

/**
 * Reads one of a list of names.
 *
 * @throws {@link InputError} listing the names.
 */
export function parseOneOf<const Name extends string>(
  value: unknown,
  names: readonly Name[],
  what: string,
): Name {
  const found = names.find((name) => name === value)
  if (found !== undefined) return found
  throw new InputError(`Cannot set ${what}: found ${show(value)}; use one of ${names.join(', ')}`)
}

/**
 * Reads a whole number within bounds.
 *
 * @throws {@link InputError} naming the bounds.
 */
export function parseWhole(value: unknown, least: number, most: number, what: string): number {
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  if (isWhole && value >= least && value <= most) return value
  throw new InputError(
    `Cannot set ${what}: found ${show(value)}; use a whole number from ${least} to ${most}`,
  )
}
