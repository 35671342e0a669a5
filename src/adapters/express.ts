import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { basePath } from '../contract/endpoints.ts'
import { spellHeader } from '../contract/headers.ts'
import {
  type BrokenReply,
  decodeBody,
  type Handler,
  type Headers,
  headersFrom,
  maxBodyBytes,
  type NoReply,
  type Reply,
} from '../contract/message.ts'
import { HeaderReader } from './header-reader.ts'

/** The part of an Express request that the middleware needs; those of Express 4 and 5 have it. */
export interface ExpressRequest extends IncomingMessage {
  readonly originalUrl: string
  readonly baseUrl: string
}

/** An Express middleware. */
export type Middleware = (
  req: ExpressRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * Makes an Express middleware that answers from a sandbox every request that reaches it: mount it where
 * the API is to be, before any body parser, as in `app.use('/v1', createMiddleware(sandbox))`.
 */
export function createMiddleware(sandbox: { readonly handle: Handler }): Middleware {
  const reader = new HeaderReader()
  return (req, res, next) => {
    // A proxy's client names the host in the target again.
    const target = req.originalUrl.replace(/^https?:\/\/[^/?#]*/i, '')
    const url = basePath + target.slice(req.baseUrl.length)
    const headers = reader.read(req.rawHeaders)
    answer(req, res, sandbox.handle, { url, headers }).catch(next)
  }
}

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
}

/** Answers one request of Node's. */
export async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  handle: Handler,
  {
    url,
    headers = headersFrom(req.rawHeaders),
    extra = none,
    maxBytes = maxBodyBytes,
  }: AnswerOptions,
): Promise<void> {
  const method = req.method ?? ''
  const isBodiless = method === 'GET' || method === 'HEAD'
  const body = isBodiless ? '' : await readBody(req, headers['content-length'], maxBytes)
  const outcome = await handle({ method, url, headers, body })
  if (outcome.kind === 'reply') writeReply(res, outcome, extra)
  else await writeFaulty(res, outcome, extra)
}

const none: readonly string[] = []

/** Writes a complete reply, its headers spelt as the spec does. */
function writeReply(res: ServerResponse, reply: Reply, extra: readonly string[]): void {
  const length = Buffer.byteLength(reply.body)
  res.writeHead(reply.status, headerLines(reply, length, extra))
  // A body of ASCII alone has the same bytes in either encoding, and this one costs half as much.
  res.end(reply.body, length === reply.body.length ? 'latin1' : 'utf8')
}

/** Carries out what a fault made of a reply. */
async function writeFaulty(
  res: ServerResponse,
  outcome: BrokenReply | NoReply,
  extra: readonly string[],
): Promise<void> {
  switch (outcome.kind) {
    case 'broken-reply':
      res.writeHead(outcome.status, headerLines(outcome, Buffer.byteLength(outcome.body), extra))
      await writePieces(res, outcome)
      return
    case 'disconnect':
      resetConnection(res)
      return
    case 'timeout':
      return
  }
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
async function writePieces(res: ServerResponse, { pieces, end }: BrokenReply): Promise<void> {
  res.flushHeaders()
  for await (const piece of pieces) {
    if (res.destroyed) return
    // Each piece is to be on its way before the connection is broken off.
    await new Promise((resolve) => res.write(piece, resolve))
  }
  if (end === 'whole') res.end()
  else if (end === 'close') res.socket?.destroySoon()
  else resetConnection(res)
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
  req: IncomingMessage,
  declared: string | undefined,
  maxBytes: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (req.readableEnded || req.readableFlowing === true) {
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
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      else if (length - chunk.length <= maxBytes) refuse()
      else if (length > maxDiscardedBytes) req.destroy()
    })
    req.on('end', () => resolve(decode(chunks)))
  })
}

/** Decodes as `decodeBody` does, in half the time where the bytes are UTF-8. */
function decode(chunks: readonly Buffer[]): string {
  const [first = Buffer.alloc(0)] = chunks
  const bytes = chunks.length > 1 ? Buffer.concat(chunks) : first
  return isUtf8(bytes) ? bytes.toString() : decodeBody(bytes)
}
