import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { spellHeader } from '../../contract/headers.ts'
import {
  type BrokenReply,
  decodeBody,
  type Handler,
  type Headers,
  headersFrom,
  maxBodyBytes,
  type NoReply,
  type Reply,
} from '../../contract/message.ts'

/** How a request of Node's is answered. */
export interface AnswerOptions {
  /** Path and query under which the engine knows it. */
  readonly url: string
  /** Its headers, where they are read already: Node's own are made anew from the lines that were sent. */
  readonly headers?: Headers
  /** Header lines to add to the reply, names and values in turn. */
  readonly extra?: readonly string[]
  /** The largest body, in bytes, 1 MiB by default; of a larger one the handler gets one byte more, of blanks. */
  readonly maxBytes?: number
  /** Told of a reply that a fault keeps from ever being written. */
  readonly onUnanswered?: (response: ServerResponse) => void
}

/** Answers one request of Node's. */
export async function answerNode(
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handler,
  {
    url,
    headers = headersFrom(request.rawHeaders),
    extra = none,
    maxBytes = maxBodyBytes,
    onUnanswered,
  }: AnswerOptions,
): Promise<void> {
  const method = request.method ?? ''
  const isBodiless = method === 'GET' || method === 'HEAD'
  const body = isBodiless ? '' : await readBody(request, headers['content-length'], maxBytes)
  const outcome = await handle({ method, url, headers, body })
  if (outcome.kind === 'reply') writeReply(response, outcome, extra)
  else if (outcome.kind === 'timeout') onUnanswered?.(response)
  else await writeFaulty(response, outcome, extra)
}

const none: readonly string[] = []

/** Writes a complete reply, its headers spelt as the spec does. */
function writeReply(response: ServerResponse, reply: Reply, extra: readonly string[]): void {
  const length = Buffer.byteLength(reply.body)
  response.writeHead(reply.status, headerLines(reply, length, extra))
  // A body of ASCII alone has the same bytes in either encoding, and this one costs half as much.
  response.end(reply.body, length === reply.body.length ? 'latin1' : 'utf8')
}

/** Writes what a fault made of a reply. */
async function writeFaulty(
  response: ServerResponse,
  outcome: BrokenReply | NoReply,
  extra: readonly string[],
): Promise<void> {
  if (outcome.kind !== 'broken-reply') {
    resetConnection(response)
    return
  }
  const length = Buffer.byteLength(outcome.body)
  response.writeHead(outcome.status, headerLines(outcome, length, extra))
  await writePieces(response, outcome)
}

function headerLines(
  { status, headers }: Reply | BrokenReply,
  length: number,
  extra: readonly string[],
): string[] {
  const lines: string[] = []
  for (const name in headers) lines.push(spellHeader(name), headers[name] ?? '')
  // RFC 9110, 8.6: a 204 has none.
  if (headers['content-length'] === undefined && status !== 204) {
    lines.push('Content-Length', String(length))
  }
  return extra.length === 0 ? lines : lines.concat(extra)
}

/** Writes a body piece by piece, and breaks the connection off where the outcome says so. */
async function writePieces(response: ServerResponse, { pieces, end }: BrokenReply): Promise<void> {
  response.flushHeaders()
  for await (const piece of pieces) {
    if (response.destroyed) return
    // Each piece is to be on its way before the connection is broken off.
    await new Promise((resolve) => response.write(piece, resolve))
  }
  if (end === 'whole') response.end()
  else if (end === 'close') response.socket?.destroySoon()
  else resetConnection(response)
}

function resetConnection({ socket }: ServerResponse): void {
  if (socket instanceof Socket) socket.resetAndDestroy()
}

/** How much of a body that is too large is read to its end, so that its sender gets to see the reply. */
const maxDiscardedBytes = 64 * maxBodyBytes

/**
 * Reads a body, one byte past the limit at most. Never settles when the client leaves before its end: then
 * nothing is to be done.
 *
 * @throws Error when something else has read it.
 */
function readBody(
  request: IncomingMessage,
  declared: string | undefined,
  maxBytes: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (request.readableEnded || request.readableFlowing === true) {
      reject(
        new Error(
          'Cannot read the body: another middleware has read it; put the sandbox before body parsers',
        ),
      )
      return
    }
    const chunks: Buffer[] = []
    let length = 0
    const refuse = (): void => resolve(' '.repeat(maxBytes + 1))
    // Nobody has to wait for the end of a body that says beforehand that it is too large.
    if (Number(declared) > maxBytes) refuse()
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      else if (length - chunk.length <= maxBytes) refuse()
      else if (length > maxDiscardedBytes) request.destroy()
    })
    request.on('end', () => resolve(decode(chunks)))
    // Another middleware may have stopped it, to read it later.
    if (request.isPaused()) request.resume()
  })
}

/** Decodes as `decodeBody` does, in half the time where the bytes are UTF-8. */
function decode(chunks: readonly Buffer[]): string {
  const [first = Buffer.alloc(0)] = chunks
  const bytes = chunks.length > 1 ? Buffer.concat(chunks) : first
  return isUtf8(bytes) ? bytes.toString() : decodeBody(bytes)
}
