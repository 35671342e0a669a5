import type { OperationName } from '../contract/endpoints.ts'
import type { ErrorCode } from '../contract/error.ts'
import type { Exchange, VisitFacts } from '../state/exchange.ts'

/** The longest text that is kept to be compared, in characters. */
export const keptText = 256

/** How much of each end of a longer one decides whether it is the same, in characters. */
const keptEnds = 4_096

/** A request that failed, and each time that it was sent again after that. */
export interface Tries {
  /** The latest ones, the first of them first. */
  readonly list: readonly Seen[]
  readonly count: number
  /** The shortest pause between two of them all, in milliseconds. */
  readonly shortestPauseMs: number
}

/** One client, as far as a sandbox can tell. */
export interface Client {
  readonly caller: number
  /** Whether it shares the process, so that nothing but it decides when its requests arrive. */
  readonly isNear: boolean
  /** Whether it has ever had two requests under way: then an order alone proves little. */
  readonly isParallel: boolean
  /** How its key is used, over other connections, too. */
  readonly keyUse: {
    /** Where the latest request of the key stands that showed what pets there are; 0 for none. */
    readonly lastLookOrder: number
  }
  /** Its latest refusals for quota, the latest last. */
  readonly refusals: readonly Seen[]
  /** Its latest list, and the text of it if that isn't long; `undefined` once it has sent a pet. */
  readonly list: Seen | undefined
  readonly listBody: string
  /** Its latest exchange of all. */
  readonly latest: Seen | undefined
  /** Its latest reply that said that nothing is left until a reset. */
  readonly spent: Seen | undefined
  /** The same request as the one that is judged, the last time before. */
  readonly previous: Seen | undefined
  /** Where the request stands that added the latest pet, whoever sent it. */
  readonly lastPetOrder: number
  /** The earlier tries of a request that have failed one after the other, of which it knew. */
  triesBefore(next: Seen): Tries | undefined
  /** Notes that a request came; gives how long there had been nothing before it, in real milliseconds. */
  arrive(visit: VisitFacts): number
}

/** What is kept of an exchange to hold later ones against it. */
export class Seen {
  readonly id: number
  readonly origin: Client
  readonly visit: VisitFacts
  readonly operation: OperationName | undefined
  readonly method: string
  readonly url: string
  readonly body: string
  /** Unix milliseconds, by the sandbox's clock. */
  readonly at: number
  readonly endedAt: number
  /** `undefined` if no reply was begun. */
  readonly status: number | undefined
  readonly code: ErrorCode | undefined
  readonly quota: Exchange['quota']
  /** Whether it added a pet, delivered or not. */
  readonly petId: Exchange['petId']
  /** Whether a fault made JSON of the answer that nobody can read. */
  readonly isSpoilt: boolean
  /** What its Retry-After said, as it was sent. */
  readonly retryAfter: string | undefined
  /** How far its Date was ahead of the sandbox's clock, in milliseconds. */
  readonly dateAheadMs: number
  /** How long its origin had done nothing before it, in real milliseconds. */
  readonly quietMs: number
  readonly #retryAt: number | undefined

  constructor(id: number, origin: Client, exchange: Exchange) {
    const { request, outcome } = exchange
    this.id = id
    this.origin = origin
    this.visit = exchange.visit
    this.operation = exchange.operation
    this.method = request.method
    this.url = comparable(request.url)
    this.body = comparable(request.body)
    this.at = exchange.at
    this.endedAt = exchange.endedAt
    this.status = 'status' in outcome ? outcome.status : undefined
    this.code = exchange.refusal?.code
    this.#retryAt = exchange.refusal?.retryAt
    this.quota = exchange.quota
    this.petId = exchange.petId
    this.retryAfter = this.#retryAt === undefined ? undefined : retryAfterOf(outcome)
    const { strikes, gaps } = exchange
    this.dateAheadMs = gaps.dateSkew === 'none' ? 0 : gaps.dateSkew
    this.isSpoilt = strikes.length > 0 && strikes.some(({ fault }) => fault === 'malformed-json')
    this.quietMs = origin.arrive(exchange.visit)
  }

  /** The status, if the reply arrived whole and can be read; any other one tells its client nothing for sure. */
  get arrivedStatus(): number | undefined {
    return this.visit.delivery === 'delivered' && !this.isSpoilt ? this.status : undefined
  }

  /** Whether its reply said when to come back, be it that the reply did not arrive whole. */
  get isRefusal(): boolean {
    return this.#retryAt !== undefined
  }

  /** When its client was told to come back, in Unix milliseconds; a refusal that never arrived tells nothing. */
  get retryAt(): number | undefined {
    return this.visit.delivery === 'delivered' ? this.#retryAt : undefined
  }
}

function retryAfterOf(outcome: Exchange['outcome']): string | undefined {
  return 'headers' in outcome ? outcome.headers['retry-after'] : undefined
}

/** A text of bounded length that stands for another one. */
function comparable(text: string): string {
  if (text.length <= keptText) return text
  const ends = text.length > 2 * keptEnds ? text.slice(0, keptEnds) + text.slice(-keptEnds) : text
  let hash = 0
  for (let index = 0; index < ends.length; index++) hash = (hash * 31 + ends.charCodeAt(index)) | 0
  return `${text.slice(0, 80)}… ${text.length} ${hash}`
}

/** Whether one request is another one again. */
export function isSame(one: Seen, other: Seen): boolean {
  return one.url === other.url && one.method === other.method && one.body === other.body
}

/** How many turns of the event loop a client in the same process needs at most until it has what it is told. */
const nearTurns = 2

/** How long a client is quiet at least that has nothing queued any more, in real milliseconds. */
const farMs = 250

/** Whether a client must have known how one exchange ended when it sent the next one. */
export function isAfter(former: Seen, next: Seen): boolean {
  if (!isInOrder(former, next)) return false
  const { answeredTurn = 0 } = former.visit
  return next.origin.isNear
    ? next.visit.receivedTurn - answeredTurn >= nearTurns
    : next.quietMs >= farMs
}

/** Whether a client sent a request after another one, as far as it sends one after the other. */
export function isFollowing(former: Seen, next: Seen): boolean {
  const { isNear } = next.origin
  // Under MSW 3, what is sent together may wait in line for one connection; but a line breaks with its connection.
  const isProof = (isNear && next.visit.door !== 'msw') || former.visit.delivery !== 'delivered'
  return isAfter(former, next) || (isProof && isInLine(former, next))
}

/** Whether a request came after another one of an origin that has never had two under way: a queue may do so, too. */
export function isInLine(former: Seen, next: Seen): boolean {
  return !next.origin.isParallel && isInOrder(former, next)
}

/** Whether an exchange ended before the next one of its origin began. */
export function isInOrder({ origin, visit }: Seen, next: Seen): boolean {
  const { answerOrder } = visit
  return answerOrder !== undefined && origin === next.origin && answerOrder < next.visit.startOrder
}

/** How long a client has waited between an answer and its next request: by whichever clock it was longest. */
export function waitedMs(former: Seen, next: Seen): number {
  const { answered = 0, answeredAt = 0 } = former.visit
  const { received, receivedAt } = next.visit
  return Math.max(next.at - former.endedAt, received - answered, receivedAt - answeredAt)
}

/** How long a client has waited before each of its requests but the first, in milliseconds. */
export function pausesOf(requests: readonly Seen[]): number[] {
  return requests.slice(1).map((one, index) => waitedMs(requests[index] ?? one, one))
}

/** The longest pause after which a request is a retry, and not the next turn of a poll, in milliseconds. */
export const retryMs = 60_000

/** The shortest pause of a poll, in milliseconds; what comes without one is a loop. */
export const pollMs = 250

/** How long there was from the start of one request to the start of another: by whichever clock it was longest. */
export function intervalBetween(former: Seen, next: Seen): number {
  const { received, receivedAt } = former.visit
  return Math.max(
    next.at - former.at,
    next.visit.received - received,
    next.visit.receivedAt - receivedAt,
  )
}

/** Whether it was the service that set the pace between two requests: one reply said that nothing was left until then. */
export function isPaced(former: Seen, next: Seen): boolean {
  const { spent } = next.origin
  if (spent === undefined || !isInOrder(spent, next)) return false
  const isBetween = spent === former || isInOrder(former, spent)
  return isBetween && !isBefore(spent.quota.resetAt, spent, next)
}

/** Whether a request came before the instant that an earlier answer told. */
export function isBefore(toldAt: number, former: Seen, next: Seen): boolean {
  // Timers may fire a millisecond early. A clock that went back without a mark says nothing.
  return next.at >= former.endedAt && waitedMs(former, next) < toldAt - former.endedAt - 1
}
