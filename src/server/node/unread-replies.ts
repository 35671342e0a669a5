import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isWrittenAtOnce, type WatchPieces } from '../../adapters/parts/write-node-outcome.ts'
import { toJson } from '../../contract/json/json.ts'
import type { Outcome } from '../../contract/message.ts'
import { Turnstile } from './turnstile.ts'

/** A body on its way to a client that may not read it. */
interface UnreadReply {
  readonly socket: Socket
  readonly bytes: number
  /** When its latest piece was sent, on the monotonic clock; `undefined` while it waits for the next one. */
  sentAt: number | undefined
}

/** How many characters of all that is written in pieces are handed to the system in a turn: less than a millisecond's. */
const lengthInTurn = 524_288

/** How long a client may leave a reply unread while others find no room for theirs. */
const crowdedMs = 1_000

/** The large replies, slow bodies, streams and replies before their turn of a server that are on their way. */
export class UnreadReplies {
  readonly #open = new Set<UnreadReply>()
  readonly #turnstile = new Turnstile(lengthInTurn)
  readonly #maxBytes: number
  readonly #stalledMs: number
  #bytes = 0
  #timer: ReturnType<typeof setInterval> | undefined

  /**
   * @param maxBytes How many may wait to be read, in all connections together.
   * @param stalledMs How long a client may leave a reply unread.
   */
  constructor(maxBytes: number, stalledMs: number) {
    this.#maxBytes = maxBytes
    this.#stalledMs = stalledMs
  }

  /** Watches a body on its way; ends the connection when its client stops reading. */
  readonly watch: WatchPieces = (pieces, bytes, { req: { socket } }) => {
    const reply: UnreadReply = { socket, bytes, sentAt: undefined }
    this.#open.add(reply)
    this.#bytes += bytes
    this.#timer ??= setInterval(
      () => this.#endStalled(this.#stalledMs),
      Math.min(1_000, Math.ceil(this.#stalledMs / 4)),
    ).unref()
    return this.#follow(pieces, reply)
  }

  /**
   * Refuses to send a reply if there is no room for it until it is read: a large one, or one of any size that has to wait
   * for those before it; gives any other on as it is.
   */
  bounded(outcome: Outcome, response: ServerResponse): Outcome {
    if (!('body' in outcome) || isWrittenAtOnce(response, outcome.body)) return outcome
    if (this.#makesRoom(Buffer.byteLength(outcome.body))) return outcome
    const { 'content-length': _, ...headers } = outcome.headers
    const message = 'Cannot send the reply: too many others wait to be read; read those first'
    return {
      kind: 'reply',
      status: 503,
      headers: { ...headers, 'content-type': 'application/json' },
      body: toJson({ code: 'internal_error', message, status: 503 }),
    }
  }

  /** Forgets what is on its way on a connection that is closed. */
  forget(socket: Socket): void {
    if (this.#open.size === 0) return
    for (const reply of this.#open) if (reply.socket === socket) this.#remove(reply)
  }

  async *#follow(pieces: AsyncIterable<string>, reply: UnreadReply): AsyncGenerator<string> {
    try {
      for await (const piece of pieces) {
        await this.#turnstile.pass(piece.length)
        reply.sentAt = performance.now()
        yield piece
        reply.sentAt = undefined
      }
    } finally {
      this.#remove(reply)
    }
  }

  /** Whether a body finds room, at the latest when connections that stand still are ended for it. */
  #makesRoom(bytes: number): boolean {
    // However large it is, it may be sent alone.
    const fits = (): boolean => this.#bytes === 0 || this.#bytes + bytes <= this.#maxBytes
    if (fits()) return true
    this.#endStalled(Math.min(crowdedMs, this.#stalledMs))
    return fits()
  }

  #endStalled(afterMs: number): void {
    const latestAt = performance.now() - afterMs
    for (const reply of this.#open) {
      if (reply.sentAt === undefined || reply.sentAt > latestAt) continue
      reply.socket.destroy()
      this.#remove(reply)
    }
  }

  #remove(reply: UnreadReply): void {
    if (this.#open.delete(reply)) this.#bytes -= reply.bytes
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
