import type { IncomingMessage, ServerResponse } from 'node:http'
import { basePath } from '../contract/endpoints.ts'
import type { Handler } from '../contract/message.ts'
import { answerNode } from './parts/answer-node.ts'
import { HeaderReader } from './parts/header-reader.ts'

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
    answerNode(req, res, sandbox.handle, { url, headers }).catch(next)
  }
}
