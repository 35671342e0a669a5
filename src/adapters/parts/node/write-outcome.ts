import type { ServerResponse } from 'node:http'
import { isRecord } from '../../../mock/input/record.ts'
import { headersOnWire, mayHaveBody, spellHeader } from '../../../mock/spec/http.ts'
import type { ApiResponse, BrokenResponse, Headers, Outcome } from '../../../mock/spec/message.ts'
import { yieldToEventLoop } from '../../../mock/spec/real-time.ts'

/**
 * Writes what became of a request; resolves when nothing is left to do.
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

/** Writes what a fault made of an answer. */
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

/** Writes a complete reply, with its headers in their standard spelling. */
function writeReply(
  response: ServerResponse,
  { status, headers, body }: ApiResponse,
  extra: readonly string[],
): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, headerLines(status, headers, length, extra))
  // ASCII has the same bytes in either encoding, and costs half as much in this one.
  response.end(body, length === body.length ? 'latin1' : 'utf8')
}

/** Writes what a fault made of a reply. */
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

/** What is streamed: a status, headers, and pieces for as long as there are more. */
interface Streamed {
  readonly status: number
  readonly headers: Headers
  readonly pieces: AsyncIterable<string>
}

/** Writes a reply whose body goes on for as long as its pieces do. */
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
 * Writes piece by piece, each when the one before is on its way, with others served in between; gives up when the client
 * leaves.
 *
 * @returns How many characters were written.
 */
async function writePieces(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
): Promise<number> {
  response.flushHeaders()
  // Before its turn nobody would say that the client has left (Node 20).
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
    // Long before it says that it is closed, a connection refuses to be written to.
    if (error instanceof Error || response.closed || response.req.socket.destroyed) break
    written += piece.length
  }
  return written
}

/** Acts when it is the turn of a response on its connection: those to earlier requests come first. */
function inTurn(response: ServerResponse, act: () => void): void {
  if (response.socket === null) response.once('socket', act)
  else act()
}

/**
 * What a client gets to read before its connection breaks. Many send a request again by themselves, a POST too, if a
 * connection breaks before the first byte of a reply: whoever uses them would never see the break
 * (decisions/023-continue-before-a-disconnect.md).
 */
const beforeBreaks: readonly { readonly client: RegExp; readonly bytes: string }[] = [
  // Node's own fetch sends nothing again, and takes an interim reply that it has not asked for as a bad reply.
  { client: /^(?:node|undici)$/, bytes: '' },
  // HttpURLConnection and these fetches send again after an interim reply too, but not after a head that is none.
  { client: /^(?:Java|Bun|Deno)\//, bytes: 'HTTP/1.1 broken\r\n\r\n' },
  // An interim reply, which every client has to take, asked for or not (RFC 9110, 15.2).
  { client: /(?:)/, bytes: 'HTTP/1.1 100 Continue\r\n\r\n' },
]

/** Breaks the connection in place of a reply, so that the client doesn't hide it by sending the request again. */
function breakConnection(response: ServerResponse): void {
  const { socket } = response
  const bytes = bytesBefore(response)
  if (socket?.writable !== true || bytes === '') resetConnection(response)
  else socket.write(bytes, 'latin1', () => resetConnection(response))
}

/** Narrows to a response of Node, as some hosts hand it over. */
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

/** Resets the connection of a response, or closes it where only plain TCP could be reset. */
function resetConnection(response: ServerResponse): void {
  const { socket } = response
  // Pipes have no address; on them and on TLS, Node would throw. Other hosts may not be able to.
  const isPlain = socket?.remoteAddress !== undefined && !('encrypted' in socket)
  if (isPlain && 'resetAndDestroy' in socket) socket.resetAndDestroy()
  else response.destroy()
}

function bytesBefore({ req }: ServerResponse): string {
  // What comes before HTTP/1.1 knows no interim replies, and seldom uses a connection again.
  if (req.httpVersion !== '1.1') return ''
  const agent = req.headers['user-agent'] ?? ''
  return beforeBreaks.find(({ client }) => client.test(agent))?.bytes ?? ''
}
