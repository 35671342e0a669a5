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
  type Outcome,
} from '../contract/message.ts'

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
  return (req, res, next) => {
    // A proxy's client names the host in the target again.
    const target = req.originalUrl.replace(/^https?:\/\/[^/?#]*/i, '')
    const url = basePath + target.slice(req.baseUrl.length)
    answer(req, res, url, sandbox.handle).catch(next)
  }
}

/**
 * Answers one request of Node's.
 *
 * @param url Path and query under which the engine knows it.
 * @param extra Header lines to add, names and values in turn.
 * @param maxBytes The largest body; of a larger one the handler gets one byte more, of blanks.
 */
export async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  url: string,
  handle: Handler,
  extra: readonly string[] = [],
  maxBytes = maxBodyBytes,
): Promise<void> {
  const method = req.method ?? ''
  const isBodiless = method === 'GET' || method === 'HEAD'
  const body = isBodiless ? '' : await readBody(req, maxBytes)
  // A client that left in the middle of its request gets no reply, and nothing is done.
  if (body === undefined) return
  const outcome = await handle({ method, url, headers: headersFrom(req.rawHeaders), body })
  await writeOutcome(res, outcome, extra)
}

/** Writes an outcome as the reply, its headers spelt as the spec does. */
async function writeOutcome(
  res: ServerResponse,
  outcome: Outcome,
  extra: readonly string[],
): Promise<void> {
  switch (outcome.kind) {
    case 'reply':
      res.writeHead(outcome.status, headerLines(outcome, extra))
      res.end(outcome.body)
      return
    case 'broken-reply':
      res.writeHead(outcome.status, headerLines(outcome, extra))
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
  { headers, body }: { readonly headers: Headers; readonly body: string },
  extra: readonly string[],
): string[] {
  const lines: string[] = []
  for (const name in headers) lines.push(spellHeader(name), headers[name] ?? '')
  if (headers['content-length'] === undefined) {
    lines.push('Content-Length', String(Buffer.byteLength(body)))
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
 * Reads a body, one byte past the limit at most; `undefined` when the client left before its end.
 *
 * @throws Error when something else has read it.
 */
function readBody(req: IncomingMessage, maxBytes: number): Promise<string | undefined> {
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
    if (Number(req.headers['content-length']) > maxBytes) refuse()
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      else if (length - chunk.length <= maxBytes) refuse()
      else if (length > maxDiscardedBytes) req.destroy()
    })
    req.on('end', () =>
      resolve(decodeBody(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))),
    )
    req.on('close', () => resolve(undefined))
    req.on('error', () => resolve(undefined))
  })
}
