import type { OperationName } from '../contract/endpoints.ts'
import type { Exchange } from '../state/exchange.ts'
import type { State } from '../state/state.ts'
import type { TierName } from './cells/cell.ts'
import { choicesOfRequests } from './cells/cells.ts'
import type { Situation } from './cells/situation-cells.ts'
import type { AnswerCell, ValueChoices } from './cells/value-cells.ts'

/** Hears of each cell that an exchange meets, again and again. */
export type Meet = (tier: TierName, cell: string) => void

/** Why a key waits, and until when. */
interface Wait {
  readonly cell: Situation
  /** Unix milliseconds. */
  readonly untilAt: number
}

/** How many waiting keys are remembered; the one that waits longest is forgotten first. */
const maxWaits = 1_000

/** The longest body that is remembered, in characters. */
const mostRemembered = 65_536

/** How many lists are remembered. */
const mostLists = 4

/** The longest request that is remembered, in characters. */
const longestAsked = 1_000

/** How many requests are remembered. */
const mostAsked = 500

/** An id beyond what a double holds, at least: 16 digits or more. */
const largeId = /"id":-?(\d{16,})/

/** Finds the cell of what a request has sent at one place. */
class ValueReader {
  readonly #choices: ValueChoices
  readonly #pattern: RegExp

  constructor(choices: ValueChoices) {
    const { place, name } = choices
    this.#choices = choices
    this.#pattern = new RegExp(
      place === 'query' ? `[?&]${name}=([^&]*)` : `"${name}"\\s*:\\s*"(\\w*)"`,
    )
  }

  cellIn({ request }: Exchange): string | undefined {
    const { place, absent, sent, other } = this.#choices
    const text = this.#pattern.exec(place === 'query' ? request.url : request.body)?.[1]
    if (text === undefined) return absent
    if (Object.hasOwn(sent, text)) return sent[text]
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    return other !== undefined && number > other.above && number < other.below
      ? other.cell
      : undefined
  }
}

/** What reads the values of a request, by its operation. */
const readers: ReadonlyMap<OperationName, readonly ValueReader[]> = readersOf(choicesOfRequests)

function readersOf(all: readonly ValueChoices[]): Map<OperationName, readonly ValueReader[]> {
  const byOperation = new Map<OperationName, readonly ValueReader[]>()
  for (const choices of all) {
    const others = byOperation.get(choices.operation) ?? []
    byOperation.set(choices.operation, [...others, new ValueReader(choices)])
  }
  return byOperation
}

/** A list, and how many pets it has. */
interface List {
  readonly body: string
  readonly count: number
}

/** Finds out which cells an exchange meets. */
export class Counter {
  readonly #meet: Meet
  readonly #has: (tier: TierName, cell: string) => boolean
  /** The names of outcomes, so that none is made twice. */
  readonly #outcomes = new Map<OperationName, Map<number, string>>()
  readonly #waits = new Map<string, Wait>()
  /** What was asked and served, by target, or body for a new pet: the same again meets no other outcome or value. */
  readonly #asked = new Map<string, number>()
  /** The latest lists that were looked at: pages stay as they are until a pet comes or goes. */
  #lists: readonly List[] = []

  constructor(meet: Meet, has: (tier: TierName, cell: string) => boolean) {
    this.#meet = meet
    this.#has = has
  }

  /** Counts an exchange that its client has lived through. */
  add(exchange: Exchange, { keys }: Pick<State, 'keys'>): void {
    const { strikes, cutShort, operation } = exchange
    for (const { fault } of strikes) this.#meet('situations', `fault ${fault}`)
    const hasReply = cutShort === undefined && !isSpoilt(exchange)
    if (!hasReply) {
      if (exchange.petId !== undefined) this.#situation('createPet took effect, reply lost')
      return
    }
    const isReplaced = strikes.length > 0 && strikes.some(({ action }) => action.step === 'refuse')
    if (!isReplaced) this.#addSituations(exchange, keys)
    if (operation === undefined || !('status' in exchange.outcome)) return
    const { status } = exchange.outcome
    const isKnown = exchange.refusal === undefined && !this.#isNew(operation, status, exchange)
    if (!isKnown) this.#meet('outcomes', this.#outcome(operation, status))
    if (exchange.refusal !== undefined) return
    if (!isKnown) this.#addSent(operation, exchange)
    // The same pet has the same id, and a new one an id that is known.
    if (operation === 'getPet' ? isKnown : typeof exchange.petId === 'number') return
    this.#addAnswer(operation, exchange)
  }

  /** Forgets which requests need no second look, since another test begins, which may be the first one with a name. */
  lookAgain(): void {
    this.#asked.clear()
    this.#lists = []
  }

  /** Whether a request that was served has not been counted before, as far as is remembered; it is from now on. */
  #isNew(operation: OperationName, status: number, { request }: Exchange): boolean {
    const asked = operation === 'createPet' ? request.body : request.url
    if (asked.length > longestAsked) return true
    if (this.#asked.get(asked) === status) return false
    if (this.#asked.size < mostAsked || this.#asked.has(asked)) this.#asked.set(asked, status)
    return true
  }

  #situation(cell: Situation): void {
    this.#meet('situations', cell)
  }

  #outcome(operation: OperationName, status: number): string {
    const ofOperation = this.#outcomes.get(operation) ?? new Map<number, string>()
    const known = ofOperation.get(status)
    if (known !== undefined) return known
    const made = `${operation} ${status}`
    this.#outcomes.set(operation, ofOperation.set(status, made))
    return made
  }

  #addSituations(exchange: Exchange, keys: State['keys']): void {
    const { refusal, outcome, quota, token, at, isSpent } = exchange
    if (refusal === undefined) {
      if (quota.remaining === 0 && isSpent) this.#situation('last request of a window')
      if ('status' in outcome && outcome.headers.deprecation !== undefined) {
        this.#situation('deprecation announced')
      }
    } else if (refusal.code === 'rate_limit_exceeded') {
      this.#situation(quota.window === 'day' ? '429 by day' : '429 by minute')
      this.#wait(token, { cell: 'served again after 429', untilAt: quota.resetAt })
      return
    } else if (refusal.code === 'key_banned') {
      this.#situation('banned')
      this.#wait(token, { cell: 'served again after a ban', untilAt: quota.resetAt })
      return
    } else if (refusal.code === 'unauthorized') {
      this.#addKey(token, keys)
      return
    } else if (refusal.gap === 'afterSunset') {
      this.#situation('operation removed')
    }
    if (this.#waits.size > 0) this.#endWait(token, at)
  }

  #addKey(token: string, keys: State['keys']): void {
    const key = token === '' ? undefined : keys.find(token)
    if (token === '') this.#situation('key missing')
    else if (key === undefined) this.#situation('key unknown')
    else this.#situation(key.isRevoked ? 'key revoked' : 'key expired')
  }

  #wait(token: string, wait: Wait): void {
    this.#waits.delete(token)
    this.#waits.set(token, wait)
    if (this.#waits.size <= maxWaits) return
    const [longest] = this.#waits.keys()
    if (longest !== undefined) this.#waits.delete(longest)
  }

  /** Ends the wait of a key that is no longer refused: it counts if it is over, and not if a control has ended it. */
  #endWait(token: string, at: number): void {
    const wait = this.#waits.get(token)
    if (wait === undefined) return
    this.#waits.delete(token)
    if (at >= wait.untilAt) this.#situation(wait.cell)
  }

  #addSent(operation: OperationName, exchange: Exchange): void {
    for (const reader of readers.get(operation) ?? []) {
      const cell = reader.cellIn(exchange)
      if (cell !== undefined) this.#meet('values', cell)
    }
  }

  #addAnswer(operation: OperationName, { outcome, total = 0 }: Exchange): void {
    if (!('status' in outcome) || outcome.body === '') return
    const { body } = outcome
    if (operation !== 'listPets') {
      this.#lookForLargeId(body)
      return
    }
    if (this.#countOf(body) < total) this.#answer('listPets cut')
  }

  /** How many pets a list has; looks at what it holds if it is new. */
  #countOf(body: string): number {
    for (const list of this.#lists) if (list.body === body) return list.count
    const { count, mayHaveLargeId } = idsIn(body)
    if (mayHaveLargeId) this.#lookForLargeId(body)
    if (count === 0) this.#answer('listPets empty')
    if (body.length <= mostRemembered) {
      this.#lists = [...this.#lists.slice(1 - mostLists), { body, count }]
    }
    return count
  }

  #answer(cell: AnswerCell): void {
    this.#meet('values', cell)
  }

  #hasAnswer(cell: AnswerCell): boolean {
    return this.#has('values', cell)
  }

  #lookForLargeId(body: string): void {
    if (this.#hasAnswer('id above 2^53')) return
    const digits = largeId.exec(body)?.[1]
    if (digits !== undefined && !Number.isSafeInteger(Number(digits))) {
      this.#answer('id above 2^53')
    }
  }
}

/** Whether a fault kept the client from having the reply as it was meant. */
function isSpoilt({ outcome, strikes }: Exchange): boolean {
  if (strikes.length === 0) return false
  if (outcome.kind === 'broken-reply') return outcome.end !== 'whole'
  if (outcome.kind !== 'reply') return true
  return strikes.some(({ action }) => action.step === 'spoil')
}

/** How many pets a list has, and whether an id of them may be large: the quotes in a name are escaped. */
function idsIn(list: string): { readonly count: number; readonly mayHaveLargeId: boolean } {
  let count = 0
  let mayHaveLargeId = false
  for (let at = list.indexOf(idField); at >= 0; at = list.indexOf(idField, at + 1)) {
    count++
    const sixteenth = list.charCodeAt(at + idField.length + 15)
    mayHaveLargeId ||= sixteenth >= 0x30 && sixteenth <= 0x39
  }
  return { count, mayHaveLargeId }
}

const idField = '"id":'
