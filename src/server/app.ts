import type { ServerResponse } from 'node:http'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { answerNode } from '../adapters/parts/answer-node.ts'
import { corsLines, isPreflight, preflightLines } from '../adapters/parts/cors.ts'
import { HeaderReader } from '../adapters/parts/header-reader.ts'
import { errorCodes } from '../contract/error.ts'
import { toJson } from '../contract/int64.ts'
import type { Handler, Headers } from '../contract/message.ts'
import { maxControlBytes, refusalReply } from '../control/http/handle-control.ts'
import type { Sandbox } from '../sandbox.ts'
import type { EventStreams } from './events.ts'
import { enforceGuard } from './guard.ts'
import { findTarget, foundBy, type Site, type Target } from './site.ts'

/** What an app tells the process. */
export interface AppHooks {
  /** Told of every fault of our own, which its client sees as 500. */
  readonly onFault: (error: unknown) => void
  /** Told of every reply of the API that will never be written, as a fault says. */
  readonly onUnanswered: (response: ServerResponse) => void
  /** Lets the process look at the exchanges of a handler of the API. */
  readonly observe: (handle: Handler, sandbox: () => Sandbox) => Handler
}

/** Makes the Express app that serves a site. */
export function createApp(site: Site, streams: EventStreams, hooks: AppHooks): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  const reader = new HeaderReader()
  app.use((req: Request, res: Response, next: NextFunction) => {
    const target = findTarget(req.originalUrl, site)
    if (target.kind === 'api') {
      const headers = reader.read(req.rawHeaders)
      serveApi(req, res, target, headers, hooks).catch(next)
    } else if (target.kind === 'control') {
      const { url, handle } = target
      answerNode(req, res, handle, { url, maxBytes: maxControlBytes }).catch(next)
    } else streamEvents(req, res, target, site, streams).catch(next)
  })
  // Express knows a handler of errors by its four parameters.
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    hooks.onFault(error)
    answerFault(res)
  })
  return app
}

function serveApi(
  req: Request,
  res: Response,
  { url, handle, sandbox }: Target & { readonly kind: 'api' },
  headers: Headers,
  { observe, onUnanswered }: AppHooks,
): Promise<void> {
  const request = { method: req.method, headers }
  if (isPreflight(request)) {
    res.writeHead(204, [...preflightLines(request), ...dateLines(sandbox)])
    res.end()
    return Promise.resolve()
  }
  const hosted = withHost(headers, req.httpVersion, handle)
  return answerNode(req, res, observe(hosted, sandbox), {
    url,
    headers,
    extra: corsLines(request),
    onUnanswered,
  })
}

/** The `Date` of a sandbox; none where there is no such sandbox. */
function dateLines(find: () => Sandbox): readonly string[] {
  const sandbox = foundBy(find)
  return sandbox === undefined ? [] : ['Date', new Date(sandbox.clock.now()).toUTCString()]
}

/** A handler that refuses HTTP/1.1 requests without the one `Host` that they must have (RFC 9112, 3.2). */
function withHost({ host }: Headers, httpVersion: string, handle: Handler): Handler {
  const isMissing = host === undefined && httpVersion === '1.1'
  // Two of them are joined by a comma, which no host has.
  if (!isMissing && host?.includes(',') !== true) return handle
  const found = isMissing ? 'no Host header' : 'more than one Host header'
  const unreadable = `Cannot read the request: it has ${found}; send one, as HTTP/1.1 asks`
  return (request) => handle({ ...request, unreadable })
}

/** Streams events to who may use the control API; a refusal is answered as any other control's. */
async function streamEvents(
  req: Request,
  res: Response,
  { sandbox }: Target & { readonly kind: 'events' },
  { guard }: Site,
  streams: EventStreams,
): Promise<void> {
  const handle: Handler = async ({ headers }) => {
    try {
      enforceGuard(headers, guard)
      streams.begin(res, sandbox())
      // The reply has begun; nothing is added to it.
      return { kind: 'timeout' }
    } catch (thrown) {
      return refusalReply(thrown)
    }
  }
  await answerNode(req, res, handle, { url: req.originalUrl })
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
