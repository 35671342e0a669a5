import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import { type Handler, headersFrom } from '../contract/message.ts'
import { checkOptions, parseWhole } from '../input/input-error.ts'
import { Connections } from './connections.ts'
import { hostClasses } from './host-classes.ts'
import { answerSocket, refuseSocket } from './raw-reply.ts'

/** What a client may take of the process. */
export interface HostLimits {
  /** Bytes of all header lines of a request. */
  readonly headerBytes: number
  /** How long the headers of a request may take to arrive. */
  readonly headersMs: number
  /** How long a whole request may take to arrive. */
  readonly requestMs: number
  /** How long a client may leave a reply unread before its connection is ended. */
  readonly stalledMs: number
  readonly connections: number
}

const defaultLimits: HostLimits = {
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 30_000,
  stalledMs: 30_000,
  connections: 1_000,
}

const largestLimits: HostLimits = {
  headerBytes: 1_048_576,
  headersMs: 3_600_000,
  requestMs: 3_600_000,
  stalledMs: 3_600_000,
  connections: 100_000,
}

/** How long a connection may stay open unused: longer than the pools of usual clients keep theirs. */
const keepAliveMs = 65_000

/**
 * Makes the Node server for an app. What Node's own parser or limits refuse is answered by the handler,
 * so that it has an Error body too.
 *
 * @param settings Limits in place of the default ones.
 * @throws {@link InputError} for a limit that can't be used.
 * @internal Not among the types of the package: who installs it may have no types of Express.
 */
export function createHost(app: Express, handle: Handler, settings: Partial<HostLimits>): Server {
  const limits = parseLimits(settings)
  const connections = new Connections()
  const server = createServer(
    {
      ...hostClasses(app),
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
      keepAliveTimeout: keepAliveMs,
      // The app refuses it, with an Error body.
      requireHostHeader: false,
    },
    (request, response) => {
      connections.note(request, response)
      hideTarget(request)
      // A reply's Date is the sandbox's time or none; Node would add the system's.
      response.sendDate = false
      app(request, response)
    },
  )
  // The size of the headers bounds their number; Node would drop those past 2,000 unsaid.
  server.maxHeadersCount = 0
  refuseUnreadable(server, handle, limits, connections)
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  server.on('connect', ({ url = '', rawHeaders }: IncomingMessage, socket: Socket) => {
    const request = { method: 'CONNECT', url, headers: headersFrom(rawHeaders), body: '' }
    connections.whenFree(socket, () => void answerSocket(socket, handle, request))
  })
  endStalled(server, limits, connections)
  limitConnections(server, handle, limits.connections, connections)
  closeUnusedToo(server, connections)
  return server
}

function parseLimits(settings: Partial<HostLimits>): HostLimits {
  checkOptions(settings, Object.keys(defaultLimits), 'set limits')
  const limit = (name: keyof HostLimits): number =>
    parseWhole(settings[name] ?? defaultLimits[name], 1, largestLimits[name], `limits.${name}`)
  const requestMs = limit('requestMs')
  return {
    headerBytes: limit('headerBytes'),
    headersMs: Math.min(limit('headersMs'), requestMs),
    requestMs,
    stalledMs: limit('stalledMs'),
    connections: limit('connections'),
  }
}

/** A target that Express can take apart itself: a path, and no character that it leaves to `url.parse()`. */
const plainTarget = /^\/[^\s#\ufeff]*$/

/** Keeps any other target from Express, which would warn of it or answer it itself; the app reads `originalUrl`. */
function hideTarget(request: IncomingMessage): void {
  const { url = '' } = request
  if (!plainTarget.test(url)) Object.assign(request, { originalUrl: url, url: '/' })
}

/** An error of Node's parser or timers. */
interface ClientError extends Error {
  readonly code?: string
  readonly reason?: string
}

/** Answers what Node's parser or timers refuse, in its turn on the connection. */
function refuseUnreadable(
  server: Server,
  handle: Handler,
  limits: HostLimits,
  connections: Connections,
): void {
  // Node tells of each piece that comes after an error again.
  const refused = new WeakSet<Socket>()
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const reason = reasonOf(error, limits)
    connections.whenFree(socket, () => void refuseSocket(socket, handle, reason))
  })
}

function reasonOf({ code, reason }: ClientError, limits: HostLimits): string {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return `Cannot read the request: its headers are larger than ${limits.headerBytes} bytes; send fewer or shorter ones`
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return `Cannot read the request: it did not arrive in time; send the headers within ${limits.headersMs / 1000} seconds, all of it within ${limits.requestMs / 1000}`
  }
  const found = reason === undefined ? '' : ` (${reason})`
  return `Cannot read the request: it is not valid HTTP/1.1${found}; send one request line, header lines and the body that they declare`
}

/** Ends connections on which nothing moves: a reply that nobody reads, or no request for long. */
function endStalled(server: Server, { stalledMs }: HostLimits, connections: Connections): void {
  server.timeout = stalledMs
  // With a listener, Node leaves it to that what to end.
  server.on('timeout', (socket: Socket) => {
    // Other limits see to requests that are on their way; a reply may take as long as a fault says.
    if (connections.isUnused(socket) || connections.isWaiting(socket)) return
    socket.destroy()
  })
}

/** Answers connections over the limit at once, before they are read. */
function limitConnections(
  server: Server,
  handle: Handler,
  most: number,
  connections: Connections,
): void {
  const accept = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    if (connections.size <= most) {
      for (const listener of accept) listener.call(server, socket)
      return
    }
    const reason = `Cannot serve this connection: ${most} are open; close some, or use them for more than one request`
    void refuseSocket(socket, handle, reason)
  })
}

/** Lets a server that stops close connections that have not been used yet; for Node they are not idle. */
function closeUnusedToo(server: Server, connections: Connections): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    closeIdle()
    connections.dropUnused()
  }
}
