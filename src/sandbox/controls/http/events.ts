import type { Finding } from '../../../checks/audit/finding.ts'
import { utf8Length } from '../../../mock/api/message.ts'
import { letEnd, startTimer, stopTimer } from '../../../mock/api/real-time.ts'
import { view } from '../../../mock/input/object.ts'
import { named } from '../../../mock/input/schema.ts'
import { string } from '../../../mock/input/values.ts'
import { ByteBudget, type Evictable } from '../../../mock/log/byte-budget.ts'
import type { LogPosition, LogStep } from '../../../mock/log/request-log.ts'
import type { RequestView, StateChange } from '../../../mock/log/request-view.ts'
import type { UnderWayView } from '../under-way.ts'

/** Data of the events `lost` and `end`. */
export const streamNotice = named('StreamNotice', view({ message: string }))

const begin = 'retry: 1000\n: the requests of this sandbox, from now on\n'

const end = eventText(
  'end',
  'Cannot keep more than 1 MiB of events for a reader: this one is too slow; ask again with Last-Event-ID',
)

/** Request log whose new requests and events are streamed. */
interface StreamedLog {
  readonly position: LogPosition
  next(after: LogPosition): LogStep
  onRequest(listener: (entry: RequestView) => void): () => void
  onEvent(listener: (mark: StateChange) => void): () => void
  subscribeUnderWay(listener: (view: UnderWayView) => void): () => void
}

type SubscribeFindings = (listener: (finding: Finding) => void) => () => void

/** Maximum number of bytes of events that wait for the readers of a sandbox. */
const maxWaitingBytes = 1_048_576

/** Maximum number of bytes of events for all readers of a server; the oldest events are dropped first. */
const maxByteBudget = 16_777_216

/** Maximum length of a piece; each connection keeps one unread piece in memory. */
const maxPieceLength = 16_384

/** Interval at which an idle stream sends a heartbeat. */
const heartbeatMs = 15_000

/** Event streams of all sandboxes of a host; their events share one memory limit. */
export class EventStreams {
  readonly #feeds = new WeakMap<StreamedLog, Feed>()
  readonly #budget = new ByteBudget(maxByteBudget)

  /**
   * Streams new requests and events as server-sent events, until `signal` aborts or the reader stops. It listens from
   * the call on, across resets.
   *
   * @param lastEventId Id of an event after which the stream continues, with the requests that the log still has.
   * @param onFinding Subscribes to findings; by default none are streamed.
   */
  open(
    log: StreamedLog,
    lastEventId: string | undefined,
    signal: AbortSignal | undefined,
    onFinding: SubscribeFindings = () => () => {},
  ): AsyncIterableIterator<string> {
    const feed = this.#feeds.get(log) ?? new Feed(log, this.#budget)
    this.#feeds.set(log, feed)
    const reader = feed.join(onFinding)
    const stop = (): void => {
      feed.leave(reader)
      reader.isStopped = true
      reader.wake()
    }
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    // A reader that loses its connection before the first event can continue from here.
    const start = `${begin}${lastEventId === undefined ? `id: ${idOf(log.position)}\n` : ''}\n`
    async function* read(): AsyncGenerator<string, undefined> {
      try {
        if (!reader.isStopped) yield start
        if (lastEventId !== undefined) yield* feed.past(reader, positionOf(lastEventId))
        yield* feed.live(reader)
      } finally {
        feed.leave(reader)
        signal?.removeEventListener('abort', stop)
      }
    }
    return read()
  }
}

/** A reader of a feed. */
interface Reader {
  /** Number of its next event. */
  next: number
  /** Number of the first event after those that it gets from the log. */
  pastUntil: number
  /** Whether its stream has to end, for instance because the client has disconnected. */
  isStopped: boolean
  /** Ends its wait for an event, if it waits. */
  wake: () => void
}

/** An event that some readers haven't received yet. */
interface FeedEvent {
  readonly text: EventText
  readonly isRequest: boolean
}

/** Latest events of a sandbox, for all its readers. */
class Feed {
  readonly #log: StreamedLog
  readonly #budget: ByteBudget
  readonly #readers = new Set<Reader>()
  #subscriptions: (() => void)[] = []
  /** Latest events, oldest first. */
  #latest: FeedEvent[] = []
  #latestBytes = 0
  /** Number of the event after the latest. */
  #end = 0
  /** Texts of requests that are in use, by the ids of their events. */
  readonly #texts = new Map<string, EventText>()

  constructor(log: StreamedLog, budget: ByteBudget) {
    this.#log = log
    this.#budget = budget
  }

  /** Adds a reader of new events. */
  join(onFinding: SubscribeFindings): Reader {
    const reader = { next: this.#end, pastUntil: 0, isStopped: false, wake: () => {} }
    this.#readers.add(reader)
    if (this.#readers.size > 1) return reader
    const log = this.#log
    this.#subscriptions = [
      log.onRequest((entry) => {
        const text = this.#textOf({ epoch: log.position.epoch, id: entry.id }, entry)
        this.#add({ text, isRequest: true })
      }),
      log.onEvent((mark) => this.#addText(dataText('change', mark))),
      log.subscribeUnderWay((view) => this.#addText(dataText('under-way', view))),
      onFinding((finding) => this.#addText(dataText('finding', finding))),
    ]
    return reader
  }

  leave(reader: Reader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe()
    this.#drop(this.#latest.length)
  }

  /** Yields the requests in the log that a reader hasn't received; each is formatted once the one before is sent. */
  async *past(reader: Reader, after: LogPosition): AsyncGenerator<string, void> {
    let position = after
    while (!reader.isStopped) {
      const { position: next, entry, isWhole } = this.#log.next(position)
      if (entry === undefined) reader.pastUntil = this.#end
      if (!isWhole) yield lostText(position)
      if (entry === undefined) return
      yield* piecesOf(this.#textOf(next, entry), reader)
      position = next
    }
  }

  /** Yields new events, and those since the reader joined that it didn't get from the log. */
  async *live(reader: Reader): AsyncGenerator<string, void> {
    while (!reader.isStopped) {
      if (!this.#readers.has(reader)) {
        yield end
        return
      }
      const event = this.#latest[reader.next - this.#end + this.#latest.length]
      if (event === undefined) {
        if (!(await isWoken(reader))) yield ': alive\n\n'
        continue
      }
      const isPast = event.isRequest && reader.next < reader.pastUntil
      reader.next++
      if (!isPast) yield* piecesOf(event.text, reader)
    }
  }

  #textOf(position: LogPosition, entry: RequestView): EventText {
    const id = idOf(position)
    const known = this.#texts.get(id)
    if (known !== undefined) return known
    const text = new EventText(requestEvent(id, entry), this.#budget, () => {
      if (this.#texts.get(id) === text) this.#texts.delete(id)
    })
    this.#texts.set(id, text)
    return text
  }

  #addText(text: string): void {
    this.#add({ text: new EventText(text, this.#budget), isRequest: false })
  }

  #add(event: FeedEvent): void {
    this.#latest.push(event)
    this.#latestBytes += event.text.bytes
    this.#end++
    event.text.use()
    // Other sandboxes may have evicted some events.
    while (
      this.#latest.length > 1 &&
      (this.#latestBytes > maxWaitingBytes || this.#isOldestDropped)
    ) {
      this.#drop(1)
    }
    for (const reader of [...this.#readers]) {
      if (reader.next < this.#end - this.#latest.length) this.leave(reader)
      reader.wake()
    }
  }

  get #isOldestDropped(): boolean {
    return this.#latest[0]?.text.isDropped ?? false
  }

  /** Drops the oldest events. */
  #drop(count: number): void {
    for (const { text } of this.#latest.splice(0, count)) {
      this.#latestBytes -= text.bytes
      text.release()
    }
  }
}

/** Text of an event, formatted once for all its readers. */
class EventText implements Evictable {
  readonly bytes: number
  pieces: readonly string[]
  isDropped = false
  #users = 0
  #age: number | undefined
  readonly #budget: ByteBudget
  readonly #onUnused: () => void

  constructor(text: string, budget: ByteBudget, onUnused = (): void => {}) {
    this.bytes = utf8Length(text)
    this.pieces = cut(text)
    this.#budget = budget
    this.#onUnused = onUnused
  }

  /** Adds a user; the text counts against the memory limit as long as it has users. */
  use(): void {
    this.#users++
    if (this.#users > 1 || this.isDropped) return
    this.#age = this.#budget.nextAge()
    this.#budget.add(this, this.bytes)
  }

  release(): void {
    this.#users--
    if (this.#users > 0) return
    this.#forget()
  }

  /** Drops the text; streams that are sending it end. */
  evictOldest(): void {
    this.isDropped = true
    this.pieces = []
    this.#forget()
  }

  get oldest(): number | undefined {
    return this.#age
  }

  #forget(): void {
    const isCounted = this.#age !== undefined
    this.#age = undefined
    if (isCounted) this.#budget.remove(this, this.bytes)
    this.#onUnused()
  }
}

/** Cuts a text into pieces that don't keep the whole text in memory, as substrings would. */
function cut(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += maxPieceLength) {
    const piece: unknown = JSON.parse(JSON.stringify(text.slice(at, at + maxPieceLength)))
    pieces.push(String(piece))
  }
  return pieces
}

/** Yields the pieces of a text for a reader; if the text is dropped meanwhile, the reader's stream ends. */
async function* piecesOf(text: EventText, reader: Reader): AsyncGenerator<string, void> {
  text.use()
  try {
    for (let index = 0; !reader.isStopped; index++) {
      const piece = text.pieces[index]
      if (piece === undefined) break
      yield piece
    }
    // The client has only a part of the event, and requests it again.
    if (text.isDropped) reader.isStopped = true
  } finally {
    text.release()
  }
}

/** Waits for an event; returns whether one came before the next heartbeat is due. */
function isWoken(reader: Reader): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = startTimer(() => resolve(false), heartbeatMs)
    letEnd(timer)
    reader.wake = () => {
      stopTimer(timer)
      resolve(true)
    }
  })
}

/** Formats a position as the id of an event. */
function idOf({ epoch, id }: LogPosition): string {
  return `${epoch}-${id}`
}

/** Parses the id of an event; an invalid one becomes a position outside of any log. */
function positionOf(lastEventId: string): LogPosition {
  const [, epoch = '', id = ''] = /^([a-z\d]{1,40})-(\d{1,15})$/.exec(lastEventId) ?? []
  return { epoch, id: Number(id) }
}

/** Formats a request as an event, with its id at the end: a reader that gets only a part of it requests it again. */
function requestEvent(id: string, entry: RequestView): string {
  return `event: request\ndata: ${JSON.stringify(entry)}\nid: ${id}\n\n`
}

function lostText(from: LogPosition): string {
  const event = from.epoch === '' ? 'the last event' : `event ${idOf(from)}`
  return eventText(
    'lost',
    `Cannot send every request since ${event}: the log no longer has all of them; continue with those that it has`,
  )
}

function eventText(event: 'end' | 'lost', message: string): string {
  return dataText(event, { message })
}

function dataText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
