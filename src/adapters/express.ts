import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { basePath } from '../contract/endpoints.ts'
import { type Handler, maxBodyBytes } from '../contract/message.ts'
import { HeaderReader } from './parts/header-reader.ts'
import { NodeBody } from './parts/node-body.ts'
import { writeOutcome } from './parts/write-node-outcome.ts'

/** The part of an Express request that the middleware uses, the same in Express 4 and 5. */
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
 * Makes an Express middleware that answers every request from a sandbox. Mount it at the API's path, before any body
 * parser: `app.use('/v1', createMiddleware(sandbox))`.
 */
export function createMiddleware(sandbox: { readonly handle: Handler }): Middleware {
  const reader = new HeaderReader()
  const owners = new WeakMap<Socket, AbortSignal>()
  const ownerOf = (socket: Socket): AbortSignal => {
    const known = owners.get(socket)
    if (known !== undefined) return known
    const owner = new AbortController()
    // As many as requests wait on it; Node 20 would warn of a leak.
    setMaxListeners(0, owner.signal)
    owners.set(socket, owner.signal)
    // Not of the request or the response, which Node 20 doesn't tell while they wait for their turn.
    socket.once('close', () => owner.abort())
    return owner.signal
  }
  const answer = async (req: ExpressRequest, res: ServerResponse): Promise<void> => {
    const method = req.method ?? ''
    // A target sent to a proxy includes the host.
    const target = req.originalUrl.replace(/^https?:\/\/[^/?#]*/i, '')
    const url = basePath + target.slice(req.baseUrl.length)
    const headers = reader.read(req.rawHeaders)
    const isBodiless = method === 'GET' || method === 'HEAD'
    const body = isBodiless
      ? ''
      : await new NodeBody(req, maxBodyBytes).text(headers['content-length'])
    const outcome = await sandbox.handle({ method, url, headers, body }, ownerOf(req.socket))
    await writeOutcome(res, outcome)
  }
  return (req, res, next) => {
    answer(req, res).catch(next)
  }
}
