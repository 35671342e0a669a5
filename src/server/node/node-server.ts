import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setInterval as startLooking, clearInterval as stopLooking } from 'node:timers'
import { headersFrom } from '../../contract/http/read-request.ts'
import type { ApiRequest, Outcome } from '../../contract/message.ts'
import { realNow } from '../../state/clock/real-time.ts'
import type { ServerLimits } from '../server-options.ts'
import { type Client, Connections } from './connections.ts'
import { lastOfConnection, writeRawReply } from './write-raw-reply.ts'

/** What answers the requests of a Node server. */
export interface Answering {
  /** Answers a request, and tells the client's `answered()` when it has. */
  serve(request: IncomingMessage, response: ServerResponse, client: Client): void
  /** Gives the answer to what Node can't read, or has no response object for. */
  carryOut(request: ApiRequest, client: Client): Promise<Outcome>
  /** Called with each bug on the way of an answer. */
  reportBug(error: unknown): void
  /** Called with each connection that has closed. */
  forget(socket: Socket): void
}

/** How long an unused connection stays open: longer than clients' pools usually keep theirs. */
const keepAliveMs = 65_000

/** How long clients may take to send and to read what is under way when a server stops. */
const graceMs = 4_000

/** A server of Node's that answers everything with an Error body that Node itself would refuse without one. */
export class NodeServer {
  readonly #server: Server
  readonly #connections: Connections
  readonly #answering: Answering
  readonly #limits: ServerLimits
  #closed: Promise<void> | undefined

  constructor(answering: Answering, limits: ServerLimits) {
    const headersMs = Math.min(limits.headersMs, limits.requestMs)
    this.#answering = answering
    this.#limits = { ...limits, headersMs }
    this.#connections = new Connections(
      (request, response, client) => answering.serve(request, response, client),
      (socket) => answering.forget(socket),
    )
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      // Node would add a `Date` by the system's clock; a reply has the sandbox's time or none.
      response.sendDate = false
      this.#connections.take(request, response)
    }
    this.#server = createServer(
      {
        maxHeaderSize: limits.headerBytes,
        headersTimeout: headersMs,
        requestTimeout: limits.requestMs,
        connectionsCheckingInterval: Math.min(1_000, headersMs),
        keepAliveTimeout: 0,
        // It is refused with an Error body instead.
        requireHostHeader: false,
      },
      serve,
    )
    // Their size bounds the number of headers; Node would silently drop those after 2,000.
    this.#server.maxHeadersCount = 0
    // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
    this.#server.on('checkExpectation', serve)
    this.#server.on('connect', ({ url = '', rawHeaders }: IncomingMessage, socket: Socket) => {
      this.#answerRaw(socket, {
        method: 'CONNECT',
        url,
        headers: headersFrom(rawHeaders),
        body: '',
      })
    })
    this.#refuseUnreadable()
    this.#endStalled()
    this.#limitConnections()
  }

  /**
   * Listens, on a port and address that nothing else listens on.
   *
   * @returns Where.
   * @throws Node's error when it can't.
   */
  listen(port: number, host: string): Promise<AddressInfo> {
    const server = this.#server
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host, exclusive: true }, () => {
        server.off('error', reject)
        const address = server.address()
        if (typeof address === 'object' && address !== null) resolve(address)
      })
    })
  }

  /** Stops: takes no more connections, ends all waits, and resolves when what is under way is answered. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      const grace = setTimeout(() => this.#connections.destroy(), graceMs)
      this.#server.close(() => {
        clearTimeout(grace)
        resolve()
      })
      this.#connections.stop()
    })
    return this.#closed
  }

  /** Answers what Node's parser or timers refuse, in its turn on the connection. */
  #refuseUnreadable(): void {
    // Node reports the error again for each further piece of data.
    const refused = new WeakSet<Socket>()
    this.#server.on('clientError', (error: ClientError, socket: Socket) => {
      if (refused.has(socket)) return
      refused.add(socket)
      this.#refuse(socket, reasonOf(error, this.#limits))
    })
  }

  /**
   * Ends stalled connections, on which a reply isn't read or no request comes. They are looked at now and then: Node's own
   * `timeout` and `keepAliveTimeout` start two timers for each request.
   */
  #endStalled(): void {
    const { stalledMs } = this.#limits
    const everyMs = Math.min(1_000, Math.ceil(stalledMs / 4))
    this.#server.once('listening', () => {
      const looking = startLooking(() => {
        this.#connections.look({ stalledMs, unusedMs: keepAliveMs }, realNow())
      }, everyMs).unref()
      this.#server.once('close', () => stopLooking(looking))
    })
    // With a listener, Node doesn't end connections itself.
    this.#server.on('timeout', (socket: Socket) => {
      const connections = this.#connections
      // Other limits cover incoming requests; a reply may take as long as a fault says. Of a client whose connection
      // isn't read, nobody would hear that it has left.
      const isPatient = connections.isWaiting(socket) && !connections.isFull(socket)
      if (!connections.isUnused(socket) && !isPatient) socket.destroy()
    })
  }

  /** Refuses connections over the limit at once, without reading them. */
  #limitConnections(): void {
    const server = this.#server
    const { connections: most } = this.#limits
    const accept = server.listeners('connection')
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      this.#connections.add(socket)
      if (this.#connections.size <= most) {
        for (const listener of accept) listener.call(server, socket)
        return
      }
      this.#refuse(
        socket,
        `Cannot serve this connection: ${most} are open already; close some, or reuse them`,
      )
    })
  }

  /** Refuses with 400 what can't be read, and ends the connection. */
  #refuse(socket: Socket, unreadable: string): void {
    this.#answerRaw(socket, { method: '', url: '', headers: {}, body: '', unreadable })
  }

  /** Answers on a connection for whose request there is no response object, in its turn, and ends it. */
  #answerRaw(socket: Socket, request: ApiRequest): void {
    this.#connections.whenFree(socket, (client) => {
      const sent = { ...request, addedLines: lastOfConnection }
      writeRawReply(socket, () => this.#answering.carryOut(sent, client)).catch((error) => {
        this.#answering.reportBug(error)
        socket.destroy()
      })
    })
  }
}

/** An error of Node's parser or timers. */
interface ClientError extends Error {
  readonly code?: string
  readonly reason?: string
}

function reasonOf({ code, reason }: ClientError, limits: ServerLimits): string {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return `Cannot read the request: its headers are larger than ${limits.headerBytes} bytes; send fewer or shorter ones`
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return `Cannot read the request: it did not arrive in time; send its headers within ${limits.headersMs / 1000} seconds and the rest within ${limits.requestMs / 1000}`
  }
  const found = reason === undefined ? '' : ` (${reason})`
  return `Cannot read the request: it is not valid HTTP/1.1${found}; send one request line, header lines and the body that they declare`
}
