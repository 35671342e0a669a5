import type { OperationName } from '../contract/endpoints.ts'
import type { Exchange } from '../state/exchange.ts'
import type { State } from '../state/state.ts'
import { type AnswerCell, type Situation, type ValueChoices, valueChoices } from './cells.ts'
import type { TierName } from './coverage-report.ts'

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

/** Finds out which cells an exchange meets. */
export class Counter {
  readonly #meet: Meet
  readonly #waits = new Map<string, Wait>()

  constructor(meet: Meet) {
    this.#meet = meet
  }

  /** Counts an exchange that its client has lived through. */
  add(exchange: Exchange, { keys }: Pick<State, 'keys'>): void {
    const { strikes, cutShort, operation, outcome, refusal } = exchange
    for (const { fault } of strikes) this.#meet('situations', `fault ${fault}`)
    const hasReply = cutShort === undefined && !isSpoilt(exchange)
    if (!hasReply) {
      if (exchange.petId !== undefined) this.#situation('createPet took effect, reply lost')
      return
    }
    const isReplaced = strikes.some(({ action }) => action.step === 'refuse')
    if (!isReplaced) this.#addSituations(exchange, keys)
    if (operation === undefined || !('status' in outcome)) return
    this.#meet('outcomes', `${operation} ${outcome.status}`)
    if (refusal !== undefined) return
    for (const reader of valueReaders) {
      const cell = reader.operation === operation ? reader.cellIn(exchange) : undefined
      if (cell !== undefined) this.#meet('values', cell)
    }
    this.#addAnswer(operation, outcome.body, exchange.total ?? 0)
  }

  #situation(cell: Situation): void {
    this.#meet('situations', cell)
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
    this.#endWait(token, at)
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

  #addAnswer(operation: OperationName, body: string, total: number): void {
    // Read from the text, since a number would lose digits.
    for (const id of body.match(/"id":-?\d{16,}/g) ?? []) {
      if (!Number.isSafeInteger(Number(id.slice('"id":'.length)))) this.#answer('id above 2^53')
    }
    if (operation !== 'listPets' || body === '') return
    // The quotes in a name are escaped.
    const count = body.split('"id":').length - 1
    if (count === 0) this.#answer('listPets empty')
    if (count < total) this.#answer('listPets cut')
  }

  #answer(cell: AnswerCell): void {
    this.#meet('values', cell)
  }
}

/** Whether a fault kept the client from having the reply as it was meant. */
function isSpoilt({ outcome, strikes }: Exchange): boolean {
  if (strikes.length === 0) return false
  if (outcome.kind === 'broken-reply') return outcome.end !== 'whole'
  if (outcome.kind !== 'reply') return true
  return strikes.some(({ action }) => action.step === 'spoil')
}

/** Finds the cell of what a request has sent at one place. */
type ValueReader = (exchange: Exchange) => string | undefined

/** What reads the values of requests. */
const valueReaders = valueChoices.map((choices) => ({
  operation: choices.operation,
  cellIn: valueReader(choices),
}))

function valueReader({ place, name, absent, sent, other }: ValueChoices): ValueReader {
  const pattern = new RegExp(
    place === 'query' ? `[?&]${name}=([^&]*)` : `"${name}"\\s*:\\s*"(\\w*)"`,
  )
  return ({ request }) => {
    const text = pattern.exec(place === 'query' ? request.url : request.body)?.[1]
    if (text === undefined) return absent
    if (Object.hasOwn(sent, text)) return sent[text]
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    const isBetween = other !== undefined && number > other.above && number < other.below
    return isBetween ? other.cell : undefined
  }
}
