import type { IncomingMessage, ServerResponse } from 'node:http'
import { basePath } from '../contract/endpoints.ts'
import { type Answering, finish } from '../contract/message.ts'
import { answerRequest } from './parts/node/answer-request.ts'
import { Arrival, Connections } from './parts/node/connections.ts'

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
export function createMiddleware(sandbox: Answering): Middleware {
  const connections = new Connections()
  sandbox.useLateness?.(connections.lateness.between)
  const answer = async (req: ExpressRequest, res: ServerResponse): Promise<void> => {
    const connection = connections.accept(req)
    if (connection === undefined) return
    const arrival = new Arrival(req, res, connection)
    const { owner, number } = connection
    const arrived = sandbox.arrivals?.arrive('express', number)
    // A target sent to a proxy includes the host.
    const target = req.originalUrl.replace(/^https?:\/\/[^/?#]*/i, '')
    const url = basePath + target.slice(req.baseUrl.length)
    const { headers } = arrival
    await answerRequest(
      arrival,
      { url, headers, addedLines: [], unreadable: undefined },
      (request) => sandbox.handle(request, owner, arrived),
    )
    finish(sandbox, arrived, owner)
  }
  return (req, res, next) => {
    answer(req, res).catch(next)
  }
}
