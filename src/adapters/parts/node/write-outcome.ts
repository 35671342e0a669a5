import type { ServerResponse } from 'node:http'
import { headersOnWire, mayHaveBody, spellHeader } from '../../../mock/api/http.ts'
import type { ApiResponse, BrokenResponse, Headers, Outcome } from '../../../mock/api/message.ts'
import { yieldToEventLoop } from '../../../mock/api/real-time.ts'
import { breakConnection, inTurn, resetConnection } from '../break-connection.ts'

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
  writeResponse(response, outcome, extra)
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
      await writeBrokenResponse(response, outcome, extra)
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
function writeResponse(
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
async function writeBrokenResponse(
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
