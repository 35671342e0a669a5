import { pathOf } from '../../checks/reports/request-text.ts'
import { countText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { pageLimit } from '../../mock/spec/endpoints.ts'
import { parseJson } from '../../mock/spec/json.ts'

/** What became of a request, in a word, with how good that is. */
export interface OutcomeText {
  readonly text: string
  readonly tone: 'good' | 'rejected' | 'limited' | 'broken'
}

const brokenTexts: Readonly<Record<string, string>> = {
  disconnect: 'cut off',
  timeout: 'no response',
}

/** Says what became of a request: its status, or how it broke. */
export function outcomeText({ outcome, delivery }: RequestView): OutcomeText {
  // A newer process may tell of others.
  const { kind } = outcome
  if (!('status' in outcome)) return { text: brokenTexts[kind] ?? kind, tone: 'broken' }
  const text = String(outcome.status)
  if (outcome.kind === 'broken-response' && delivery === 'broken') return { text, tone: 'broken' }
  if (outcome.status === 429) return { text, tone: 'limited' }
  if (outcome.status >= 500) return { text, tone: 'broken' }
  return { text, tone: outcome.status >= 400 ? 'rejected' : 'good' }
}

/** Why a request was answered as it was. */
interface Reason {
  /** In a sentence; of what was served, what it was. */
  readonly text: string
  /** By which clause and gap it was refused, and what faults did to it. */
  readonly tags: readonly string[]
}

const struck = /; (fault \d+ \([\w-]+\))/g

/**
 * Why a request was answered as it was.
 *
 * @param key The whole key, of which the journal has the beginning.
 */
export function reasonOf(entry: RequestView, key: string): Reason {
  const { clause, code, gap } = entry.decision ?? {}
  const isServed = code === undefined
  // Without the status, which stands beside.
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

/** The result of a request that succeeded. */
function servedText({ operation, decision, request }: RequestView): string {
  const { petId, total } = decision ?? {}
  if (petId !== undefined) return `added pet ${petId}`
  if (operation !== 'listPets' || total === undefined) return ''
  // Lists come without their bodies.
  const limit = Number(/[?&]limit=(\d+)/.exec(request.url)?.[1] ?? pageLimit.default)
  const count = Math.min(total, limit, pageLimit.maximum)
  return count < total ? `${count} of ${countText(total, 'pet')}` : countText(count, 'pet')
}

/** What was asked for, in a few words. */
export function requestText({ request }: RequestView): string {
  return `${request.method} ${pathOf(request)}`
}

/** The time of day of an instant, to the millisecond where there are any. */
export function timeOfDay(at: string): string {
  return at.slice(11).replace('Z', '')
}

/** Lays out a JSON body; anything else stays as it is. */
export function readableBody(body: string): string {
  try {
    const parsed = parseJson(body)
    // Integers beyond the safe ones stay as they are.
    const mark = (_: string, value: unknown) => (typeof value === 'bigint' ? `\0${value}` : value)
    return visible(JSON.stringify(parsed, mark, 2).replace(/"\\u0000(-?\d+)"/g, '$1'))
  } catch {
    return visible(body)
  }
}

/** Characters that change how the text around them is read; all but tab and line ends of those that control. */
const controls = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Cc}]/gu

/** Writes characters that nobody sees, or that turn a text around, as escapes. */
export function visible(text: string): string {
  return text.replace(controls, (one) => {
    // Lines are laid out, and emoji are joined by it, and made of it.
    if ('\n\t\r\u200d\ufe0f'.includes(one)) return one
    return `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
}
