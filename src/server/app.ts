import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { answer } from '../adapters/express.ts'
import { errorCodes } from '../contract/error.ts'
import { toJson } from '../contract/int64.ts'
import type { Handler } from '../contract/message.ts'
import { corsLines, isPreflight, preflightLines } from './cors.ts'

/** Told of every fault of our own, which its client sees as 500. */
export type OnFault = (error: unknown) => void

/** Makes the Express app that serves a handler at the root of an address. */
export function createApp(handle: Handler, onFault: OnFault): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((req: Request, res: Response, next: NextFunction) => {
    if (isPreflight(req)) {
      res.writeHead(204, [...preflightLines(req)])
      res.end()
      return
    }
    answer(req, res, req.originalUrl, hosted(req, handle), corsLines(req)).catch(next)
  })
  // Express knows a handler of errors by its four parameters.
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    onFault(error)
    answerFault(res)
  })
  return app
}

/** A handler that refuses HTTP/1.1 requests without the `Host` that they must have (RFC 9112, 3.2). */
function hosted(req: Request, handle: Handler): Handler {
  if (req.headers.host !== undefined || req.httpVersion !== '1.1') return handle
  const unreadable = 'Cannot read the request: it has no Host header; send one, as HTTP/1.1 asks'
  return (request) => handle({ ...request, unreadable })
}

function answerFault(res: Response): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  const { status } = errorCodes.internal_error
  const message = 'Cannot answer the request: the sandbox has a fault; its log says more'
  res.writeHead(status, { 'Content-Type': 'application/json' })
  res.end(toJson({ code: 'internal_error', message, status }))
}
