import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import { type Handler, headersFrom } from '../contract/message.ts'
import { hostClasses } from './host-classes.ts'
import { refuseSocket, writeRawReply } from './raw-reply.ts'

/** What a client may take of the process. */
export interface HostLimits {
  /** Bytes of all header lines of a request. */
  readonly headerBytes: number
  /** How long the headers of a request may take to arrive. */
  readonly headersMs: number
  /** How long a whole request may take to arrive. */
  readonly requestMs: number
  readonly connections: number
}

export const defaultLimits: HostLimits = {
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 30_000,
  connections: 1_000,
}

/** How long a connection may stay open unused: longer than the pools of usual clients keep theirs. */
const keepAliveMs = 65_000

/**
 * Makes the Node server for an app. What Node's own parser or limits refuse is answered by the handler,
 * so that it has an Error body too.
 */
export function createHost(app: Express, handle: Handler, limits: HostLimits): Server {
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
    app,
  )
  // The size of the headers bounds their number; Node would drop those past 2,000 unsaid.
  server.maxHeadersCount = 0
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (isAnswered(socket)) socket.destroy()
    else void refuseSocket(socket, handle, reasonOf(error, limits))
  })
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  server.on('connect', ({ url = '', rawHeaders }: IncomingMessage, socket: Socket) => {
    const headers = headersFrom(rawHeaders)
    void handle({ method: 'CONNECT', url, headers, body: '' }).then((outcome) =>
      writeRawReply(socket, outcome),
    )
  })
  limitConnections(server, handle, limits.connections)
  return server
}

/** An error of Node's parser or timers. */
interface ClientError extends Error {
  readonly code?: string
  readonly reason?: string
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

/** Whether a reply is already on its way on a socket, so that nothing may be written into it. */
function isAnswered(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  return !socket.writable || socket._httpMessage?.headersSent === true
}

/** Answers connections over the limit at once, before they are read. */
function limitConnections(server: Server, handle: Handler, most: number): void {
  const accept = server.listeners('connection')
  server.removeAllListeners('connection')
  let open = 0
  server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => open--)
    if (open <= most) {
      for (const listener of accept) listener.call(server, socket)
      return
    }
    const reason = `Cannot serve this connection: ${most} are open; close some, or use them for more than one request`
    void refuseSocket(socket, handle, reason)
  })
}
