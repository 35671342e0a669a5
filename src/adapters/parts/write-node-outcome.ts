import type { ServerResponse } from 'node:http'
import { spellHeader } from '../../contract/http/headers.ts'
import type { BrokenReply, Headers, Outcome, Reply } from '../../contract/message.ts'
import { yieldToEventLoop } from '../../contract/yield-to-event-loop.ts'
import { headersOnWire, mayHaveBody } from './body-rules.ts'
import { breakConnection, resetConnection } from './node/break-connection.ts'

/** No header lines to add. */
export const noLines: readonly string[] = []

/**
 * Writes what became of a request; resolves when nothing is left to do.
 *
 * @param extra Header lines to add: alternating names and values.
 */
export async function writeOutcome(
  response: ServerResponse,
  outcome: Outcome,
  extra: readonly string[] = noLines,
): Promise<void> {
  switch (outcome.kind) {
    case 'reply':
      writeReply(response, outcome, extra)
      return
    case 'broken-reply':
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

/** Writes a complete reply, with its headers in their usual spelling. */
function writeReply(
  response: ServerResponse,
  { status, headers, body }: Reply,
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
  { status, headers, body, pieces, end }: BrokenReply,
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
