import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Connection, Connections } from '../adapters/parts/node/connections.ts'
import { headersFrom, spellHeader } from '../mock/spec/http.ts'
import type { ApiRequest, Outcome } from '../mock/spec/message.ts'
import { outcomeOf } from './answer-api.ts'
import type { SiteApp } from './app.ts'
import type { Bounds, ReadServerOptions } from './server-options.ts'
import type { Site } from './site.ts'

/** To `import` it would load all of undici too, which takes a quarter of a start. */
const http = process.getBuiltinModule('node:http')

/** How long an unused connection stays open; replies tell it, so that pools give theirs up in time. */
const keepAliveMs = 30_000

/** How long clients may take to send and to read what is under way when a server stops. */
const graceMs = 4_000

/** How long the client of a refused connection may take to read the reply. */
const lingerMs = 1_000

/** A server of Node's. */
export interface HttpServer {
  /**
   * Listens, on a port and address that nothing else listens on.
   *
   * @returns Where.
   * @throws Node's error when it can't.
   */
  listen(port: number, host: string): Promise<AddressInfo>
  /** Stops: takes no more connections, ends all waits, and resolves when what is under way is answered. */
  close(): Promise<void>
}

/**
 * Makes a server with limits, which answers with an Error body what Node itself would refuse without one.
 *
 * @param tls Makes it one of HTTPS.
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
    // It is refused with an Error body instead.
    requireHostHeader: false,
  }
  const server =
    tls === undefined
      ? http.createServer(options, listener)
      : process
          .getBuiltinModule('node:https')
          .createServer({ ...options, ...tls, handshakeTimeout: headersMs }, listener)
  server.maxConnections = bounds.connections
  // Their size bounds the number of headers; Node would silently drop those after 2,000.
  server.maxHeadersCount = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections.of(socket)
  })
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', listener)
  // With a listener, Node doesn't end connections itself on which nothing happens.
  server.setTimeout(stalledMs, (socket: Socket) => {
    const { unanswered } = connections.of(socket)
    // Other limits cover incoming requests; a reply may take as long as a fault says. Of a client whose connection
    // isn't read, nobody would hear that it has left.
    const isWaiting = unanswered > 0 && socket.writableLength === 0 && !socket.isPaused()
    if (!isWaiting) socket.destroy()
  })

  /** Answers on a connection for whose request there is no response object, in its turn, and ends it. */
  const answerRaw = (socket: Socket, request: ApiRequest): void => {
    const connection = connections.of(socket)
    connections.expectAnswer(connection)
    whenFree(connection, () => {
      const sent = { ...request, addedLines: ['Connection', 'close'] }
      writeRaw(socket, () => outcomeOf(site, sent, connection))
        .catch((error) => {
          site.reportBug(error)
          socket.destroy()
        })
        .finally(() => connections.endAnswer(connection))
    })
  }
  server.on('connect', ({ url = '', rawHeaders }: IncomingMessage, socket: Socket) => {
    answerRaw(socket, { method: 'CONNECT', url, headers: headersFrom(rawHeaders), body: '' })
  })
  // Node reports an error of its parser again for each further piece of data.
  const refused = new WeakSet<Socket>()
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const unreadable = reasonOf(error, { ...bounds, headersMs })
    answerRaw(socket, { method: '', url: '', headers: {}, body: '', unreadable })
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
 * Calls back once a reply to a broken request may be written: after the replies to the requests before it. Ends the
 * connection if that request has been answered already.
 */
function whenFree({ socket, latest }: Connection, write: () => void): void {
  if (latest === undefined) write()
  else if (latest.req.complete) {
    if (latest.writableFinished) write()
    else latest.once('finish', write)
  } else if (latest.headersSent) socket.destroy()
  else {
    const take = (): void => {
      // A request that needs no body may be about to be answered; detached, it gets only the reply to what is broken.
      latest.detachSocket(socket)
      write()
    }
    if (latest.socket !== null) take()
    else latest.once('socket', take)
  }
}

/** Writes a reply without a response object, and ends the connection. */
async function writeRaw(socket: Socket, answer: () => Promise<Outcome>): Promise<void> {
  // Node's own listener is gone, and a client that leaves now must not crash the process.
  socket.on('error', () => socket.destroy())
  // A client that has left wants no answer.
  const outcome = socket.writable ? await answer() : undefined
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
  // Whatever the client may still send.
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
