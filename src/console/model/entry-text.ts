import { countText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { parseJson } from '../../mock/api/json.ts'

/** Outcome of a request in a word, with its tone. */
export interface OutcomeText {
  readonly text: string
  readonly tone: 'good' | 'rejected' | 'limited' | 'broken'
}

const brokenTexts: Readonly<Record<string, string>> = {
  disconnect: 'cut off',
  timeout: 'no response',
}

/** Returns the outcome of a request: its status, or how it failed. */
export function outcomeText({ outcome, delivery }: RequestView): OutcomeText {
  // A newer server may have other kinds.
  const { kind } = outcome
  if (!('status' in outcome)) return { text: brokenTexts[kind] ?? kind, tone: 'broken' }
  const text = String(outcome.status)
  if (outcome.kind === 'broken-response' && delivery === 'broken') return { text, tone: 'broken' }
  if (outcome.status === 429) return { text, tone: 'limited' }
  if (outcome.status >= 500) return { text, tone: 'broken' }
  return { text, tone: outcome.status >= 400 ? 'rejected' : 'good' }
}

/** Reason for the response to a request. */
interface Reason {
  /** Sentence; for a request that succeeded, its result. */
  readonly text: string
  /** Clause and gap of a rejection, and the faults that were applied. */
  readonly tags: readonly string[]
}

const struck = /; (fault \d+ \([\w-]+\))/g

/**
 * Returns the reason for the response to a request.
 *
 * @param key The whole key, which the request log abbreviates.
 */
export function reasonOf(entry: RequestView, key: string): Reason {
  const { spec: clause, code, gap } = entry.decision ?? {}
  const isServed = code === undefined
  // Without the status, which is shown separately.
  const bare = entry.why.replace(/^(?:\d{3}|disconnect|timeout): /, '')
  const why = entry.key === undefined ? bare : bare.replace(entry.key, key)
  const [said = '', source = ''] = clause === undefined ? [why] : why.split(/(; spec .*)/s)
  const after = source.replace(/^; spec [^;]*/, '')
  const isRemoved = gap === 'afterSunset'
  const reason = isRemoved ? 'the operation was removed on 5 December 2030' : said
  const text = visible((isServed ? servedText(entry) : reason) + after)
  return {
    text: text.replace(struck, '').replace(/^(?:; )?./, (first) => first.slice(-1).toUpperCase()),
    tags: [
      ...(isServed || clause === undefined ? [] : [`spec ${clause}`]),
      ...(gap === undefined ? [] : [gap]),
      ...Array.from(text.matchAll(struck), ([, fault = '']) => fault),
    ],
  }
}

/** Returns the result of a request that succeeded, as the engine logged it. */
function servedText({ operation, decision }: RequestView): string {
  const { petId, total, count = total } = decision ?? {}
  if (petId !== undefined) return `added pet ${petId}`
  if (operation === 'getPet') return 'found the pet'
  if (operation !== 'listPets' || total === undefined || count === undefined) return ''
  return count < total ? `${count} of ${countText(total, 'pet')}` : countText(count, 'pet')
}

/** Returns the time of day of an instant, with its milliseconds, if any. */
export function timeOfDay(at: string): string {
  return at.slice(11).replace('Z', '')
}

/** Indents a JSON body; returns any other body unchanged. */
export function readableBody(body: string): string {
  try {
    const parsed = parseJson(body)
    // Unsafe integers keep their digits.
    const mark = (_: string, value: unknown) => (typeof value === 'bigint' ? `\0${value}` : value)
    return visible(JSON.stringify(parsed, mark, 2).replace(/"\\u0000(-?\d+)"/g, '$1'))
  } catch {
    return visible(body)
  }
}

/** Characters that are invisible or change the direction of text, and control characters. */
const controls = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Cc}]/gu

/** Escapes characters that are invisible or change the direction of text. */
export function visible(text: string): string {
  return text.replace(controls, (one) => {
    // Keeps tabs and line ends, and the joiner and variation selector of emoji.
    if ('\n\t\r\u200d\ufe0f'.includes(one)) return one
    return `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
}
