import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { basePath } from '../contract/endpoints.ts'
import { maxBodyBytes } from '../contract/http/read-request.ts'
import { type Answering, endVisit } from '../contract/message.ts'
import { HeaderReader } from './parts/header-reader.ts'
import { NodeBody, noBody } from './parts/node/node-body.ts'
import { noLines, writeOutcome } from './parts/write-node-outcome.ts'

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

/** Who waits for the answers on a connection. */
interface Client {
  /** Aborts when the client leaves. */
  readonly owner: AbortSignal
  /** Counts up from 1. */
  readonly connection: number
}

/**
 * Makes an Express middleware that answers every request from a sandbox. Mount it at the API's path, before any body
 * parser: `app.use('/v1', createMiddleware(sandbox))`.
 */
export function createMiddleware(sandbox: Answering): Middleware {
  const reader = new HeaderReader()
  const clients = new WeakMap<Socket, Client>()
  let lastConnection = 0
  const clientOf = (socket: Socket): Client => {
    const known = clients.get(socket)
    if (known !== undefined) return known
    const owner = new AbortController()
    // As many as requests wait on it; Node 20 would warn of a leak.
    setMaxListeners(0, owner.signal)
    lastConnection++
    const client = { owner: owner.signal, connection: lastConnection }
    clients.set(socket, client)
    // Not of the request or the response, which Node 20 doesn't tell while they wait for their turn.
    socket.once('close', () => owner.abort())
    return client
  }
  const answer = async (req: ExpressRequest, res: ServerResponse): Promise<void> => {
    const { owner, connection } = clientOf(req.socket)
    const visit = sandbox.visit?.('express', connection)
    const method = req.method ?? ''
    // A target sent to a proxy includes the host.
    const target = req.originalUrl.replace(/^https?:\/\/[^/?#]*/i, '')
    const url = basePath + target.slice(req.baseUrl.length)
    const headers = reader.read(req.rawHeaders)
    const isBodiless = method === 'GET' || method === 'HEAD'
    const { body, bodyBytes } = isBodiless
      ? noBody
      : await new NodeBody(req, maxBodyBytes).read(headers['content-length'])
    const sent = { method, url, headers, body, bodyBytes, addedLines: noLines }
    const outcome = await sandbox.handle(sent, owner, visit)
    await writeOutcome(res, outcome)
    endVisit(visit, owner)
  }
  return (req, res, next) => {
    answer(req, res).catch(next)
  }
}
