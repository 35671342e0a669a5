import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { spellHeader } from '../../contract/http/headers.ts'
import type { BrokenReply, Headers, Outcome, Reply } from '../../contract/message.ts'
import { headersOnWire, mayHaveBody } from './body-rules.ts'
import { breakConnection, resetConnection } from './node/break-connection.ts'

/** Sees what is sent in pieces, and passes the pieces on. */
export type WatchPieces = (
  pieces: AsyncIterable<string>,
  bytes: number,
  response: ServerResponse,
) => AsyncIterable<string>

/** How many characters a body has at most to be written at once; a larger one is written as its client reads. */
const maxWholeLength = 65_536

function isShort(body: string): boolean {
  return body.length <= maxWholeLength
}

/** Whether a body is written at once: it is short, and it is its turn on the connection. */
export function isWrittenAtOnce({ socket, req }: ServerResponse, body: string): boolean {
  return (isShort(body) && socket !== null) || req.method === 'HEAD'
}

/**
 * Writes what became of a request; resolves when nothing is left to do.
 *
 * @param extra Header lines to add: alternating names and values.
 * @param wireOf Gives the bytes of a short body, each as a character: only where nothing of the user's is in between, which
 * would see those.
 */
export function writeOutcome(
  response: ServerResponse,
  outcome: Outcome,
  extra: readonly string[] = noLines,
  watch: WatchPieces = unwatched,
  wireOf?: (body: string) => string,
): Promise<void> | undefined {
  switch (outcome.kind) {
    case 'reply':
      return writeReply(response, outcome, extra, watch, wireOf)
    case 'broken-reply':
      return writeBrokenReply(response, outcome, extra, watch)
    case 'disconnect':
      inTurn(response, () => breakConnection(response))
      return undefined
    case 'timeout':
      return outcome.ended.then(() => inTurn(response, () => breakConnection(response)))
    default:
      return outcome satisfies never
  }
}

/** No header lines to add. */
export const noLines: readonly string[] = []

const unwatched: WatchPieces = (pieces) => pieces

/** Writes a complete reply, with its headers in their usual spelling. */
function writeReply(
  response: ServerResponse,
  { status, headers, body }: Reply,
  extra: readonly string[],
  watch: WatchPieces,
  wireOf: ((body: string) => string) | undefined,
): Promise<void> | undefined {
  // Where nobody watches, Node keeps what is written before its turn.
  if (isWrittenAtOnce(response, body) || (watch === unwatched && isShort(body))) {
    const wire = wireOf?.(body)
    const length = wire?.length ?? Buffer.byteLength(body)
    response.writeHead(status, headerLines(status, headers, length, extra))
    // A body of ASCII alone has the same bytes in either encoding, and this one costs half as much.
    response.end(wire ?? body, length === (wire ?? body).length ? 'latin1' : 'utf8')
    return undefined
  }
  const length = Buffer.byteLength(body)
  response.writeHead(status, headerLines(status, headers, length, extra))
  return writeToEnd(response, watch(piecesOf(body), length, response))
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
  watch: WatchPieces,
): Promise<void> {
  response.writeHead(status, spelledLines(headers))
  await writeToEnd(response, watch(inTurns(pieces), 0, response))
}

/** Makes the next piece in another turn of the event loop: a reader that is fast would keep everybody else waiting. */
async function* inTurns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece
    await nextTurn()
  }
}

async function writeToEnd(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  response.flushHeaders()
  await writePieces(response, pieces)
  response.end()
}

/** Writes what a fault made of a reply. */
async function writeBrokenReply(
  response: ServerResponse,
  { status, headers, body, pieces, end }: BrokenReply,
  extra: readonly string[],
  watch: WatchPieces,
): Promise<void> {
  const length = Buffer.byteLength(body)
  response.writeHead(status, headerLines(status, headers, length, extra))
  response.flushHeaders()
  const written = await writePieces(response, watch(pieces, length, response))
  // The pieces end early when the server stops; its clients get the rest at once.
  if (end === 'whole') response.end(body.slice(written))
  else if (end === 'close') inTurn(response, () => response.socket?.destroySoon())
  else inTurn(response, () => resetConnection(response))
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
  return extra.length === 0 ? lines : lines.concat(extra)
}

function spelledLines(headers: Headers): string[] {
  const lines: string[] = []
  for (const name in headers) lines.push(spellHeader(name), headers[name] ?? '')
  return lines
}

/** Cuts a text into pieces, and no character in two. */
async function* piecesOf(text: string): AsyncGenerator<string> {
  let start = 0
  while (start < text.length) {
    let end = start + maxWholeLength
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end++
    yield text.slice(start, end)
    start = end
  }
}

/**
 * Writes piece by piece, each when the one before is on its way; gives up when the client leaves.
 *
 * @returns How many characters were written.
 */
async function writePieces(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
): Promise<number> {
  // Before its turn nobody would say that the client has left (Node 20).
  await new Promise<void>((resolve) => inTurn(response, resolve))
  let written = 0
  let settle = (_error?: unknown): void => {}
  response.once('close', () => settle())
  for await (const piece of pieces) {
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
