import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { headersFrom } from '../../../mock/spec/http.ts'
import { type Headers, serverStops } from '../../../mock/spec/message.ts'
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
  readonly all: Connections
  #lastArrival: Arrival | undefined

  constructor(socket: Socket, number: number, all: Connections) {
    this.socket = socket
    this.number = number
    this.all = all
    // As many as requests wait on it; Node 20 would warn of a leak.
    setMaxListeners(0, this.owner)
  }

  /** Ends all that waits on it. */
  abort(reason: string): void {
    this.#departure.abort(reason)
  }

  /** Puts a request into the order in which those of the connection take effect; returns the one before it. */
  enter(arrival: Arrival): Arrival | undefined {
    const before = this.#lastArrival
    this.#lastArrival = arrival
    this.latest = arrival.response
    return before
  }
}

/** The longest head that is kept, in lines. */
const maxLines = 64

/** The heads of the latest requests, by their number of lines: clients repeat themselves. */
class KnownHeads {
  readonly #latest = new Map<
    number,
    { readonly lines: readonly string[]; readonly headers: Headers }
  >()

  /** The headers that lines say; frozen, since others may have them too. */
  headersOf(lines: readonly string[]): Headers {
    const known = this.#latest.get(lines.length)
    if (known !== undefined && isSame(known.lines, lines)) return known.headers
    const headers = Object.freeze(headersFrom(lines))
    if (lines.length <= maxLines) this.#latest.set(lines.length, { lines: [...lines], headers })
    return headers
  }
}

function isSame(known: readonly string[], lines: readonly string[]): boolean {
  for (let index = 0; index < lines.length; index++) {
    if (known[index] !== lines[index]) return false
  }
  return true
}

/** A request that has arrived, and its turn on its connection. */
export class Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  /** Resolves when all requests before it have taken effect; `undefined` if they have. */
  readonly comes: Promise<void> | undefined
  #hasEffect = false
  #next: (() => void) | undefined

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection) {
    this.request = request
    this.response = response
    this.connection = connection
    const { all } = connection
    const before = connection.enter(this)
    this.comes = before === undefined || before.#hasEffect ? undefined : before.#untilEffect()
    all.expectAnswer(connection)
    response.on('close', () => {
      // It may have been answered by middleware, without any effect.
      this.leave()
      all.endAnswer(connection)
      all.lateness.watch()
    })
  }

  /** The headers of the request; the same object for the same lines. */
  get headers(): Headers {
    return this.connection.all.heads.headersOf(this.request.rawHeaders)
  }

  /** Lets the next request of the connection take effect; to be called when this one has. Again, it does nothing. */
  leave(): void {
    this.#hasEffect = true
    this.#next?.()
  }

  #untilEffect(): Promise<void> {
    return new Promise((resolve) => {
      this.#next = resolve
    })
  }
}

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly heads = new KnownHeads()
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
    const connection = new Connection(socket, this.#lastNumber, this)
    this.#open.set(socket, connection)
    // Not of requests or responses, which Node 20 doesn't tell while they wait for their turn.
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#unanswered -= connection.unanswered
      connection.abort(clientLeft)
    })
    return connection
  }

  /** Returns the connection of a request that has arrived; nothing if it has closed, or is ended for too many of them. */
  accept({ socket }: IncomingMessage): Connection | undefined {
    // Node goes on with what it has read of a connection that is ended.
    if (socket.destroyed) return undefined
    this.lateness.watch()
    const connection = this.of(socket)
    const { unanswered } = connection
    const isFull = unanswered > 0 && this.#unanswered >= mostOfAll
    if (!isFull && unanswered < mostOfConnection) return connection
    socket.destroy()
    return undefined
  }

  /** Counts an answer that is due on a connection. */
  expectAnswer(connection: Connection): void {
    connection.unanswered++
    this.#unanswered++
  }

  /** Counts an answer no more, since it is sent. */
  endAnswer(connection: Connection): void {
    if (!this.#open.has(connection.socket)) return
    connection.unanswered--
    this.#unanswered--
    if (this.#isStopping) endUnlessBusy(connection)
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
