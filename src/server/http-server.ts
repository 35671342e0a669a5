import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Connection, Connections } from '../adapters/parts/node/connections.ts'
import { headersFrom, spellHeader } from '../mock/api/http.ts'
import type { ApiRequest, Outcome } from '../mock/api/message.ts'
import { outcomeOf } from './api-layer.ts'
import type { SiteApp } from './app.ts'
import type { Bounds, ReadServerOptions } from './server-options.ts'
import type { Site } from './site.ts'

/** An `import` would also load all of undici, which takes a quarter of the startup time. */
const http = process.getBuiltinModule('node:http')

/**
 * Time for which an idle connection stays open; responses announce it, so that connection pools close theirs in time.
 */
const keepAliveMs = 30_000

/** Time that clients have to finish sending and reading when a server stops. */
const graceMs = 4_000

/** Time that the client of a rejected connection has to read the response. */
const lingerMs = 1_000

export interface HttpServer {
  /**
   * Listens on a port and address that aren't in use.
   *
   * @returns The address.
   * @throws Node's error if it can't listen.
   */
  listen(port: number, host: string): Promise<AddressInfo>
  /** Stops: accepts no new connections, ends all waits, and resolves when all running requests have their responses. */
  close(): Promise<void>
}

/**
 * Creates a server with limits; requests that Node itself would reject without a body get an Error body.
 *
 * @param tls Certificate and key for HTTPS; `undefined` for HTTP.
 */
export function createHttpServer(
  site: Site,
  { listener, messages }: SiteApp,
  connections: Connections,
  bounds: Bounds,
  tls?: ReadServerOptions['tls'],
): HttpServer {
  const { headerBytes, requestMs, stalledMs } = bounds
  const headersMs = Math.min(bounds.headersMs, requestMs)
  const options = {
    ...messages,
    maxHeaderSize: headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs),
    keepAliveTimeout: keepAliveMs,
    // A request without `Host` gets an Error body instead.
    requireHostHeader: false,
  }
  const server =
    tls === undefined
      ? http.createServer(options, listener)
      : process
          .getBuiltinModule('node:https')
          .createServer({ ...options, ...tls, handshakeTimeout: headersMs }, listener)
  server.maxConnections = bounds.connections
  // `headerBytes` limits the headers; by default Node would silently drop those after the first 2,000.
  server.maxHeadersCount = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections.of(socket)
  })
  // A server may ignore an unknown expectation (RFC 9110, 10.1.1); Node would send 417 without a body.
  server.on('checkExpectation', listener)
  // With this listener, Node doesn't close idle connections itself.
  server.setTimeout(stalledMs, (socket: Socket) => {
    const { pending } = connections.of(socket)
    // Other limits cover incoming requests, and a fault may delay a response for any time. A paused connection isn't
    // waited for, since the server wouldn't notice that the client has disconnected.
    const isWaiting = pending > 0 && socket.writableLength === 0 && !socket.isPaused()
    if (!isWaiting) socket.destroy()
  })

  /** Responds, in order, to a request without a response object, and closes the connection. */
  const respondRaw = (socket: Socket, request: ApiRequest): void => {
    const connection = connections.of(socket)
    connections.expectResponse(connection)
    whenFree(connection, () => {
      const sent = { ...request, addedLines: ['Connection', 'close'] }
      writeRaw(socket, () => outcomeOf(site, sent, connection))
        .catch((error) => {
          site.reportBug(error)
          socket.destroy()
        })
        .finally(() => connections.endResponse(connection))
    })
  }
  server.on('connect', ({ url = '', rawHeaders }: IncomingMessage, socket: Socket) => {
    respondRaw(socket, { method: 'CONNECT', url, headers: headersFrom(rawHeaders), body: '' })
  })
  // Node reports a parser error again for each further chunk.
  const rejected = new WeakSet<Socket>()
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (rejected.has(socket)) return
    rejected.add(socket)
    const unreadable = reasonOf(error, { ...bounds, headersMs })
    respondRaw(socket, { method: '', url: '', headers: {}, body: '', unreadable })
  })

  let closed: Promise<void> | undefined
  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host, exclusive: true }, () => {
          server.off('error', reject)
          const address = server.address()
          if (typeof address === 'object' && address !== null) resolve(address)
        })
      }),
    close() {
      closed ??= new Promise((resolve) => {
        const grace = setTimeout(() => {
          for (const socket of sockets) socket.destroy()
        }, graceMs)
        server.close(() => {
          clearTimeout(grace)
          resolve()
        })
        connections.stop()
      })
      return closed
    },
  }
}

/**
 * Calls `write` once the response to a broken request may be written: after the responses to earlier requests. Closes
 * the connection if the broken request already has a response.
 */
function whenFree({ socket, latest }: Connection, write: () => void): void {
  if (latest === undefined) write()
  else if (latest.req.complete) {
    if (latest.writableFinished) write()
    else latest.once('finish', write)
  } else if (latest.headersSent) socket.destroy()
  else {
    const take = (): void => {
      // A response to the incomplete request may be on its way; detached, only the error response is sent.
      latest.detachSocket(socket)
      write()
    }
    if (latest.socket !== null) take()
    else latest.once('socket', take)
  }
}

/** Writes a response without a response object, and closes the connection. */
async function writeRaw(socket: Socket, respond: () => Promise<Outcome>): Promise<void> {
  // Node's own listener is gone; a client that disconnects now must not crash the server.
  socket.on('error', () => socket.destroy())
  // A client that has disconnected gets no response.
  const outcome = socket.writable ? await respond() : undefined
  if (outcome?.kind === 'timeout') await outcome.ended
  // Any other outcome of a fault is approximated by closing the connection.
  if (!socket.writable || outcome?.kind !== 'response') {
    socket.destroy()
    return
  }
  const { status, headers, body } = outcome
  const lines = Object.entries({
    ...headers,
    'content-length': headers['content-length'] ?? Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${spellHeader(name)}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // Discards any further data from the client.
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** An error of Node's parser or timers. */
interface ClientError extends Error {
  readonly code?: string
  readonly reason?: string
}

function reasonOf({ code, reason }: ClientError, bounds: Bounds): string {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return `Cannot read the request: its headers are larger than ${bounds.headerBytes} bytes; send fewer or shorter ones`
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return `Cannot read the request: it did not arrive in time; send its headers within ${bounds.headersMs / 1000} seconds and the rest within ${bounds.requestMs / 1000}`
  }
  const found = reason === undefined ? '' : ` (${reason})`
  return `Cannot read the request: it is not valid HTTP/1.1${found}; send one request line, header lines and the body that they declare`
}
