import type { LoggedRequest, RequestTiming } from '../../mock/log/logged-request.ts'
import type { AdapterName } from '../../mock/spec/message.ts'
import type { AllClients, ClientFacts, KeyFacts, RequestFacts, Tries } from './facts.ts'
import { isFailure, isFollowing, isSame, waitedMs } from './request-relations.ts'

/** How many tries of a request are kept. */
const keptTries = 16

/** A request that failed, and each time that it was sent again after that. */
class KeptTries implements Tries {
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
export class KeyUse implements KeyFacts {
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

/** How many of its latest refusals, and replies that leave nothing, are kept, for later requests to be judged by. */
const keptRefusals = 16

/** How many redirected requests of all clients are kept. */
const keptRedirects = 16

/** How many requests that failed are kept. */
const keptFailed = 8

/** How many different requests are remembered; then all are forgotten. */
const keptRequests = 32

/** The longest list that is kept, in characters. */
const keptList = 16_384

/** One client, as far as a sandbox can tell. */
export class Client implements ClientFacts {
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
  tries: KeptTries | undefined
  readonly #visits = new Visits()
  #failed: KeptTries[] = []
  /** Those of before the latest marks: how soon they came tells whether what goes on after it has a backoff. */
  #failedBefore: readonly KeptTries[] = []
  readonly #requests = new Map<string, RequestFacts>()

  constructor(keyUse: KeyUse, caller: number, adapter: AdapterName, all: AllClients) {
    this.keyUse = keyUse
    this.caller = caller
    this.isInProcess = isInProcess(adapter)
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
    this.all.latest = next
    if (next.code === 'moved') {
      this.all.redirects = [...this.all.redirects, next].slice(-keptRedirects)
    }
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
    const tries = this.tries ?? new KeptTries(next, this.#pauseBefore(next, known))
    if (tries === this.tries) tries.add(next)
    const others = this.#failed.filter((one) => one !== known)
    this.#failed = [...others, tries].slice(-keptFailed)
  }

  /** The shortest pause that the same request is known to have had before tries of it begin. */
  #pauseBefore(next: RequestFacts, known: KeptTries | undefined): number {
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

function isInProcess(adapter: AdapterName): boolean {
  if (adapter === 'direct' || adapter === 'fetch') return true
  // A page's requests take their turn in a service worker.
  return adapter === 'msw' && !('ServiceWorkerContainer' in globalThis)
}
