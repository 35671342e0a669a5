import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { headersFrom } from '../../../mock/api/http.ts'
import { type Headers, serverStops } from '../../../mock/api/message.ts'
import { realNow } from '../../../mock/api/real-time.ts'
import { EventLoopLateness } from './event-loop-lateness.ts'

/** Maximum number of pending requests on a connection; with more, it is closed. */
const maxOfConnection = 100

/**
 * Maximum number of pending requests on all connections; beyond it, connections that pipeline another request are
 * closed.
 */
const maxOfAll = 10_000

/** The abort reason of a connection that its client has closed. */
const clientLeft = 'the client has left'

/** An open connection, and the abort signal of its pending requests. */
export class Connection {
  readonly socket: Socket
  /** Counted from 1. */
  readonly number: number
  /** Time at which it was opened, for its first request; `undefined` for later ones. */
  openedMs: number | undefined = realNow()
  /** The response to its latest request. */
  latest: ServerResponse | undefined
  /** Number of requests whose response isn't complete yet. */
  pending = 0
  readonly #departure = new AbortController()
  /** Aborts when the connection closes or the server stops; all waits for its requests then end. */
  readonly signal: AbortSignal = this.#departure.signal
  readonly all: Connections
  #lastArrival: Arrival | undefined

  constructor(socket: Socket, number: number, all: Connections) {
    this.socket = socket
    this.number = number
    this.all = all
    // The signal has a listener for each waiting request; Node 20 would warn of a leak.
    setMaxListeners(0, this.signal)
  }

  /** Ends all waits for the connection's requests. */
  abort(reason: string): void {
    this.#departure.abort(reason)
  }

  /** Adds a request to the order in which those of the connection take effect; returns the one before it. */
  enter(arrival: Arrival): Arrival | undefined {
    const before = this.#lastArrival
    if (before !== undefined) this.openedMs = undefined
    this.#lastArrival = arrival
    this.latest = arrival.response
    return before
  }
}

/** A request that has arrived, with its place in the order of its connection. */
export class Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  readonly headers: Headers
  /** Resolves when all requests before it have taken effect; `undefined` if they have already. */
  readonly comes: Promise<void> | undefined
  #hasEffect = false
  #next: (() => void) | undefined

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection) {
    this.request = request
    this.response = response
    this.connection = connection
    this.headers = headersFrom(request.rawHeaders)
    const { all } = connection
    const before = connection.enter(this)
    this.comes = before === undefined || before.#hasEffect ? undefined : before.#untilEffect()
    all.expectResponse(connection)
    response.on('close', () => {
      // Middleware may have responded instead, so that the request had no effect.
      this.leave()
      all.endResponse(connection)
      all.lateness.watch()
    })
  }

  /** Records that this request has taken effect, so that the next one of the connection can; idempotent. */
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

/** Maximum number of bytes of the bodies under way, besides the first 64 KiB of each. */
export const maxUnderWay = 33_554_432

/** The bodies under way on the connections of a server. */
export class BodiesUnderWay {
  #bytes = 0

  /** Counts more bytes; returns whether they fit. */
  add(bytes: number): boolean {
    if (this.#bytes + bytes > maxUnderWay) return false
    this.#bytes += bytes
    return true
  }

  remove(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly bodies = new BodiesUnderWay()
  #lastNumber = 0
  #pending = 0
  #isStopping = false
  /** The event-loop lateness that may have delayed requests on these connections. */
  readonly lateness = new EventLoopLateness()

  /** Returns the record of a connection, from its start to its end. */
  of(socket: Socket): Connection {
    const known = this.#open.get(socket)
    if (known !== undefined) return known
    this.#lastNumber++
    const connection = new Connection(socket, this.#lastNumber, this)
    this.#open.set(socket, connection)
    // A listener on the socket, since Node 20 emits no `close` for requests or responses that wait for their turn.
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#pending -= connection.pending
      connection.abort(clientLeft)
    })
    return connection
  }

  /**
   * Returns the connection of a request that has arrived; `undefined` if the connection has closed, or is closed for
   * too many pending requests.
   */
  accept({ socket }: IncomingMessage): Connection | undefined {
    // Node continues with data that it has already read from a closed connection.
    if (socket.destroyed) return undefined
    this.lateness.watch()
    const connection = this.of(socket)
    const { pending } = connection
    const isFull = pending > 0 && this.#pending >= maxOfAll
    if (!isFull && pending < maxOfConnection) return connection
    socket.destroy()
    return undefined
  }

  /** Counts a response as pending on a connection. */
  expectResponse(connection: Connection): void {
    connection.pending++
    this.#pending++
  }

  /** Counts a response as completed. */
  endResponse(connection: Connection): void {
    if (!this.#open.has(connection.socket)) return
    connection.pending--
    this.#pending--
    if (this.#isStopping) endUnlessBusy(connection)
  }

  /** Ends the waits on all connections, and closes each connection as soon as its responses are complete. */
  stop(): void {
    this.#isStopping = true
    for (const connection of this.#open.values()) {
      connection.abort(serverStops)
      endUnlessBusy(connection)
    }
  }
}

function endUnlessBusy({ socket, pending }: Connection): void {
  if (pending === 0) socket.destroySoon()
}
