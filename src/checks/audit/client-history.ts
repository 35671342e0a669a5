import type { AdapterName } from '../../mock/api/message.ts'
import type { LoggedRequest } from '../../mock/log/logged-request.ts'
import type { AllClients, ClientFacts, KeyFacts, RequestFacts, Tries } from './facts.ts'
import { isFailure, isFollowing, isSame, waitedMs } from './request-relations.ts'

/** Maximum number of tries kept per request. */
const keptTries = 16

/** A failed request and its retries. */
class KeptTries implements Tries {
  /** Latest tries, oldest first. */
  readonly list: RequestFacts[]
  count = 1
  /** Shortest pause between two consecutive tries, including those no longer kept, in milliseconds. */
  shortestPauseMs: number
  /** Latest time that the same request was sent, perhaps successfully and by another task. */
  latest: RequestFacts

  /** @param pauseMs Time since the same request was last sent outside this retry sequence, such as by another task. */
  constructor(first: RequestFacts, pauseMs: number) {
    this.list = [first]
    this.latest = first
    this.shortestPauseMs = first.isRejection ? 0 : pauseMs
  }

  add(next: RequestFacts): void {
    const pauseMs = Math.min(this.shortestPauseMs, waitedMs(this.latest, next))
    // A rejection counts as a try. `Retry-After` hides the first pause of the backoff after it, so assume 0.
    this.shortestPauseMs = next.isRejection ? 0 : pauseMs
    this.list.push(next)
    if (this.list.length > keptTries) this.list.shift()
    this.count++
    this.latest = next
  }
}

/** Maximum number of requests tracked whose response hasn't ended. */
const keptOpen = 32

/** Requests of a key or a client, as far as they may overlap. */
class Overlaps {
  /** Whether two requests have ever been in flight at once. */
  isParallel = false
  #lastEndOrder = 0
  /** Time of the latest activity, in real milliseconds. */
  #lastActive = Number.NEGATIVE_INFINITY
  /** Requests whose response hadn't ended yet, such as slow bodies, each with the start of the request after it. */
  #open: { readonly logged: LoggedRequest; followedOrder: number | undefined }[] = []

  /** Adds a request; returns the idle time before it, in real milliseconds. */
  add(logged: LoggedRequest): number {
    for (const one of this.#open) {
      one.followedOrder ??= logged.startOrder
      if (one.followedOrder < (one.logged.endOrder ?? 0)) this.isParallel = true
      this.#note(one.logged)
    }
    const isOverlapping = logged.startOrder < this.#lastEndOrder
    if (isOverlapping) this.isParallel = true
    const quietMs = isOverlapping ? 0 : logged.receivedUs / 1000 - this.#lastActive
    this.#note(logged)
    this.#open = this.#open.filter((one) => one.logged.endOrder === undefined).slice(-keptOpen)
    if (logged.endOrder === undefined) this.#open.push({ logged, followedOrder: undefined })
    return quietMs
  }

  #note({ startOrder, endOrder = startOrder, receivedUs, endedUs }: LoggedRequest): void {
    this.#lastEndOrder = Math.max(this.#lastEndOrder, endOrder)
    this.#lastActive = Math.max(this.#lastActive, (endedUs ?? receivedUs) / 1000)
  }
}

/** Usage of a key, over all connections. */
export class KeyUse implements KeyFacts {
  /** Whether two of its requests have ever been in flight at once; then each connection may be another client. */
  isParallel = false
  /** Position in the sequence of the key's latest request that read pets; 0 before the first. */
  lastLookOrder = 0
  readonly #overlaps = new Overlaps()
  #former: RequestFacts | undefined
  /** Highest number of its connections, which are counted as they are opened. */
  #newestConnection = 0

  /** Records the arrival of a request. */
  arrive(logged: LoggedRequest): void {
    this.#overlaps.add(logged)
    if (this.#overlaps.isParallel || this.#isSentWithFormer(logged)) this.isParallel = true
    this.#newestConnection = Math.max(this.#newestConnection, logged.connection ?? 0)
  }

  /** Keeps the latest request, and whether its response has shown pets to the client. */
  keep(next: RequestFacts): void {
    const { arrivedStatus: status, result, logged } = next
    const { operation } = result
    this.#former = next
    const isRead = operation === 'listPets' || operation === 'getPet'
    if (isRead && status !== undefined && status < 400) this.lastLookOrder = logged.startOrder
  }

  /** Returns whether a request was sent before the response to the previous one could be read. */
  #isSentWithFormer(logged: LoggedRequest): boolean {
    const { startOrder, connection, connectedUs, receivedTurn } = logged
    const former = this.#former?.logged
    if (former === undefined) return false
    // Its client may have disconnected after the response was recorded.
    if (startOrder < (former.endOrder ?? 0)) return true
    const isElsewhere = connection !== undefined && connection !== former.connection
    if (!isElsewhere || former.connection === undefined) return false
    // Requests that a client sends at once may be served one after the other, within a millisecond: the first one on a
    // connection that was opened before this response ended counts as sent before that.
    const { endedUs = 0, endedTurn } = former
    const isNew = connection > this.#newestConnection
    const isOpenedBefore = isNew && connectedUs !== undefined && connectedUs < endedUs
    return receivedTurn === endedTurn || isOpenedBefore
  }
}

/** Maximum number of rejections, and of responses with nothing remaining, that are kept to check later requests. */
const rejectionsLimit = 16

/** Maximum number of redirected requests kept, of all clients together. */
const keptRedirects = 16

/** Maximum number of failed requests kept. */
const keptFailed = 8

/** Maximum number of distinct requests remembered; when it is reached, all are forgotten. */
const keptRequests = 32

/** Maximum length of a list that is kept, in characters. */
const keptList = 16_384

/** One client, as far as a sandbox can tell clients apart. */
export class Client implements ClientFacts {
  readonly number: number
  /** Whether the client runs in the sandbox's process, so that it alone decides when its requests arrive. */
  readonly isInProcess: boolean
  readonly all: AllClients
  keyUse: KeyUse
  /** Latest responses with a retry time, oldest first. */
  rejections: RequestFacts[] = []
  /** Latest list, with its text in `listBody` unless that is long; `undefined` once the client has sent a pet. */
  list: RequestFacts | undefined
  listBody = ''
  /** Latest request. */
  latest: RequestFacts | undefined
  /** Latest responses with nothing remaining until a reset. */
  spent: readonly RequestFacts[] = []
  /** Previous time that the same request was sent. */
  previous: RequestFacts | undefined
  /** Earlier tries of the current request, if all of them failed and the client knew it. */
  tries: KeptTries | undefined
  readonly #overlaps = new Overlaps()
  #failed: KeptTries[] = []
  /** Failed requests from before the latest state changes; their pauses show whether later retries back off. */
  #failedBefore: readonly KeptTries[] = []
  readonly #requests = new Map<string, RequestFacts>()

  constructor(keyUse: KeyUse, number: number, adapter: AdapterName, all: AllClients) {
    this.keyUse = keyUse
    this.number = number
    this.isInProcess = isInProcess(adapter)
    this.all = all
  }

  /** Whether the client has ever had two requests in flight; then the order of requests alone proves little. */
  get isParallel(): boolean {
    return this.#overlaps.isParallel
  }

  /** Records the arrival of a request; returns the idle time before it, in real milliseconds. */
  arrive(logged: LoggedRequest): number {
    return this.#overlaps.add(logged)
  }

  /** Finds the earlier tries of a request that is about to be checked. */
  begin(next: RequestFacts): void {
    const text = `${next.logged.request.method} ${next.url} ${next.body}`
    this.previous = this.#requests.get(text)
    const isFull = this.#requests.size >= keptRequests
    if (isFull && this.previous === undefined) this.#requests.clear()
    this.#requests.set(text, next)
    const known = this.#failed.find(({ latest }) => isSame(latest, next))
    const hasFailed = known !== undefined && isFailure(known.latest)
    this.tries = hasFailed && isFollowing(known.latest, next) ? known : undefined
  }

  /** Records the facts about a checked request that later rules need. */
  keep(next: RequestFacts): void {
    const { outcome, startOrder, delivery } = next.logged
    const { operation, petId, remaining } = next.result
    if (petId !== undefined) this.all.lastPetOrder = startOrder
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
    const isSpent = remaining === 0 && delivery === 'delivered'
    if (isSpent) this.spent = [...this.spent, next].slice(-rejectionsLimit)
    if (next.isRejection) this.rejections = [...this.rejections, next].slice(-rejectionsLimit)
    this.#keepTry(next)
  }

  #keepTry(next: RequestFacts): void {
    const known = this.#failed.find(({ latest }) => isSame(latest, next))
    if (!isFailure(next)) {
      // Another task may continue these retries, so keep their pauses for the retries that follow.
      if (known !== undefined) known.latest = next
      return
    }
    const tries = this.tries ?? new KeptTries(next, this.#pauseBefore(next, known))
    if (tries === this.tries) tries.add(next)
    const others = this.#failed.filter((one) => one !== known)
    this.#failed = [...others, tries].slice(-keptFailed)
  }

  /** Returns the shortest pause known for the same request before its tries begin, in milliseconds. */
  #pauseBefore(next: RequestFacts, known: KeptTries | undefined): number {
    if (known !== undefined && isFailure(known.latest)) return 0
    const { previous } = this
    const pauseMs = previous === undefined ? Number.POSITIVE_INFINITY : waitedMs(previous, next)
    const earlier = known ?? this.#failedBefore.findLast(({ latest }) => isSame(latest, next))
    return Math.min(pauseMs, earlier?.shortestPauseMs ?? pauseMs)
  }

  /** Clears facts invalidated by a state change. */
  forget(): void {
    this.rejections = []
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
  // A page's requests queue in a service worker.
  return adapter === 'msw' && !('ServiceWorkerContainer' in globalThis)
}
