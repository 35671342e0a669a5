import type { IncomingMessage, ServerResponse } from 'node:http'
import { basePath } from '../mock/api/endpoints.ts'
import { finish, type RequestTarget } from '../mock/api/message.ts'
import { Arrival, Connections } from './parts/node/connections.ts'
import { respondToRequest } from './parts/node/respond-to-request.ts'

/** The part of an Express or Connect request that the middleware uses. */
export interface MiddlewareRequest extends IncomingMessage {
  /** The whole request target, including the mount path that Express and Connect remove from `url`. */
  readonly originalUrl?: string | undefined
}

/** A middleware for Express 4 and 5, and for Connect-based servers such as Vite's dev server. */
export type Middleware = (
  req: MiddlewareRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * Creates a middleware for Express or Connect that handles every request with a sandbox. Mount it at the API's path,
 * before any body parser: `app.use('/v1', createMiddleware(sandbox))`. It calls `next()` only with an error.
 */
export function createMiddleware(sandbox: RequestTarget): Middleware {
  const connections = new Connections()
  sandbox.useLateness?.(connections.lateness.between)
  return (req, res, next) => {
    const connection = connections.accept(req)
    if (connection === undefined) return
    const arrival = new Arrival(req, res, connection)
    const { signal, number, openedMs } = connection
    const arrived = sandbox.arrivals?.arrive('express', number, openedMs)
    const url = basePath + pathBelowMount(req)
    const { headers } = arrival
    const head = { url, headers, addedLines: [], unreadable: undefined }
    respondToRequest(arrival, head, {
      respond: (request) => sandbox.handle({ ...request, hasHostCors: true }, signal, arrived),
      finish: () => finish(sandbox, arrived, signal),
      fail: next,
    })
  }
}

/** Returns the target below the middleware's mount path; hosts remove the mount path from `url`. */
function pathBelowMount({ url = '', originalUrl = url }: MiddlewareRequest): string {
  const below = withoutHost(url)
  // If the mount path is the whole path, hosts add a slash that wasn't sent.
  const isSlashAdded = /^\/(?:\?|$)/.test(below) && !withoutHost(originalUrl).endsWith(below)
  return isSlashAdded ? below.slice(1) : below
}

/** Removes the host, which a target sent to a proxy includes. */
function withoutHost(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '')
}
