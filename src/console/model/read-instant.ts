import { lastInstantAt } from '../../input/instant.ts'

const timePattern = /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/

const datePattern = /^\d{4}-\d\d-\d\d(?:$|T)/

const zonePattern = /(?:Z|[+-]\d\d:\d\d)$/

/**
 * Reads an instant that somebody typed: ISO 8601, in UTC unless it has a zone, or a time of day; `undefined` for
 * anything else.
 *
 * @param day Whose time of day it is, in Unix milliseconds.
 */
export function readInstant(text: string, day: number): number | undefined {
  const given = text.trim()
  const date = new Date(day).toISOString().slice(0, 10)
  const whole = timePattern.test(given) ? `${date}T${given}` : given
  if (!datePattern.test(whole)) return undefined
  const at = Date.parse(whole.includes('T') && !zonePattern.test(whole) ? `${whole}Z` : whole)
  return at >= 0 && at <= lastInstantAt ? at : undefined
}
