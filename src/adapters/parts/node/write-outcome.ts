import type { ServerResponse } from 'node:http'
import { isRecord } from '../../../mock/input/record.ts'
import { headersOnWire, mayHaveBody, spellHeader } from '../../../mock/spec/http.ts'
import type { ApiResponse, BrokenResponse, Headers, Outcome } from '../../../mock/spec/message.ts'
import { yieldToEventLoop } from '../../../mock/spec/real-time.ts'

/**
 * Writes the outcome of a request; resolves when the response is complete.
 *
 * @param extra Header lines to add: alternating names and values.
 */
export function writeOutcome(
  response: ServerResponse,
  outcome: Outcome,
  extra: readonly string[] = [],
): Promise<void> | undefined {
  if (outcome.kind !== 'response') return writeFaulty(response, outcome, extra)
  writeReply(response, outcome, extra)
  return undefined
}

/** Writes an outcome that a fault has changed. */
async function writeFaulty(
  response: ServerResponse,
  outcome: Exclude<Outcome, ApiResponse>,
  extra: readonly string[],
): Promise<void> {
  switch (outcome.kind) {
    case 'broken-response':
      await writeBrokenReply(response, outcome, extra)
      return
    case 'disconnect':
      inTurn(response, () => breakConnection(response))
      return
    case 'timeout':
      await outcome.ended
      inTurn(response, () => breakConnection(response))
      return
    default:
      outcome satisfies never
  }
}

/** Writes a complete response, with its headers in their standard spelling. */
function writeReply(
  response: ServerResponse,
  { status, headers, body }: ApiResponse,
  extra: readonly string[],
): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, headerLines(status, headers, length, extra))
  // ASCII text has the same bytes in both encodings, and `latin1` costs half as much.
  response.end(body, length === body.length ? 'latin1' : 'utf8')
}

/** Writes a response that a fault has broken or slowed. */
async function writeBrokenReply(
  response: ServerResponse,
  { status, headers, body, pieces, end }: BrokenResponse,
  extra: readonly string[],
): Promise<void> {
  const length = Buffer.byteLength(body)
  response.writeHead(status, headerLines(status, headers, length, extra))
  const written = await writePieces(response, pieces)
  // The pieces end early when the server stops; its clients get the rest at once.
  if (end === 'whole') response.end(body.slice(written))
  else if (end === 'close') inTurn(response, () => response.socket?.destroySoon())
  else inTurn(response, () => resetConnection(response))
}

/** A streamed response: a status, headers, and a sequence of pieces. */
interface Streamed {
  readonly status: number
  readonly headers: Headers
  readonly pieces: AsyncIterable<string>
}

/** Writes a response whose body continues until its pieces end. */
export async function writeStream(
  response: ServerResponse,
  { status, headers, pieces }: Streamed,
): Promise<void> {
  response.writeHead(status, spelledLines(headers))
  await writePieces(response, pieces)
  response.end()
}

function headerLines(
  status: number,
  headers: Headers,
  length: number,
  extra: readonly string[],
): string[] {
  const lines = spelledLines(headersOnWire(status, headers))
  if (headers['content-length'] === undefined && mayHaveBody(status)) {
    lines.push('Content-Length', String(length))
  }
  lines.push(...extra)
  return lines
}

function spelledLines(headers: Headers): string[] {
  const lines: string[] = []
  for (const name in headers) lines.push(spellHeader(name), headers[name] ?? '')
  return lines
}

/**
 * Writes piece by piece, each after the one before is sent, and lets other work run in between; stops when the client
 * leaves.
 *
 * @returns Number of characters written.
 */
async function writePieces(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
): Promise<number> {
  response.flushHeaders()
  // Node 20 doesn't report that the client has left before it is the response's turn.
  await new Promise<void>((resolve) => inTurn(response, resolve))
  let written = 0
  let settle = (_error?: unknown): void => {}
  response.once('close', () => settle())
  for await (const piece of pieces) {
    await yieldToEventLoop()
    const error = await new Promise((resolve) => {
      settle = resolve
      if (response.closed) resolve(undefined)
      else response.write(piece, resolve)
    })
    // Writes to a connection fail long before its `close` event.
    if (error instanceof Error || response.closed || response.req.socket.destroyed) break
    written += piece.length
  }
  return written
}

/** Acts when it is the turn of a response on its connection, after the responses to earlier requests. */
function inTurn(response: ServerResponse, act: () => void): void {
  if (response.socket === null) response.once('socket', act)
  else act()
}

/**
 * Bytes to send to a client before its connection breaks. Many clients resend a request automatically, a POST too, if a
 * connection breaks before the first byte of a response; their users would never see the break
 * (decisions/023-continue-before-a-disconnect.md).
 */
const beforeBreaks: readonly { readonly client: RegExp; readonly bytes: string }[] = [
  // Node's own fetch never resends, and treats an unrequested interim response as an error.
  { client: /^(?:node|undici)$/, bytes: '' },
  // HttpURLConnection and these fetches also resend after an interim response, but not after an invalid head.
  { client: /^(?:Java|Bun|Deno)\//, bytes: 'HTTP/1.1 broken\r\n\r\n' },
  // An interim response; every client has to accept one, requested or not (RFC 9110, 15.2).
  { client: /(?:)/, bytes: 'HTTP/1.1 100 Continue\r\n\r\n' },
]

/** Breaks the connection instead of responding, so that the client doesn't hide the break by resending the request. */
function breakConnection(response: ServerResponse): void {
  const { socket } = response
  const bytes = bytesBefore(response)
  if (socket?.writable !== true || bytes === '') resetConnection(response)
  else socket.write(bytes, 'latin1', () => resetConnection(response))
}

/** Narrows to a Node response, as some hosts pass it. */
export function isNodeResponse(found: unknown): found is ServerResponse {
  return isRecord(found) && 'writeHead' in found && isRecord(found.req) && 'socket' in found
}

/** Breaks the connection of a response; resolves when it is closed. */
export function untilBroken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) {
      resolve()
      return
    }
    response.once('close', resolve)
    breakConnection(response)
  })
}

/** Resets the connection of a response, or closes it if it isn't plain TCP, which alone can be reset. */
function resetConnection(response: ServerResponse): void {
  const { socket } = response
  // Pipes have no address; on pipes and on TLS, Node would throw. Other hosts may not support resets.
  const isPlain = socket?.remoteAddress !== undefined && !('encrypted' in socket)
  if (isPlain && 'resetAndDestroy' in socket) socket.resetAndDestroy()
  else response.destroy()
}

function bytesBefore({ req }: ServerResponse): string {
  // Versions before HTTP/1.1 have no interim responses, and seldom reuse a connection.
  if (req.httpVersion !== '1.1') return ''
  const agent = req.headers['user-agent'] ?? ''
  return beforeBreaks.find(({ client }) => client.test(agent))?.bytes ?? ''
}
