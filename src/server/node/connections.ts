import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { serverStops } from '../../contract/message.ts'
import { Backlog, type Begin, type Load } from './backlog.ts'
import { Line } from './line.ts'
import { Order } from './order.ts'

/** Who waits for the answers on a connection. */
export interface Client {
  /** Aborts when nobody waits for an answer any more. */
  readonly owner: AbortSignal
  /** The number of the connection, counted from 1. */
  readonly connection: number
  /** In which its requests take effect. */
  readonly order: Order
  /** To be called when a request of the connection is answered. */
  readonly answered: () => void
}

/** An open connection. */
interface Connection {
  readonly socket: Socket
  /** Aborts when the connection closes or the server stops; then nothing waits for it any more. */
  readonly owner: AbortController
  readonly client: Client
  readonly backlog: Backlog
  /** The reply to its latest request. */
  latest: ServerResponse | undefined
  /** Whether a reply that isn't Node's is about to be written, after which the connection ends by itself. */
  isEnding: boolean
  /** How much of it had been read when it was last looked at. */
  bytesRead: number
  /** When it was last found in use, in real milliseconds. */
  usedAt: number
}

/** How long connections are left alone on which nothing happens. */
interface Patience {
  /** Before a reply is sent. */
  readonly stalledMs: number
  /** After it. */
  readonly unusedMs: number
}

/** Answers a request. */
type Serve = (request: IncomingMessage, response: ServerResponse, client: Client) => void

/** Why nobody waits any more, unless it is that the server stops. */
const clientLeft = 'the client has left'

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly #whenClosed: (socket: Socket) => void
  readonly #serve: Serve
  readonly #load: Load = { unanswered: 0, line: new Line() }
  #isStopping = false
  #lastNumber = 0

  /**
   * @param serve Called with each request when it is to be answered.
   * @param whenClosed Called with each connection that has closed.
   */
  constructor(serve: Serve, whenClosed: (socket: Socket) => void) {
    this.#serve = serve
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
    this.#lastNumber++
    const begin: Begin = (request, response) => this.#serve(request, response, client)
    const backlog = new Backlog(socket, this.#load, begin)
    const order = new Order(this.#load.line)
    const client: Client = {
      owner: owner.signal,
      connection: this.#lastNumber,
      order,
      answered: backlog.answered,
    }
    this.#open.set(socket, {
      socket,
      owner,
      client,
      backlog,
      latest: undefined,
      isEnding: false,
      bytesRead: 0,
      usedAt: 0,
    })
    // Not of requests or responses, which Node 20 doesn't tell while they wait for their turn.
    socket.once('close', () => {
      this.#open.delete(socket)
      backlog.close()
      order.close()
      owner.abort(clientLeft)
      this.#whenClosed(socket)
    })
  }

  /** Takes a request that has arrived; it is served at once, unless too many on its connection are unanswered. */
  take(request: IncomingMessage, reply: ServerResponse): void {
    const connection = this.#open.get(request.socket)
    // Nobody is there to be answered.
    if (connection === undefined) return
    connection.latest = reply
    if (this.#isStopping) this.#endWhenAnswered(connection)
    connection.backlog.add(request, reply)
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
   * @param write Gets who waits for the reply.
   */
  whenFree(socket: Socket, write: (client: Client) => void): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    const { latest, client } = connection
    const begin = (): void => {
      connection.isEnding = true
      write(client)
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

  /**
   * Looks for connections on which nothing happens: those whose latest reply is still not sent time out `stalledMs` after
   * the last that happens on them, and those that are not used for `unusedMs` end.
   *
   * @param now Real milliseconds.
   */
  look({ stalledMs, unusedMs }: Patience, now: number): void {
    for (const connection of this.#open.values()) {
      const { socket, latest, isEnding } = connection
      const isTimed = socket.timeout !== undefined && socket.timeout > 0
      const isBusy = latest?.writableFinished === false
      if (isBusy !== isTimed) socket.setTimeout(isBusy ? stalledMs : 0)
      const { bytesRead } = socket
      if (isBusy || isEnding || bytesRead !== connection.bytesRead) {
        connection.bytesRead = bytesRead
        connection.usedAt = now
      } else if (latest !== undefined && now - connection.usedAt >= unusedMs) socket.destroy()
    }
  }

  /** Whether a reply is due and none of it has been written. */
  isWaiting(socket: Socket): boolean {
    const reply = this.#open.get(socket)?.latest
    return reply !== undefined && !reply.writableFinished && socket.writableLength === 0
  }

  /** Whether a connection isn't read, because so many of its requests are unanswered. */
  isFull(socket: Socket): boolean {
    return this.#open.get(socket)?.backlog.isFull === true
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
