import type { AdapterName, ApiRequest, Outcome } from '../api/message.ts'
import { hasLeft } from '../api/message.ts'
import { hostNow, realNow, Turns } from '../api/real-time.ts'
import type { Output } from '../input/schema.ts'
import { formatInstant } from '../input/values.ts'
import { Listeners } from './listeners.ts'
import {
  type LoggedRequest,
  noRequest,
  type OpenRequest,
  type RequestResult,
  type RequestTiming,
} from './logged-request.ts'
import { maxMarks, type Recording } from './recording.ts'
import { type HideKeys, redactKey } from './redactor.ts'
import type {
  Delivery,
  ParsedRequestFilter,
  RequestView,
  StateChange,
  StateChangeKind,
  savedLog,
} from './request-view.ts'
import { cutBody, type Kept, KeptBytes, outcomeBytes, requestBytes } from './shared-memory.ts'
import { showRequest, statusOf } from './show-request.ts'

/** Default number of requests in a log. */
export const defaultMaxRequests = 1_000

/** Maximum size of a log in a snapshot, in bytes; only the latest requests are included. */
const savedBytes = 4_194_304

/** A position in a log, before or after one of its requests. */
export interface LogPosition {
  /** Identifies the log among others, such as the one before a reset. */
  readonly epoch: string
  /** The id of the latest request before it. */
  readonly id: number
}

/** The request after a position, if there is one. */
export interface NextRequest {
  /** Position after the request; pass it to `next()` for the step after this one. */
  readonly position: LogPosition
  /** Returns the view of the request; `undefined` at the log's end. */
  readonly show: (() => RequestView) | undefined
  /** Whether no request between the two positions is missing. */
  readonly isWhole: boolean
}

/** An event of a sandbox: the outcome of a request, or a state change. */
export type SandboxEvent = LoggedRequest | { readonly mark: StateChange }

/** A request of a restored log, of which only the view is known. */
interface RestoredRequest extends Kept {
  readonly id: number
  readonly view: RequestView
}

type ShownRequest = OpenRequest | RestoredRequest

/**
 * The requests to a sandbox. Adapters and the engine call `arrive()` when a request begins to come in, `begin()` when
 * it is read, `end()` when its outcome is known, and `close()` or `abort()` when its response has ended; nothing else
 * writes to it. A reset begins a new log, which takes over the history.
 */
export class RequestLog {
  /** Random and not saved, since the continuation of a snapshot is another log. */
  readonly #epoch = crypto.getRandomValues(new Uint32Array(2)).join('')
  /** The id of the last request at its restoration. */
  #startId = 0
  /** Final position of the log that this one continues. */
  #precedent: LogPosition | undefined
  readonly #size: number
  /** The kept requests by ascending id. */
  readonly #shown: ShownRequest[] = []
  #lastId = 0
  #nextId: number | undefined
  /** Whether another log continues this one. */
  #isOver = false
  readonly #hide: HideKeys
  #marks: StateChange[] = []
  #history = new EventHistory()

  /**
   * @param size Number of requests to keep; 0 to keep none.
   * @param hide Abbreviates keys in texts, so that no request shows them whole.
   */
  constructor(size: number, hide: HideKeys) {
    this.#size = size
    this.#hide = hide
  }

  // A request, from its arrival to the end of its response.

  /** Records that a request begins to come in; returns the request, which identifies it from now on. */
  arrive(
    adapter: AdapterName,
    connection: number | undefined,
    connectedMs?: number,
  ): LoggedRequest {
    const history = this.#history
    const arrived: OpenRequest = {
      ...noRequest,
      adapter,
      connection,
      connectedUs: connectedMs === undefined ? undefined : Math.round(connectedMs * 1000),
      startOrder: ++history.lastOrder,
      receivedUs: Math.round(realNow() * 1000),
      receivedAt: hostNow(),
      receivedTurn: history.turns.now,
    }
    return arrived
  }

  /**
   * Adds a request that has been read.
   *
   * @param at The sandbox's time, in Unix milliseconds.
   */
  begin(request: ApiRequest, arrived: LoggedRequest, at: number): LoggedRequest {
    const logged = openOf(arrived)
    logged.request = request
    logged.bytes = requestBytes(request)
    logged.at = at
    if (this.#nextId !== undefined) logged.id = this.#nextId
    this.#nextId = undefined
    this.#history.recording?.begin(logged)
    return logged
  }

  /**
   * Adds the outcome of a request; a log that has ended only completes the request itself.
   *
   * @param signal Has aborted if the client left.
   * @param endedAt The sandbox's time, in Unix milliseconds.
   */
  end(
    request: LoggedRequest,
    outcome: Outcome,
    result: RequestResult,
    endedAt: number,
    signal: AbortSignal | undefined,
  ): void {
    const logged = openOf(request)
    const history = this.#history
    this.#settle(logged, outcome, endedAt, signal)
    logged.result = result
    logged.outcome = loggedOutcome(outcome)
    history.kept.grow(logged, outcomeBytes(logged.outcome))
    if (this.#isOver) return
    logged.client = history.clients.numberOf(result.token)
    if (logged.id === 0) logged.id = this.#lastId + 1
    this.#lastId = Math.max(this.#lastId, logged.id)
    if (this.#size > 0) this.#put(logged)
    if (history.listeners.size > 0) history.listeners.emit(this.#view(logged))
    history.watchers.emit(logged)
  }

  /**
   * Sets the delivery of an outcome: a plain response counts as delivered now, others only when the adapter reports it.
   */
  #settle(
    logged: OpenRequest,
    outcome: Outcome,
    endedAt: number,
    signal: AbortSignal | undefined,
  ): void {
    if (logged.isPast) {
      logged.endedAt ??= endedAt
      return
    }
    logged.endedAt = endedAt
    if (logged.delivery !== undefined) return
    if (hasLeft(signal)) {
      this.#finish(logged, 'aborted')
      return
    }
    if (outcome.kind === 'response') this.#finish(logged, 'delivered')
  }

  /** Records that nothing more of a response will be sent. */
  close(request: LoggedRequest): void {
    const logged = openOf(request)
    if (logged.delivery !== undefined) return
    const { outcome } = logged
    const isWhole = outcome.kind === 'broken-response' && outcome.end === 'whole'
    this.#finish(logged, isWhole ? 'delivered' : 'broken')
  }

  /** Records that a client left before it had the whole response. */
  abort(request: LoggedRequest): void {
    const logged = openOf(request)
    if (logged.delivery === undefined || logged.delivery === 'delivered') {
      this.#finish(logged, 'aborted')
    }
  }

  #finish(logged: OpenRequest, delivery: Delivery): void {
    if (logged.isPast) return
    const history = this.#history
    logged.delivery = delivery
    logged.endOrder = ++history.lastOrder
    logged.endedUs = Math.round(realNow() * 1000)
    logged.respondedAt = hostNow()
    logged.endedTurn = history.turns.now
  }

  // Events between requests.

  /**
   * Adds a state change or the start or end of a test.
   *
   * @param at The sandbox's time, in Unix milliseconds.
   * @param name The name of the test.
   */
  mark(kind: StateChangeKind, at: number, name?: string): void {
    const history = this.#history
    const shown = name === undefined ? {} : { name: this.#hide(name) }
    const mark = { sequence: ++history.lastOrder, at: formatInstant(at), kind, ...shown }
    this.#marks.push(mark)
    if (this.#marks.length > maxMarks) this.#marks.shift()
    history.recording?.addMark(mark)
    history.watchers.emit({ mark })
  }

  /** Returns the latest state changes, oldest first. */
  changes(): StateChange[] {
    return this.#marks.map((mark) => ({ ...mark }))
  }

  // Listeners and recordings.

  /** Connects a recording, which records all that follows for replays, also after resets. */
  recordIn(createRecording: (kept: KeptBytes) => Recording): Recording {
    this.#history.recording = createRecording(this.#history.kept)
    return this.#history.recording
  }

  /** Calls a listener with the view of each new request; returns a function that removes it. */
  onRequest(listener: (entry: RequestView) => void): () => void {
    return this.#history.listeners.add(listener)
  }

  /** Calls a watcher with all future events, also after resets; returns a function that removes it. */
  watch(watcher: (event: SandboxEvent) => void): () => void {
    return this.#history.watchers.add(watcher)
  }

  /** Returns all events that are still known, in order. */
  past(): SandboxEvent[] {
    const requests = this.#shown.filter((one) => 'request' in one)
    return inOrder([...requests, ...this.changes().map((mark) => ({ mark }))])
  }

  /** Returns the number of a known client by its token; `undefined` for others. */
  knownClient(token: string): number | undefined {
    return this.#history.clients.find(token)
  }

  // Replays of another sandbox's history.

  /** Assigns the next request the id that it had in the sandbox that this one replays. */
  assignNextId(id: number | undefined): void {
    this.#nextId = id
  }

  /** Replaces the state changes, and continues the sequence after a place, unless it is already further. */
  continueFrom(order: number, marks: readonly StateChange[]): void {
    this.#marks = marks.slice(-maxMarks)
    this.#history.continueFrom(order)
  }

  /** The latest place in the sequence. */
  get lastOrder(): number {
    return this.#history.lastOrder
  }

  // Views of the requests.

  /** Returns the requests that match a filter, oldest first. */
  entries(filter: ParsedRequestFilter): RequestView[] {
    const found = this.#shown.filter((one) => matchesFilter(one, filter))
    const latest = filter.limit === undefined ? found : found.slice(-filter.limit)
    return latest.map((one) => this.#view(one))
  }

  get(id: number): RequestView | undefined {
    const found = this.#shown[this.#placeAfter(id - 1)]
    return found?.id === id ? this.#view(found) : undefined
  }

  /** The end of the log. */
  get position(): LogPosition {
    return { epoch: this.#epoch, id: this.#lastId }
  }

  /**
   * Returns the first request after a position that is still known; after a position of another log, the first of its
   * own.
   */
  next(after: LogPosition): NextRequest {
    const isOwn = after.epoch === this.#epoch
    const startId = isOwn ? after.id : this.#startId
    const isPrecedent = after.epoch === this.#precedent?.epoch && after.id === this.#precedent.id
    const isFollowing = isOwn || isPrecedent
    const found = this.#shown[this.#placeAfter(startId)]
    if (found === undefined) {
      const isWhole = isFollowing && startId === this.#lastId
      return { position: this.position, show: undefined, isWhole }
    }
    return {
      position: { epoch: this.#epoch, id: found.id },
      show: () => this.#view(found),
      isWhole: isFollowing && found.id === startId + 1,
    }
  }

  /** Returns the index of the first request with a higher id. */
  #placeAfter(id: number): number {
    return this.#shown.findLastIndex((one) => one.id <= id) + 1
  }

  /** Returns the view of a request; a restored one contains no secrets any more. */
  #view(one: ShownRequest): RequestView {
    if ('view' in one) return structuredClone(one.view)
    return showRequest(one, (text) => this.#hide(text, one.result.token))
  }

  // Storage and eviction.

  /** Adds a request; replaces the oldest if the log is full. */
  #put(one: ShownRequest): void {
    if (this.#shown.length >= this.#size) this.#evictOldest()
    if (one.id > (this.#shown.at(-1)?.id ?? 0)) this.#shown.push(one)
    // Replayed requests may end in another order than they began.
    else this.#shown.splice(this.#placeAfter(one.id), 0, one)
    this.#history.kept.hold(one)
  }

  #evictOldest(): void {
    const evicted = this.#shown.shift()
    if (evicted !== undefined) this.#history.kept.release(evicted)
  }

  clear(): void {
    while (this.#shown.length > 0) this.#evictOldest()
  }

  /** Bytes of the requests that it shows or its recording has. */
  get bytes(): number {
    return this.#history.kept.total
  }

  /** Drops the older requests of the recording if it reaches back as far as the log, or else the oldest one in the log. */
  forgetOldest(): void {
    const { bytes } = this
    const [oldest] = this.#shown
    if (oldest === undefined || oldest.holders > 1) this.#history.recording?.dropOlder()
    if (this.bytes === bytes) this.#evictOldest()
  }

  /** Number of tokens by which it tells clients apart. */
  get tokens(): number {
    return this.#history.clients.size
  }

  forgetOldestToken(): void {
    this.#history.clients.forgetOldest()
  }

  /** Continues another log, which ends, and takes over its history. */
  takeOver(other: RequestLog): void {
    this.#precedent = other.position
    // An id names one request, even across resets.
    this.#lastId = Math.max(this.#lastId, other.#lastId)
    this.#startId = this.#lastId
    other.#history.continueFrom(this.#history.lastOrder)
    other.#history.clients.continueFrom(this.#history.clients.last)
    other.#history.kept.total += this.bytes
    this.#history = other.#history
    other.clear()
    other.#isOver = true
  }

  /** Returns the saved log, limited to the latest requests so that snapshots stay small. */
  save(): Output<typeof savedLog> {
    const kept = this.#shown
    let first = kept.length
    for (let bytes = 0; first > 0; first--) {
      bytes += kept[first - 1]?.bytes ?? 0
      if (bytes > savedBytes) break
    }
    const list = kept.slice(first).map((one) => this.#view(one))
    // Only state changes between two saved requests are relevant to them.
    const [from = 0, to = 0] = [list[0], list.at(-1)].map((one) => one?.sequence.start)
    const isBetween = ({ sequence }: StateChange): boolean => sequence > from && sequence < to
    return { lastId: this.#lastId, list, changes: this.changes().filter(isBetween) }
  }

  /** Continues a saved log; if it has too many requests, the latest are kept. */
  restore(saved: Output<typeof savedLog>): void {
    const { lastId, list, changes } = saved
    this.clear()
    const byId = [...list].sort((left, right) => left.id - right.id)
    const history = this.#history
    for (const { sequence, client } of byId) {
      history.continueFrom(sequence.end ?? sequence.start)
      history.clients.continueFrom(client)
    }
    for (const { sequence } of changes) history.continueFrom(sequence)
    this.#marks = changes.slice(-maxMarks)
    this.#lastId = Math.max(lastId, byId.at(-1)?.id ?? 0)
    this.#startId = this.#lastId
    if (this.#size === 0) return
    for (const entry of byId.slice(-this.#size)) {
      const view = { ...entry, request: cutBody(entry.request), outcome: cutBody(entry.outcome) }
      const bytes = requestBytes(view.request) + outcomeBytes(view.outcome)
      this.#put({ id: entry.id, view, bytes, holders: 0 })
    }
  }

  /**
   * Checks the invariants of the log, for random tests.
   *
   * @throws Error naming the violated invariant.
   */
  check(): void {
    const sum = this.#shown.reduce((bytes, one) => bytes + one.bytes, 0)
    const isOrdered = this.#shown.every(({ id }, index) => (this.#shown[index - 1]?.id ?? 0) < id)
    const broken = [
      [sum > this.bytes, `the requests take ${sum} bytes, and ${this.bytes} are counted`],
      [this.#shown.length > this.#size, `it shows ${this.#shown.length} of ${this.#size}`],
      [!isOrdered, 'its ids are not ascending'],
      [(this.#shown.at(-1)?.id ?? 0) > this.#lastId, 'its last id is below one of its requests'],
    ] as const
    for (const [isBroken, text] of broken) if (isBroken) throw new Error(`The log: ${text}`)
  }
}

/** Creates a request of a capture, whose timing no longer changes. */
export function pastRequest(timing: RequestTiming): LoggedRequest {
  const past: OpenRequest = { ...noRequest, ...timing, isPast: true }
  return past
}

/** Narrows to a request that a log has created. */
export function isLogged(found: unknown): found is LoggedRequest {
  return typeof found === 'object' && found !== null && 'startOrder' in found
}

/** Returns the writable form of a request, which only the log uses. */
function openOf(request: LoggedRequest): OpenRequest {
  if ('isPast' in request) return request as OpenRequest
  throw new TypeError('Cannot log the request: no log has made it')
}

/** Returns an outcome without its pending promises and pieces, and with its body cut. */
function loggedOutcome(outcome: Outcome): LoggedRequest['outcome'] {
  if (outcome.kind === 'response') return cutBody(outcome)
  if (outcome.kind === 'timeout') return noRequest.outcome
  if (outcome.kind === 'disconnect') return outcome
  const { pieces: _, ...rest } = outcome
  return cutBody(rest)
}

/** Returns whether a request matches a filter. */
function matchesFilter(one: ShownRequest, filter: ParsedRequestFilter): boolean {
  const { operation } = 'view' in one ? one.view : one.result
  const shown = 'view' in one ? one.view : one
  const { at, request } = shown
  const startedAt = typeof at === 'number' ? at : Date.parse(at)
  return (
    (filter.afterId === undefined || one.id > filter.afterId) &&
    (filter.operation === undefined || filter.operation === operation) &&
    (filter.method === undefined || filter.method === request.method) &&
    (filter.status === undefined || filter.status === statusOf(shown)) &&
    (filter.key === undefined || hasKey(one, filter.key)) &&
    (filter.since === undefined || startedAt >= filter.since) &&
    (filter.until === undefined || startedAt < filter.until)
  )
}

/** Returns whether a request had a key, given whole or abbreviated; a restored request only has the abbreviation. */
function hasKey(one: ShownRequest, key: string): boolean {
  if ('view' in one) return one.view.key === key || one.view.key === redactKey(key)
  const { token } = one.result
  return token === key || (token !== '' && redactKey(token) === key)
}

/** Sorts events; the place of a request is the end of its response. */
export function inOrder(events: readonly SandboxEvent[]): SandboxEvent[] {
  return events.toSorted((one, other) => orderOf(one) - orderOf(other))
}

/** Returns the place of an event in the sequence: that of a state change, or the end of a response. */
function orderOf(event: SandboxEvent): number {
  return 'mark' in event ? event.mark.sequence : (event.endOrder ?? 0)
}

/** The parts of a log that survive resets: its sequence, its clients, and its listeners. */
class EventHistory {
  /** The latest place in the sequence of request starts, response ends, and state changes. */
  lastOrder = 0
  readonly turns = new Turns()
  readonly clients = new ClientNumbers()
  readonly watchers = new Listeners<SandboxEvent>()
  readonly listeners = new Listeners<RequestView>()
  recording: Recording | undefined
  readonly kept = new KeptBytes()

  /** Continues after a place, unless the sequence is already further. */
  continueFrom(order: number): void {
    this.lastOrder = Math.max(this.lastOrder, order)
  }
}

/** Maximum number of clients to tell apart; the oldest is forgotten first. */
const maxClients = 1_000

/** Assigns numbers to tokens, since an abbreviated key doesn't identify a client. */
class ClientNumbers {
  readonly #known = new Map<string, number>()
  last = 0

  /** Returns the number of a token, assigning one if necessary; requests without a token (`''`) have one too. */
  numberOf(token: string): number {
    const known = this.#known.get(token)
    if (known !== undefined) return known
    this.last++
    this.#known.set(token, this.last)
    if (this.#known.size > maxClients) this.forgetOldest()
    return this.last
  }

  get size(): number {
    return this.#known.size
  }

  forgetOldest(): void {
    const [oldest = ''] = this.#known.keys()
    this.#known.delete(oldest)
  }

  /** Returns the number of a token; `undefined` if it has none. */
  find(token: string): number | undefined {
    return this.#known.get(token)
  }

  /** Continues after a number, unless already further; the tokens of the numbers up to it are unknown. */
  continueFrom(last: number): void {
    this.last = Math.max(this.last, last)
  }
}
