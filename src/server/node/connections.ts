import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { serverStops } from '../../contract/message.ts'

/** An open connection. */
interface Connection {
  readonly socket: Socket
  /** Aborts when the connection closes or the server stops; then nothing waits for it any more. */
  readonly owner: AbortController
  /** The reply to its latest request. */
  latest: ServerResponse | undefined
  /** Whether a reply that isn't Node's is about to be written, after which the connection ends by itself. */
  isEnding: boolean
}

/** Why nobody waits any more, unless it is that the server stops. */
const clientLeft = 'the client has left'

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly #whenClosed: (socket: Socket) => void
  #isStopping = false

  /** @param whenClosed Called with each connection that has closed. */
  constructor(whenClosed: (socket: Socket) => void) {
    this.#whenClosed = whenClosed
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size
  }

  /** Tracks a connection until it closes. */
  add(socket: Socket): void {
    const owner = new AbortController()
    // As many as requests wait on it; Node 20 would warn of a leak.
    setMaxListeners(0, owner.signal)
    this.#open.set(socket, { socket, owner, latest: undefined, isEnding: false })
    // Not of requests or responses, which Node 20 doesn't tell while they wait for their turn.
    socket.once('close', () => {
      this.#open.delete(socket)
      owner.abort(clientLeft)
      this.#whenClosed(socket)
    })
  }

  /** Notes a request that has arrived; gives what aborts when nobody waits for its answer any more. */
  note({ socket }: IncomingMessage, reply: ServerResponse): AbortSignal {
    const connection = this.#open.get(socket)
    if (connection === undefined) return AbortSignal.abort(clientLeft)
    connection.latest = reply
    if (this.#isStopping) this.#endWhenAnswered(connection)
    return connection.owner.signal
  }

  /**
   * Ends what waits on connections, and each connection as soon as all its requests are answered: at once if it is
   * idle or was never used, as those that browsers open in advance.
   */
  stop(): void {
    this.#isStopping = true
    for (const connection of this.#open.values()) {
      connection.owner.abort(serverStops)
      this.#endWhenAnswered(connection)
    }
  }

  /** Ends all connections, whatever is under way on them. */
  destroy(): void {
    for (const socket of this.#open.keys()) socket.destroy()
  }

  /**
   * Calls back once a reply to a broken request may be written: after the replies to the requests before it. Ends the
   * connection if that request has been answered already.
   *
   * @param write Gets what aborts when nobody waits for the reply any more.
   */
  whenFree(socket: Socket, write: (owner: AbortSignal) => void): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    const { latest, owner } = connection
    const begin = (): void => {
      connection.isEnding = true
      write(owner.signal)
    }
    if (latest === undefined) begin()
    else if (latest.req.complete) whenFinished(latest, begin)
    else if (latest.headersSent) socket.destroy()
    else {
      whenAttached(latest, () => {
        // A request that needs no body may be about to be answered; detached, it gets only the reply to what is broken.
        latest.detachSocket(socket)
        begin()
      })
    }
  }

  /** Whether a reply is due and none of it has been written. */
  isWaiting(socket: Socket): boolean {
    const reply = this.#open.get(socket)?.latest
    return reply !== undefined && !reply.writableFinished && socket.writableLength === 0
  }

  /** Whether a connection has had no request. */
  isUnused(socket: Socket): boolean {
    return this.#open.get(socket)?.latest === undefined
  }

  #endWhenAnswered(connection: Connection): void {
    const { latest, socket, isEnding } = connection
    if (isEnding) whenFinished(socket, () => socket.destroy())
    else if (latest === undefined || latest.writableFinished) socket.destroySoon()
    else latest.once('finish', () => this.#endWhenAnswered(connection))
  }
}

function whenFinished(written: ServerResponse | Socket, then: () => void): void {
  if (written.writableFinished) then()
  else written.once('finish', then)
}

function whenAttached(reply: ServerResponse, then: () => void): void {
  if (reply.socket !== null) then()
  else reply.once('socket', then)
}
