import { utf8Length } from '../../contract/message.ts'
import { Heartbeat } from './heartbeat.ts'

/** How many bytes may wait for one reader. */
export const maxWaitingBytes = 1_048_576

/** A piece of a stream, measured once for all who read it. */
export interface Piece {
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
