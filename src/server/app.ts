import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { answer } from '../adapters/express.ts'
import { corsLines, isPreflight, preflightLines } from '../contract/cors.ts'
import { errorCodes } from '../contract/error.ts'
import { toJson } from '../contract/int64.ts'
import type { Handler } from '../contract/message.ts'
import { maxControlBytes, refusalReply } from '../control/handle-control.ts'
import type { EventStreams } from './events.ts'
import { enforceGuard } from './guard.ts'
import { findTarget, type Site, type Target } from './site.ts'

/** What an app tells the process. */
export interface AppHooks {
  /** Told of every fault of our own, which its client sees as 500. */
  readonly onFault: (error: unknown) => void
  /** Lets the process look at the exchanges of a handler of the API. */
  readonly observe: (handle: Handler) => Handler
}

/** Makes the Express app that serves a site. */
export function createApp(
  site: Site,
  streams: EventStreams,
  { onFault, observe }: AppHooks,
): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((req: Request, res: Response, next: NextFunction) => {
    const target = findTarget(req.originalUrl, site)
    if (target.kind === 'api') serveApi(req, res, target, observe).catch(next)
    else if (target.kind === 'control') {
      answer(req, res, target.url, target.handle, [], maxControlBytes).catch(next)
    } else streamEvents(req, res, target, site, streams).catch(next)
  })
  // Express knows a handler of errors by its four parameters.
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    onFault(error)
    answerFault(res)
  })
  return app
}

async function serveApi(
  req: Request,
  res: Response,
  { url, handle }: Target & { readonly kind: 'api' },
  observe: AppHooks['observe'],
): Promise<void> {
  if (isPreflight(req)) {
    res.writeHead(204, [...preflightLines(req)])
    res.end()
    return
  }
  await answer(req, res, url, observe(hosted(req, handle)), corsLines(req))
}

/** A handler that refuses HTTP/1.1 requests without the one `Host` that they must have (RFC 9112, 3.2). */
function hosted({ headers, httpVersion }: Request, handle: Handler): Handler {
  if (headers.host === undefined && httpVersion === '1.1') {
    return (request) => handle({ ...request, unreadable: hostFault('no Host header') })
  }
  // Node keeps the first of two; the engine's headers have both, joined by a comma, which no host has.
  return (request) =>
    request.headers.host?.includes(',') === true
      ? handle({ ...request, unreadable: hostFault('more than one Host header') })
      : handle(request)
}

function hostFault(found: string): string {
  return `Cannot read the request: it has ${found}; send one, as HTTP/1.1 asks`
}

/** Streams events to who may use the control API; a refusal is answered as any other control's. */
async function streamEvents(
  req: Request,
  res: Response,
  { sandbox }: Target & { readonly kind: 'events' },
  { guard }: Site,
  streams: EventStreams,
): Promise<void> {
  await answer(req, res, req.originalUrl, async ({ headers }) => {
    try {
      enforceGuard(headers, guard)
      streams.begin(res, sandbox())
      // The reply has begun; nothing is added to it.
      return { kind: 'timeout' }
    } catch (thrown) {
      return refusalReply(thrown)
    }
  })
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
