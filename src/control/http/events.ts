import type { Finding } from '../../audit/finding.ts'
import { utf8Length } from '../../contract/message.ts'
import { object } from '../../input/object.ts'
import { named } from '../../input/schema.ts'
import { string } from '../../input/values.ts'
import type { JournalPosition, JournalStep } from '../../state/journal.ts'
import type { JournalEntry, Mark } from '../../state/journal-entry.ts'
import type { AuditControls } from '../audit.ts'

/** What the events `lost` and `end` hold. */
export const streamNotice = named(
  'StreamNotice',
  object({ message: string }, { unknown: 'ignore' }),
)

const begin = 'retry: 1000\n: the exchanges of this sandbox, from now on\n'

const end = pieceOf(
  eventText(
    'end',
    'Cannot keep more than 1 MiB of events for a reader: this one is too slow; ask again with Last-Event-ID',
  ),
)

/** A journal whose news are streamed. */
interface StreamedJournal {
  readonly position: JournalPosition
  next(after: JournalPosition): JournalStep
  subscribe(listener: (entry: JournalEntry) => void): () => void
  subscribeMarks(listener: (mark: Mark) => void): () => void
}

/**
 * Streams the exchanges to come as server-sent events, until its owner leaves or its reader stops; it listens from
 * the call on, over resets too.
 *
 * @param lastEventId The id of an event, after which it goes on with what the journal still has.
 * @param subscribeFindings Tells of findings; by default none are streamed.
 */
export function journalEvents(
  journal: StreamedJournal,
  lastEventId: string | undefined,
  owner: AbortSignal | undefined,
  subscribeFindings: AuditControls['subscribeFindings'] = () => () => {},
): AsyncIterableIterator<string> {
  const stop = (): void => void queue.return()
  const unsubscribe = journal.subscribe((entry) => {
    queue.add(requestPiece(entry, journal.position.epoch), end)
  })
  const unsubscribeMarks = journal.subscribeMarks((mark) => {
    queue.add(markPiece(mark), end)
  })
  const unsubscribeFindings = subscribeFindings((finding) => {
    queue.add(findingPiece(finding), end)
  })
  const queue = new PieceQueue({
    before: earlierEvents(journal, lastEventId),
    idle: ': alive\n\n',
    onEnd() {
      unsubscribe()
      unsubscribeMarks()
      unsubscribeFindings()
      owner?.removeEventListener('abort', stop)
    },
  })
  owner?.addEventListener('abort', stop)
  if (owner?.aborted) stop()
  return queue
}

/** Gives the beginning of a stream, and then, one by one, the events up to now that its reader has not had. */
function earlierEvents(
  journal: StreamedJournal,
  lastEventId: string | undefined,
): () => string | undefined {
  const goal = journal.position
  let position = lastEventId === undefined ? goal : positionOf(lastEventId)
  let hasBegun = false
  const step = (): string | undefined => {
    if (position.epoch === goal.epoch && position.id >= goal.id) return undefined
    const from = position
    const { position: next, entry, isWhole } = journal.next(from)
    // What is past the goal waits in the queue, as does all of a journal that a reset has begun meanwhile.
    const isPast = next.epoch !== goal.epoch || next.id > goal.id
    position = isPast || entry === undefined ? goal : next
    const lost = isWhole && next.epoch === goal.epoch ? '' : lostText(from)
    const text = isPast || entry === undefined ? lost : lost + requestText(next.epoch, entry)
    return text === '' ? step() : text
  }
  return () => {
    if (hasBegun) return step()
    hasBegun = true
    // A reader that loses its connection before the first event can go on from here.
    return lastEventId === undefined ? `${begin}id: ${idOf(goal)}\n\n` : `${begin}\n`
  }
}

/** Writes a position as the id of an event. */
function idOf({ epoch, id }: JournalPosition): string {
  return `${epoch}-${id}`
}

/** Reads the id of an event; that of any other stream is a position in no journal. */
function positionOf(lastEventId: string): JournalPosition {
  const [, epoch = '', id = ''] = /^([a-z\d]{1,40})-(\d{1,15})$/.exec(lastEventId) ?? []
  return { epoch, id: Number(id) }
}

function requestText(epoch: string, entry: JournalEntry): string {
  return `id: ${idOf({ epoch, id: entry.id })}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`
}

function lostText(from: JournalPosition): string {
  return eventText(
    'lost',
    `Cannot give every exchange since event ${idOf(from)}: the journal no longer has all of them; read on with those that it has`,
  )
}

const requestPiece = writtenOnce((entry: JournalEntry, epoch: string) => requestText(epoch, entry))
const markPiece = writtenOnce((mark: Mark) => dataText('mark', mark))
const findingPiece = writtenOnce((finding: Finding) => dataText('finding', finding))

/** Writes an event for its first reader: however many read, it takes the time and the memory of one. */
function writtenOnce<Data extends object, More extends unknown[]>(
  write: (data: Data, ...more: More) => string,
): (data: Data, ...more: More) => Piece {
  const written = new WeakMap<Data, Piece>()
  return (data, ...more) => {
    const known = written.get(data)
    if (known !== undefined) return known
    const piece = pieceOf(write(data, ...more))
    written.set(data, piece)
    return piece
  }
}

function eventText(event: 'end' | 'lost', message: string): string {
  return dataText(event, { message })
}

function dataText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** How many bytes may wait for one reader. */
export const maxWaitingBytes = 1_048_576

/** A piece of a stream, measured once for all who read it. */
interface Piece {
  readonly text: string
  readonly bytes: number
}

/** Measures a piece. */
export function pieceOf(text: string): Piece {
  return { text, bytes: utf8Length(text) }
}

/** What a queue does beyond keeping pieces. */
interface PieceQueueOptions {
  /** Gives what comes before the pieces that wait, one by one; `undefined` once there is no more of it. */
  readonly before: () => string | undefined
  /** What is sent while nothing else is. */
  readonly idle: string
  /** Called once, when nothing more will be read, or may be added. */
  readonly onEnd: () => void
}

type Result = IteratorResult<string, undefined>

/** Pieces of a stream on their way to one reader; written by hand, since a generator can't be stopped while it waits. */
export class PieceQueue implements AsyncIterableIterator<string> {
  readonly #options: PieceQueueOptions
  readonly #waiting: Piece[] = []
  #waitingBytes = 0
  readonly #readers: ((result: Result) => void)[] = []
  readonly #heartbeat: Heartbeat
  /** Whether nothing more may be added. */
  #isEnded = false

  constructor(options: PieceQueueOptions) {
    this.#options = options
    this.#heartbeat = new Heartbeat(() => this.#give(options.idle))
  }

  /**
   * Adds a piece; where too much would wait, the last piece instead.
   *
   * @param last What to end with, for a reader that is too slow.
   */
  add(piece: Piece, last: Piece): void {
    if (this.#isEnded) return
    if (this.#give(piece.text)) return
    if (this.#waitingBytes + piece.bytes > maxWaitingBytes) {
      this.#waiting.push(last)
      this.#close()
    } else {
      this.#waiting.push(piece)
      this.#waitingBytes += piece.bytes
    }
  }

  next(): Promise<Result> {
    const value = this.#take()
    if (value !== undefined) return Promise.resolve({ value, done: false })
    if (this.#isEnded) return Promise.resolve(done)
    return new Promise((resolve) => {
      this.#readers.push(resolve)
      this.#heartbeat.start()
    })
  }

  /** Ends at once: whoever reads, reads no more. */
  return(): Promise<Result> {
    this.#waiting.length = 0
    this.#close()
    for (const reader of this.#readers.splice(0)) reader(done)
    return Promise.resolve(done)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #take(): string | undefined {
    const before = this.#isEnded && this.#waiting.length === 0 ? undefined : this.#options.before()
    if (before !== undefined) return before
    const piece = this.#waiting.shift()
    if (piece === undefined) return undefined
    this.#waitingBytes -= piece.bytes
    return piece.text
  }

  /** Gives a piece to who waits for one; returns whether anybody does. */
  #give(value: string): boolean {
    const reader = this.#readers.shift()
    this.#heartbeat.stop()
    if (this.#readers.length > 0) this.#heartbeat.start()
    reader?.({ value, done: false })
    return reader !== undefined
  }

  #close(): void {
    this.#heartbeat.stop()
    if (this.#isEnded) return
    this.#isEnded = true
    this.#options.onEnd()
  }
}

const done: Result = { value: undefined, done: true }

/** The host's own timers, kept from test runners that put fake ones in their place. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** How often a stream without news says that it is alive. */
const heartbeatMs = 15_000

/** Beats for as long as somebody waits; keeps no process alive. */
class Heartbeat {
  readonly #beat: () => void
  #timer: ReturnType<typeof startTimer> | undefined

  /** @param beat Called at most once for each start. */
  constructor(beat: () => void) {
    this.#beat = beat
  }

  /** Begins to wait, if it doesn't yet. */
  start(): void {
    if (this.#timer !== undefined) return
    this.#timer = startTimer(() => {
      this.#timer = undefined
      this.#beat()
    }, heartbeatMs)
    // A number in browsers.
    if (typeof this.#timer === 'object') this.#timer.unref()
  }

  stop(): void {
    stopTimer(this.#timer)
    this.#timer = undefined
  }
}
