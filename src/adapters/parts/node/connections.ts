import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { serverStops } from '../../../contract/message.ts'
import { EventLoopLateness } from './event-loop-lateness.ts'

/** How many requests of a connection may be unanswered; with more, it is ended. */
const mostOfConnection = 100

/** How many of all connections together; then those that send a request upon their own unanswered ones are ended. */
const mostOfAll = 10_000

/** Why nobody waits any more, unless it is that the server stops. */
const clientLeft = 'the client has left'

/** An open connection, and who waits for the answers on it. */
export class Connection {
  readonly socket: Socket
  /** Counted from 1. */
  readonly number: number
  /** The response to its latest request. */
  latest: ServerResponse | undefined
  /** How many of its requests have no whole answer yet. */
  unanswered = 0
  readonly #departure = new AbortController()
  /** Aborts when the connection closes or the server stops; then nothing waits for it any more. */
  readonly owner: AbortSignal = this.#departure.signal
  #lastTurn: Promise<void> | undefined

  constructor(socket: Socket, number: number) {
    this.socket = socket
    this.number = number
    // As many as requests wait on it; Node 20 would warn of a leak.
    setMaxListeners(0, this.owner)
  }

  /** Ends all that waits on it. */
  abort(reason: string): void {
    this.#departure.abort(reason)
  }

  /** Puts a request into the order in which those of the connection take effect. */
  enter(): Turn {
    const comes = this.#lastTurn
    let leave = (): void => {}
    this.#lastTurn = new Promise((resolve) => {
      leave = resolve
    })
    return { comes, leave }
  }
}

/** The place of a request in the order in which those of a connection take effect. */
export interface Turn {
  /** Resolves when all before it have taken effect. */
  readonly comes: Promise<void> | undefined
  /** To be called when it has taken effect; again, it does nothing. */
  readonly leave: () => void
}

/** A request that has arrived. */
export interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  readonly turn: Turn
}

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  #lastNumber = 0
  #unanswered = 0
  #isStopping = false
  /** How late requests may be on these connections. */
  readonly lateness = new EventLoopLateness()

  /** Returns what is known of a connection, from its beginning to its end. */
  of(socket: Socket): Connection {
    const known = this.#open.get(socket)
    if (known !== undefined) return known
    this.#lastNumber++
    const connection = new Connection(socket, this.#lastNumber)
    this.#open.set(socket, connection)
    // Not of requests or responses, which Node 20 doesn't tell while they wait for their turn.
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#unanswered -= connection.unanswered
      connection.abort(clientLeft)
    })
    return connection
  }

  /** Notes a request that has arrived; returns nothing if its connection has closed, or is ended for too many of them. */
  arrive(request: IncomingMessage, response: ServerResponse): Arrival | undefined {
    const { socket } = request
    // Node goes on with what it has read of a connection that is ended.
    if (socket.destroyed) return undefined
    this.lateness.watch()
    const connection = this.of(socket)
    const { unanswered } = connection
    const isFull = unanswered > 0 && this.#unanswered >= mostOfAll
    if (isFull || unanswered >= mostOfConnection) {
      socket.destroy()
      return undefined
    }
    connection.latest = response
    const turn = connection.enter()
    const answered = this.expectAnswer(connection)
    response.once('close', () => {
      // It may have been answered by middleware, without any effect.
      turn.leave()
      answered()
      this.lateness.watch()
    })
    return { request, response, connection, turn }
  }

  /** Counts an answer that is due on a connection; returns what is to be called once it is sent. */
  expectAnswer(connection: Connection): () => void {
    connection.unanswered++
    this.#unanswered++
    return () => {
      if (!this.#open.has(connection.socket)) return
      connection.unanswered--
      this.#unanswered--
      if (this.#isStopping) endUnlessBusy(connection)
    }
  }

  /** Ends what waits on connections, and each connection as soon as all its requests are answered. */
  stop(): void {
    this.#isStopping = true
    for (const connection of this.#open.values()) {
      connection.abort(serverStops)
      endUnlessBusy(connection)
    }
  }
}

function endUnlessBusy({ socket, unanswered }: Connection): void {
  if (unanswered === 0) socket.destroySoon()
}
