import { endpoints, type OperationName } from '../contract/endpoints.ts'
import type { ErrorCode } from '../contract/error.ts'
import type { DoorName } from '../contract/message.ts'
import { type LoggedRequest, type RequestTiming, timingOf } from '../log/logged-request.ts'

/** What is kept of a request and its answer, for later requests to be judged by. */
export class RequestFacts {
  readonly id: number
  readonly client: Client
  /** Its timing, which goes on until its response has ended. */
  visit: RequestTiming
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
  readonly quota: Pick<LoggedRequest, 'window' | 'limit' | 'remaining' | 'resetAt'>
  /** The pet that the request added, whether or not the answer was delivered. */
  readonly petId: LoggedRequest['petId']
  /** Whether a fault made the answer invalid JSON. */
  readonly isMalformed: boolean
  /** The `Retry-After` of the reply, as it was sent. */
  readonly retryAfter: string | undefined
  /** How far the reply's `Date` was ahead of the sandbox's clock, in milliseconds. */
  readonly dateAheadMs: number
  /** How long its client had done nothing before it, in real milliseconds. */
  readonly quietMs: number
  readonly #retryAt: number | undefined

  constructor(client: Client, exchange: LoggedRequest) {
    const { request, outcome, gaps, refusal } = exchange
    this.id = exchange.id
    this.client = client
    this.visit = exchange
    this.operation = exchange.operation
    this.method = request.method
    this.url = comparable(request.url)
    this.body = comparable(request.body)
    this.at = exchange.at
    this.endedAt = exchange.endedAt ?? exchange.at
    this.status = 'status' in outcome ? outcome.status : undefined
    this.code = refusal?.code
    const { window, limit, remaining, resetAt } = exchange
    this.quota = { window, limit, remaining, resetAt }
    this.petId = exchange.petId
    this.isMalformed = exchange.strikes.some(({ fault }) => fault === 'malformed-json')
    this.#retryAt = refusal?.retryAt
    this.retryAfter =
      this.#retryAt !== undefined && 'headers' in outcome
        ? outcome.headers['retry-after']
        : undefined
    this.dateAheadMs = gaps.dateSkew === 'none' ? 0 : gaps.dateSkew
    this.quietMs = client.arrive(exchange)
  }

  /** Keeps its timing apart from the rest of the request, which may be long. */
  settle(): void {
    if (this.visit.answerOrder !== undefined) this.visit = timingOf(this.visit)
  }

  /** The status, if the reply arrived whole and can be read; any other reply tells its client nothing for sure. */
  get arrivedStatus(): number | undefined {
    return this.visit.delivery === 'delivered' && !this.isMalformed ? this.status : undefined
  }

  /** Whether its reply said when to come back, even if the reply did not arrive whole. */
  get isRefusal(): boolean {
    return this.#retryAt !== undefined
  }

  /** When its client was told to come back, in Unix milliseconds; a refusal that never arrived tells nothing. */
  get retryAt(): number | undefined {
    return this.visit.delivery === 'delivered' ? this.#retryAt : undefined
  }
}

/** The longest text that is kept to be compared, in characters. */
const keptText = 256

/** A text of bounded length that stands for another one. */
function comparable(text: string): string {
  if (text.length <= keptText) return text
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) | 0
  return `${text.slice(0, 80)}… ${text.length} ${hash}`
}

// The order of requests and answers, and the pauses between them.

/** Whether two requests are the same. */
export function isSame(one: RequestFacts, other: RequestFacts): boolean {
  return one.url === other.url && one.method === other.method && one.body === other.body
}

/** How many turns of the event loop a client in the same process needs at most to receive its answer. */
const mostTurns = 2

/** How long a client is quiet at least once it has nothing queued any more, in real milliseconds. */
const quietEnoughMs = 250

/** Whether a client must have known how one exchange ended when it sent the next one. */
export function isAfter(former: RequestFacts, next: RequestFacts): boolean {
  if (!isInOrder(former, next)) return false
  const { answeredTurn = 0 } = former.visit
  return next.client.isInProcess
    ? next.visit.receivedTurn - answeredTurn >= mostTurns
    : next.quietMs >= quietEnoughMs
}

/** Whether a client sent a request after another one, as far as it sends one after the other. */
export function isFollowing(former: RequestFacts, next: RequestFacts): boolean {
  const { isInProcess } = next.client
  // Under MSW 3, what is sent together may queue for one connection; but a queue breaks with its connection.
  const isProof =
    (isInProcess && next.visit.door !== 'msw') || former.visit.delivery !== 'delivered'
  return isAfter(former, next) || (isProof && isInLine(former, next))
}

/** Whether a request came after another one of a client that has never had two under way; a queue looks the same. */
export function isInLine(former: RequestFacts, next: RequestFacts): boolean {
  return !next.client.isParallel && isInOrder(former, next)
}

/** Whether an exchange ended before the next one of its client began. */
export function isInOrder({ client, visit }: RequestFacts, next: RequestFacts): boolean {
  const { answerOrder } = visit
  return answerOrder !== undefined && client === next.client && answerOrder < next.visit.startOrder
}

/** Whether a request came before the instant that an earlier answer named. */
export function isBefore(toldAt: number, former: RequestFacts, next: RequestFacts): boolean {
  // Timers may fire a millisecond early. A clock that went back without a mark proves nothing.
  return next.at >= former.endedAt && waitedMs(former, next) < toldAt - former.endedAt - 1
}

/** Whether the service set the pace between two requests: a reply between said that nothing was left until then. */
export function isPaced(former: RequestFacts, next: RequestFacts): boolean {
  return next.client.spent.some((spent) => {
    const { answerOrder = 0 } = spent.visit
    const isBetween = isInOrder(spent, next) && answerOrder > former.visit.startOrder
    return isBetween && !isBefore(spent.quota.resetAt, spent, next)
  })
}

/** How long a client waited between an answer and its next request: by whichever clock it was longest. */
export function waitedMs(former: RequestFacts, next: RequestFacts): number {
  const { answeredUs = 0, answeredAt = 0 } = former.visit
  const { receivedUs, receivedAt } = next.visit
  const realMs = (receivedUs - answeredUs) / 1000
  return Math.max(next.at - former.endedAt, realMs, receivedAt - answeredAt)
}

/** How long a client waited before each of its requests but the first, in milliseconds. */
export function pausesOf(requests: readonly RequestFacts[]): number[] {
  return requests.slice(1).map((one, index) => waitedMs(requests[index] ?? one, one))
}

/** How long there was from the start of one request to the start of another: by whichever clock it was longest. */
export function intervalBetween(former: RequestFacts, next: RequestFacts): number {
  const { receivedUs, receivedAt } = former.visit
  return Math.max(
    next.at - former.at,
    (next.visit.receivedUs - receivedUs) / 1000,
    next.visit.receivedAt - receivedAt,
  )
}

/** The longest pause after which a request is a retry, and not the next turn of a poll, in milliseconds. */
export const retryMs = 60_000

/** The shortest pause of a poll, in milliseconds; what comes without one is a loop. */
export const pollMs = 250

// What became of a request.

/** Whether a client could not use the answer, as far as is known by now. */
function isFailure({ status, isMalformed, visit: { delivery } }: RequestFacts): boolean {
  return status === undefined || status >= 400 || isMalformed || delivery !== 'delivered'
}

/** Whether an answer never came, or came broken, or said only that something went wrong. */
export function isLost(facts: RequestFacts): boolean {
  const { status, visit } = facts
  if (status === undefined || status >= 500 || visit.delivery !== 'delivered') return true
  return status < 400 && isFailure(facts)
}

/** How soon a client cancels a request that it doesn't need any more; one that has waited in vain gives up later. */
const cancelMs = 1_000

/**
 * Whether the service or the connection failed, and no reply said when to come back. A pet that was added has not failed,
 * though its client may have to look for it.
 */
export function isOutage(facts: RequestFacts): boolean {
  const { status, retryAt, petId } = facts
  if (retryAt !== undefined || petId !== undefined || isCancelled(facts)) return false
  return status === undefined || status >= 500 || (status < 400 && isFailure(facts))
}

function isCancelled({ visit, at, endedAt }: RequestFacts): boolean {
  const { delivery, receivedUs, receivedAt } = visit
  const { answeredUs = receivedUs, answeredAt = receivedAt } = visit
  if (delivery !== 'left') return false
  const realMs = (answeredUs - receivedUs) / 1000
  return Math.max(realMs, answeredAt - receivedAt, endedAt - at) < cancelMs
}

/** How many tries of a request are kept. */
const keptTries = 16

/** A request that failed, and each time that it was sent again after that. */
class Tries {
  /** The latest ones, the first of them first. */
  readonly list: RequestFacts[]
  count = 1
  /** The shortest pause between two of them all, in milliseconds. */
  shortestPauseMs: number
  /** The same request, the last time it was sent; it may be another task's that was served. */
  latest: RequestFacts

  /** @param pauseMs How long before it the same request was sent that is no try of these, such as another task's. */
  constructor(first: RequestFacts, pauseMs: number) {
    this.list = [first]
    this.latest = first
    this.shortestPauseMs = first.isRefusal ? 0 : pauseMs
  }

  add(next: RequestFacts): void {
    const pauseMs = Math.min(this.shortestPauseMs, waitedMs(this.latest, next))
    // A refusal is a try, too: the backoff after it may begin with a longer pause, and its first pause isn't seen.
    this.shortestPauseMs = next.isRefusal ? 0 : pauseMs
    this.list.push(next)
    if (this.list.length > keptTries) this.list.shift()
    this.count++
    this.latest = next
  }
}

/** How many visits are kept whose end isn't known yet. */
const keptOpen = 32

/** The requests of a key or a client on their way, as far as one may overlap another. */
class Visits {
  /** Whether two have ever been under way at a time. */
  isParallel = false
  #lastAnswerOrder = 0
  /** When anything happened last, in real milliseconds. */
  #lastActive = Number.NEGATIVE_INFINITY
  /** Those whose end wasn't known yet, such as slow bodies; each with the start of the one after it. */
  #open: { readonly visit: RequestTiming; followedOrder: number | undefined }[] = []

  /** Adds a visit; returns how long there had been nothing before it, in real milliseconds. */
  add(visit: RequestTiming): number {
    for (const one of this.#open) {
      one.followedOrder ??= visit.startOrder
      if (one.followedOrder < (one.visit.answerOrder ?? 0)) this.isParallel = true
      this.#note(one.visit)
    }
    const isOverlapping = visit.startOrder < this.#lastAnswerOrder
    if (isOverlapping) this.isParallel = true
    const quietMs = isOverlapping ? 0 : visit.receivedUs / 1000 - this.#lastActive
    this.#note(visit)
    this.#open = this.#open.filter((one) => one.visit.answerOrder === undefined).slice(-keptOpen)
    if (visit.answerOrder === undefined) this.#open.push({ visit, followedOrder: undefined })
    return quietMs
  }

  #note({ startOrder, answerOrder = startOrder, receivedUs, answeredUs }: RequestTiming): void {
    this.#lastAnswerOrder = Math.max(this.#lastAnswerOrder, answerOrder)
    this.#lastActive = Math.max(this.#lastActive, (answeredUs ?? receivedUs) / 1000)
  }
}

/** How a key is used, over whichever connections. */
export class KeyUse {
  /** Whether two of its requests have ever been under way at a time: then each connection may be another client. */
  isParallel = false
  /** Where the latest request of the key stands that showed what pets there are; 0 for none. */
  lastLookOrder = 0
  readonly #visits = new Visits()
  #former: RequestTiming | undefined

  /** Notes that a request came. */
  arrive(visit: RequestTiming): void {
    this.#visits.add(visit)
    if (this.#visits.isParallel || this.#isSentWithFormer(visit)) this.isParallel = true
    this.#former = visit
  }

  /** Notes what a reply has shown the client: nothing, unless it arrived whole. */
  keep({ operation, arrivedStatus: status, visit }: RequestFacts): void {
    const isRead = operation === 'listPets' || operation === 'getPet'
    if (isRead && status !== undefined && status < 400) this.lastLookOrder = visit.startOrder
  }

  /** Whether a request was sent before the answer to the one before it could be read. */
  #isSentWithFormer({ startOrder, connection, receivedTurn }: RequestTiming): boolean {
    const former = this.#former
    if (former === undefined) return false
    // Its client may have left since it was answered.
    if (startOrder < (former.answerOrder ?? 0)) return true
    // What lay on another connection when this one was answered was sent before that.
    const isElsewhere = connection !== undefined && connection !== former.connection
    return isElsewhere && former.connection !== undefined && receivedTurn === former.answeredTurn
  }
}

/** What is known of all clients together. */
export class AllClients {
  /** Where the request stands that added the latest pet. */
  lastPetOrder = 0
  /** The large ids that anybody was given, or has asked for. */
  readonly knownIds = new Set<string>()
  /** The latest refusal of each client that has not come back since, by caller and connection. */
  readonly refused = new Map<string, RequestFacts>()
  /** The latest requests of clients that came back after a refusal. */
  returned: RequestFacts[] = []

  forget(): void {
    this.refused.clear()
    this.returned = []
  }
}

/** How many of its latest refusals, and replies that leave nothing, are kept, for later requests to be judged by. */
const keptRefusals = 16

/** How many requests that failed are kept. */
const keptFailed = 8

/** How many different requests are remembered; then all are forgotten. */
const keptRequests = 32

/** The longest list that is kept, in characters. */
const keptList = 16_384

/** One client, as far as a sandbox can tell. */
export class Client {
  readonly caller: number
  /** Whether it shares the process, so that nothing but it decides when its requests arrive. */
  readonly isInProcess: boolean
  readonly all: AllClients
  keyUse: KeyUse
  /** Its latest refusals for quota, the latest last. */
  refusals: RequestFacts[] = []
  /** Its latest list, and the text of it if that isn't long; `undefined` once it has sent a pet. */
  list: RequestFacts | undefined
  listBody = ''
  /** Its latest exchange of all. */
  latest: RequestFacts | undefined
  /** Its latest replies that said that nothing is left until a reset. */
  spent: readonly RequestFacts[] = []
  /** The same request as the one that is judged, the last time before. */
  previous: RequestFacts | undefined
  /** The earlier tries of the request that is judged, if they failed one after the other, and it knew. */
  tries: Tries | undefined
  readonly #visits = new Visits()
  #failed: Tries[] = []
  /** Those of before the latest marks: how soon they came tells whether what goes on after it has a backoff. */
  #failedBefore: readonly Tries[] = []
  readonly #requests = new Map<string, RequestFacts>()

  constructor(keyUse: KeyUse, caller: number, door: DoorName, all: AllClients) {
    this.keyUse = keyUse
    this.caller = caller
    this.isInProcess = isInProcess(door)
    this.all = all
  }

  /** Whether it has ever had two requests under way: then an order alone proves little. */
  get isParallel(): boolean {
    return this.#visits.isParallel
  }

  /** Notes that a request came; returns how long there had been nothing before it, in real milliseconds. */
  arrive(visit: RequestTiming): number {
    return this.#visits.add(visit)
  }

  /** Begins to judge a request: looks for what came before the same one. */
  begin(next: RequestFacts): void {
    const asked = `${next.method} ${next.url} ${next.body}`
    this.previous = this.#requests.get(asked)
    const isFull = this.#requests.size >= keptRequests
    if (isFull && this.previous === undefined) this.#requests.clear()
    this.#requests.set(asked, next)
    const known = this.#failed.find(({ latest }) => isSame(latest, next))
    const hasFailed = known !== undefined && isFailure(known.latest)
    this.tries = hasFailed && isFollowing(known.latest, next) ? known : undefined
  }

  /** Keeps of an exchange, once it is judged, what later ones are judged by. */
  keep(next: RequestFacts, { outcome }: LoggedRequest): void {
    const { operation, quota, visit } = next
    if (next.petId !== undefined) this.all.lastPetOrder = visit.startOrder
    if (operation === 'createPet') this.list = undefined
    else if (operation === 'listPets' && next.arrivedStatus === 200 && 'body' in outcome) {
      this.list = next
      this.listBody = outcome.body.length > keptList ? '' : outcome.body
    }
    this.latest = next
    this.keyUse.keep(next)
    const isSpent = quota.remaining === 0 && visit.delivery === 'delivered'
    if (isSpent) this.spent = [...this.spent, next].slice(-keptRefusals)
    if (next.isRefusal) this.refusals = [...this.refusals, next].slice(-keptRefusals)
    this.#keepTry(next)
  }

  #keepTry(next: RequestFacts): void {
    const known = this.#failed.find(({ latest }) => isSame(latest, next))
    if (!isFailure(next)) {
      // Another task may go on with its tries: how soon they came is kept for those that follow.
      if (known !== undefined) known.latest = next
      return
    }
    const tries = this.tries ?? new Tries(next, this.#pauseBefore(next, known))
    if (tries === this.tries) tries.add(next)
    const others = this.#failed.filter((one) => one !== known)
    this.#failed = [...others, tries].slice(-keptFailed)
  }

  /** The shortest pause that the same request is known to have had before tries of it begin. */
  #pauseBefore(next: RequestFacts, known: Tries | undefined): number {
    if (known !== undefined && isFailure(known.latest)) return 0
    const { previous } = this
    const pauseMs = previous === undefined ? Number.POSITIVE_INFINITY : waitedMs(previous, next)
    const earlier = known ?? this.#failedBefore.findLast(({ latest }) => isSame(latest, next))
    return Math.min(pauseMs, earlier?.shortestPauseMs ?? pauseMs)
  }

  /** Forgets what nothing can be concluded from any more, since the world has changed. */
  forget(): void {
    this.refusals = []
    this.#failedBefore = [...this.#failedBefore, ...this.#failed].slice(-keptFailed)
    this.#failed = []
    this.#requests.clear()
    this.previous = undefined
    this.tries = undefined
    this.latest = undefined
    this.spent = []
    this.list = undefined
  }
}

function isInProcess(door: DoorName): boolean {
  if (door === 'direct' || door === 'fetch') return true
  // A page's requests take their turn in a service worker.
  return door === 'msw' && !('ServiceWorkerContainer' in globalThis)
}

/** Writes what a request asked for, such as `GET /pets/{petId}`, or `GET /v1/cats` where there is no such operation. */
export function requestText({
  operation,
  method,
  url,
}: Pick<RequestFacts, 'operation' | 'method' | 'url'>): string {
  // Of a request that is no HTTP, nothing is known.
  if (method === '') return 'an unreadable request'
  if (operation === undefined) return `${method} ${url.slice(0, 80)}`
  return `${endpoints[operation].method} ${endpoints[operation].path}`
}
