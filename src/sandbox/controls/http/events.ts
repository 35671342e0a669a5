import type { Finding } from '../../../checks/audit/finding.ts'
import { copyPart, utf8Length } from '../../../mock/api/message.ts'
import { letEnd, startTimer, stopTimer, yieldToEventLoop } from '../../../mock/api/real-time.ts'
import type { LogPosition, NextRequest } from '../../../mock/log/request-log.ts'
import type { RequestView, StateChange } from '../../../mock/log/request-view.ts'
import type { UnderWayView } from '../under-way.ts'

const begin = 'retry: 1000\n: the requests of this sandbox, from now on\n'

const end = eventText(
  'end',
  'Cannot keep more than 1 MiB of events for a reader: this one is too slow; ask again with Last-Event-ID',
)

/** Request log whose new requests and events are streamed. */
interface StreamedLog {
  readonly position: LogPosition
  next(after: LogPosition): NextRequest
  onRequest(listener: (entry: RequestView) => void): () => void
  onEvent(listener: (change: StateChange) => void): () => void
  subscribeUnderWay(listener: (view: UnderWayView) => void): () => void
}

type SubscribeFindings = (listener: (finding: Finding) => void) => () => void

/** Maximum number of bytes of events that wait for the readers of a sandbox. */
const maxWaitingBytes = 1_048_576

/** Maximum length of the texts of earlier requests that a server keeps for its readers; the oldest are dropped first. */
const maxPastLength = 8_388_608

/** Maximum length of a piece; each connection keeps one unread piece in memory. */
const maxPieceLength = 16_384

/** Interval at which an idle stream sends a heartbeat. */
const heartbeatMs = 15_000

const heartbeat = ': alive\n\n'

/** Event streams of all sandboxes of a host. */
export class EventStreams {
  readonly #feeds = new WeakMap<StreamedLog, Feed>()
  readonly #past = new PastTexts()

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
    const feed = this.#feeds.get(log) ?? new Feed(log)
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
    const texts = this.#past
    async function* read(): AsyncGenerator<string, undefined> {
      try {
        if (!reader.isStopped) yield start
        if (lastEventId !== undefined) yield* feed.past(reader, positionOf(lastEventId), texts)
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
  /** The id of a request's event; `undefined` for other events. */
  readonly id: string | undefined
  readonly bytes: number
  /** Its text; emptied when the event is dropped. */
  readonly pieces: string[]
}

/** Latest events of a sandbox, for all its readers. */
class Feed {
  readonly #log: StreamedLog
  readonly #readers = new Set<Reader>()
  #subscriptions: (() => void)[] = []
  /** Latest events, oldest first. */
  readonly #latest: FeedEvent[] = []
  #latestBytes = 0
  /** Number of the event after the latest. */
  #end = 0

  constructor(log: StreamedLog) {
    this.#log = log
  }

  /** Adds a reader of new events. */
  join(onFinding: SubscribeFindings): Reader {
    const reader = { next: this.#end, pastUntil: 0, isStopped: false, wake: () => {} }
    this.#readers.add(reader)
    if (this.#readers.size > 1) return reader
    const log = this.#log
    this.#subscriptions = [
      log.onRequest((entry) => {
        const id = idOf({ epoch: log.position.epoch, id: entry.id })
        this.#add(requestEvent(id, entry), id)
      }),
      log.onEvent((mark) => this.#add(dataText('change', mark))),
      log.subscribeUnderWay((view) => this.#add(dataText('under-way', view))),
      onFinding((finding) => this.#add(dataText('finding', finding))),
    ]
    return reader
  }

  leave(reader: Reader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe()
    while (this.#latest.length > 0) this.#dropOldest()
  }

  /** Yields the requests in the log that a reader hasn't received; each is formatted once the one before is sent. */
  async *past(reader: Reader, after: LogPosition, texts: PastTexts): AsyncGenerator<string, void> {
    let position = after
    while (!reader.isStopped) {
      const { position: next, show, isWhole } = this.#log.next(position)
      if (show === undefined) reader.pastUntil = this.#end
      if (!isWhole) yield lostText(position)
      if (show === undefined) return
      const id = idOf(next)
      const known = this.#latest.find((event) => event.id === id)
      yield* piecesOf(known?.pieces ?? (await texts.get(id, show)), reader)
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
        if (!(await isWoken(reader))) yield heartbeat
        continue
      }
      const isPast = event.id !== undefined && reader.next < reader.pastUntil
      reader.next++
      if (!isPast) yield* piecesOf(event.pieces, reader)
    }
  }

  #add(text: string, id?: string): void {
    const event = { id, bytes: utf8Length(text), pieces: cut(text) }
    this.#latest.push(event)
    this.#latestBytes += event.bytes
    this.#end++
    while (this.#latest.length > 1 && this.#latestBytes > maxWaitingBytes) this.#dropOldest()
    for (const reader of [...this.#readers]) {
      if (reader.next < this.#end - this.#latest.length) this.leave(reader)
      reader.wake()
    }
  }

  #dropOldest(): void {
    const event = this.#latest.shift()
    if (event === undefined) return
    this.#latestBytes -= event.bytes
    event.pieces.length = 0
  }
}

/** Texts of earlier requests, each formatted once for the readers that ask for it at about the same time. */
class PastTexts {
  readonly #pieces = new Map<string, string[]>()
  #length = 0
  #lastTurn = Promise.resolve()

  /** Returns the text of an event; a server formats one in each turn of the event loop, so that nothing else waits. */
  async get(id: string, show: () => RequestView): Promise<readonly string[]> {
    const known = this.#pieces.get(id)
    if (known !== undefined) return known
    this.#lastTurn = this.#lastTurn.then(yieldToEventLoop)
    await this.#lastTurn
    return this.#pieces.get(id) ?? this.#add(id, cut(requestEvent(id, show())))
  }

  #add(id: string, pieces: string[]): readonly string[] {
    this.#pieces.set(id, pieces)
    this.#length += lengthOf(pieces)
    for (const [oldest, dropped] of this.#pieces) {
      if (this.#length <= maxPastLength || oldest === id) break
      this.#pieces.delete(oldest)
      this.#length -= lengthOf(dropped)
      dropped.length = 0
    }
    return pieces
  }
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

/** Cuts a text into pieces that don't keep the whole text in memory. */
function cut(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += maxPieceLength) {
    pieces.push(copyPart(text, at, at + maxPieceLength))
  }
  return pieces
}

/** Yields the pieces of an event for a reader; if the event is dropped meanwhile, the reader's stream ends. */
async function* piecesOf(pieces: readonly string[], reader: Reader): AsyncGenerator<string, void> {
  for (let index = 0; !reader.isStopped; index++) {
    const piece = pieces[index]
    if (piece === undefined) break
    yield piece
  }
  // The client has only a part of the event, and requests it again.
  if (pieces.length === 0) reader.isStopped = true
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
