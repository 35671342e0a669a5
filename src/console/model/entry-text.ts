import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { parseJson } from '../../contract/json/json.ts'

/** What became of a request, in a word, with how good that is. */
export interface OutcomeText {
  readonly text: string
  readonly tone: 'good' | 'refused' | 'limited' | 'broken'
}

/** Says what became of a request: its status, or how it broke. */
export function outcomeText({ outcome, delivery }: JournalEntry): OutcomeText {
  if (outcome.kind === 'disconnect') return { text: 'cut off', tone: 'broken' }
  if (outcome.kind === 'timeout') return { text: 'no answer', tone: 'broken' }
  const text = String(outcome.status)
  if (outcome.kind === 'broken-reply' && delivery === 'broken') return { text, tone: 'broken' }
  if (outcome.status === 429) return { text, tone: 'limited' }
  if (outcome.status >= 500) return { text, tone: 'broken' }
  return { text, tone: outcome.status >= 400 ? 'refused' : 'good' }
}

/** Why it was answered so, without the status, which stands beside. */
export function whyText({ why }: Pick<JournalEntry, 'why'>): string {
  return why.replace(/^(?:\d{3}|disconnect|timeout): /, '')
}

/** What was asked for, in a few words. */
export function requestText({ request }: JournalEntry): string {
  return `${request.method} ${request.url}`
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
    return JSON.stringify(parsed, mark, 2).replace(/"\\u0000(-?\d+)"/g, '$1')
  } catch {
    return body
  }
}
