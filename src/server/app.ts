import { statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import type { Connection, Connections } from '../adapters/parts/node/connections.ts'
import { NodeBody } from '../adapters/parts/node/respond-to-request.ts'
import { maxBodyBytes } from '../mock/api/http.ts'
import { InputError, show } from '../mock/input/input-error.ts'
import { respondToApi } from './api-layer.ts'
import { findStart, writePage } from './console.ts'
import { respondToControl } from './control-layer.ts'
import type { ReadServerOptions, ServerApp } from './server-options.ts'
import { findTarget, RequestContext, type Site, type Target, writeError } from './site.ts'

/**
 * Key of a request's context. A WeakMap instead would cost as much garbage collection as the rest of a response takes.
 */
const contextKey = Symbol('context')

/** A request that may have a context. */
interface Passing extends IncomingMessage {
  [contextKey]?: RequestContext
}

/** Options for the layers between the controls and the API. */
type Between = Pick<ReadServerOptions, 'middleware' | 'staticFolder'>

/** A target that Express can parse; for others, Express calls a deprecated Node function or skips all layers. */
const plainTarget = /^\/[^\s#\ufeff]*$/

/** The Express app of a server: controls, then the user's middleware and files, then the API. */
export class SiteApp {
  readonly app: ServerApp
  /** Message classes for Node's server. */
  readonly messages: Messages
  readonly #site: Site
  readonly #connections: Connections

  /**
   * @throws {@link InputError} if the folder doesn't exist.
   */
  constructor(site: Site, connections: Connections, { middleware, staticFolder }: Between) {
    this.#site = site
    this.#connections = connections
    const app = express()
    app.disable('x-powered-by')
    this.messages = messagesOf(app)
    const { stack } = app.router
    app.use((req: Request, res: Response, next: NextFunction) => {
      putLast(stack, last)
      const request: Passing = req
      const context = request[contextKey] ?? this.#enter(request, res)
      if (context === undefined) return
      const hasMiddleware = stack.length > last.length + 1
      const isAlone = !hasMiddleware && staticFolder === undefined
      // A control request skips the middleware, so that no body is read before the guard has checked the request.
      if (isAlone || context.target.kind === 'control') {
        this.#dispatch(request, res)
        return
      }
      if (hasMiddleware) context.body = keptBody(request, context.connection)
      next()
    })
    if (middleware.length > 0) app.use(...middleware)
    const layersBefore = stack.length
    if (staticFolder !== undefined) app.use(this.#filesOf(staticFolder))
    app.use((req: Request, res: Response) => this.#dispatch(req, res))
    // Express recognizes an error handler by its four parameters.
    app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
      this.#reject(error, req, res)
    })
    const last = stack.slice(layersBefore)
    this.app = app
  }

  /** Request listener of Node's server. */
  readonly listener = (request: Passing, response: ServerResponse): void => {
    const context = this.#enter(request, response)
    if (context === undefined) return
    if (!plainTarget.test(context.target.local)) {
      this.#dispatch(request, response)
      return
    }
    // Runs if a request leaves the layers early, as with `next('router')`; otherwise Express would send a page of its
    // own.
    this.app(request, response, (error) => {
      if (error) this.#reject(error, request, response)
      else this.#dispatch(request, response)
    })
  }

  /** Creates the context of a request; returns `undefined` if the connection no longer accepts requests. */
  #enter(request: Passing, response: ServerResponse): RequestContext | undefined {
    const connection = this.#connections.accept(request)
    if (connection === undefined) return undefined
    // Node would add a `Date` header with the system time; a response has the sandbox's time or no date.
    response.sendDate = false
    const target = findTarget(request.url ?? '')
    request.url = target.local
    const context = new RequestContext(request, response, connection, target)
    request[contextKey] = context
    return context
  }

  #filesOf(folder: string): RequestHandler {
    const serve = serveFolder(folder)
    return (req, res, next) => {
      const isRead = req.method === 'GET' || req.method === 'HEAD'
      if (!isRead || findTarget(req.url).kind !== 'elsewhere') next()
      else if (this.#claim(req) !== undefined) serve(req, res, (error) => this.#fail(error, res))
    }
  }

  /** Final layer: dispatches the request by its current `url`. */
  #dispatch(request: Passing, response: ServerResponse): void {
    const context = this.#claim(request)
    if (context === undefined) return
    const { file } = this.#site
    const target = targetOf(context)
    context.target = target
    const start = findStart(request.method, target, context.headers)
    if (start !== undefined) {
      writePage(response, start, this.#site).catch((error) => this.#fail(error, response))
      return
    }
    if (target.kind !== 'control' && file !== undefined) {
      writeError(response, 403, `Cannot serve the API: this process only shows ${file.name}`)
      return
    }
    const where = target.kind === 'control' ? { path: [], reason: 'internal-error' } : {}
    const fail = (error: unknown): void => this.#fail(error, response, where)
    try {
      if (target.kind === 'control') respondToControl(this.#site, context).catch(fail)
      else respondToApi(this.#site, context, fail)
    } catch (error) {
      fail(error)
    }
  }

  /** Error handler. */
  #reject(error: unknown, request: Passing, response: ServerResponse): void {
    // The client disconnected while it sent the body, which isn't a bug.
    if (request.readableAborted) return
    // The API writes its own error response for a body that the user's parser can't read. Only these errors have a
    // type.
    const isOfParser = error instanceof Error && 'type' in error && statusOf(error) !== undefined
    if (isOfParser && findTarget(String(request.url)).kind === 'api') {
      this.#dispatch(request, response)
    } else if (this.#claim(request) !== undefined) this.#fail(error, response)
    else this.#site.reportBug(error)
  }

  /** Returns the context of a request for its first handler; `undefined` for later calls. */
  #claim(request: Passing): RequestContext | undefined {
    const context = request[contextKey]
    if (context === undefined || context.claimed) return undefined
    context.claimed = true
    return context
  }

  #fail(error: unknown, response: ServerResponse, where = {}): void {
    const status = statusOf(error)
    if (error instanceof Error && status !== undefined && !response.headersSent) {
      writeError(response, status, error.message)
      return
    }
    this.#site.reportBug(error)
    const message = 'Cannot respond: the sandbox has a bug; its standard error says more'
    if (!response.headersSent) writeError(response, 500, message, where)
    else if (!response.writableEnded) response.destroy()
  }
}

/**
 * Key of the value that Node assigns to `upgrade` in the constructor of its class, before a private field would exist.
 */
const isUpgrade = Symbol('upgrade')

/** Classes of Node's HTTP messages. */
interface Messages {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Creates message classes that have Express's methods from the start. Otherwise Express changes the prototype of each
 * message, which takes longer than the rest of its work (decisions/014-express.md).
 */
function messagesOf(app: Express): Messages {
  const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http')
  class Incoming extends IncomingMessage {
    [isUpgrade]: unknown
    /**
     * Whether Node stops reading requests after this one: for an upgrade, and once the connection is destroyed.
     * Otherwise Node would create messages from all data that it has already read, thousands of them
     * (decisions/021-bounds.md).
     */
    get upgrade(): unknown {
      return this.socket.destroyed || this[isUpgrade]
    }
    set upgrade(found: unknown) {
      this[isUpgrade] = found
    }
  }
  class Outgoing<Sent extends IncomingMessage> extends ServerResponse<Sent> {}
  Object.setPrototypeOf(Incoming.prototype, app.request)
  Object.setPrototypeOf(Outgoing.prototype, app.response)
  Object.assign(app, { request: Incoming.prototype, response: Outgoing.prototype })
  return { IncomingMessage: Incoming, ServerResponse: Outgoing }
}

/** Moves the final layers behind any layers that have been added to the app since. */
function putLast<Layer>(stack: Layer[], last: readonly Layer[]): void {
  if (stack.at(-1) === last.at(-1)) return
  const start = stack.findIndex((layer) => last.includes(layer))
  stack.push(...stack.splice(start, last.length))
}

/** Returns the current target of a request, since middleware may have rewritten its `url` to any value. */
function targetOf({ request, target }: RequestContext): Target {
  const { url } = request
  if (url === target.local) return target
  // The guard must still check the host of an absolute target.
  return { ...findTarget(String(url ?? '')), authority: target.authority }
}

/** Returns the body of a request, buffered while middleware reads it; `undefined` for a method without a body. */
function keptBody(request: IncomingMessage, { all }: Connection): NodeBody | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const body = new NodeBody(request, maxBodyBytes, all.bodies)
  body.keep()
  return body
}

/** Returns the status of a client error (4xx), as set by `http-errors`; `undefined` for any other error. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error && 'status' in error)) return undefined
  const { status } = error
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}

/**
 * Serves the files of a folder; unknown pages get its `index.html`, other unknown files get 404.
 *
 * @throws {@link InputError} if the folder doesn't exist.
 */
function serveFolder(folder: string): RequestHandler {
  const root = resolve(folder)
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new InputError(
      `Cannot set staticFolder: found ${show(folder)}, which is not a folder; use the path of one`,
      ['staticFolder'],
    )
  }
  const files = express.static(root)
  return (req, res, next) => {
    res.sendDate = true
    files(req, res, (error?: unknown) => {
      if (error !== undefined) next(error)
      else if (isPage(req)) sendIndex(root, res)
      else sendMissing(res)
    })
  }
}

/** Returns whether a browser requests a page, whose path a client-side router may know. */
function isPage({ path, headers: { accept = '' } }: Request): boolean {
  // A dot starts a file extension or a hidden file.
  const isFile = /\/\.|\.[^/]*$/.test(path)
  return !isFile && accept.includes('text/html')
}

function sendIndex(root: string, res: Response): void {
  res.vary('Accept')
  res.sendFile('index.html', { root }, (error?: Error) => {
    if (error !== undefined && !res.headersSent) sendMissing(res)
  })
}

function sendMissing(res: Response): void {
  writeError(res, 404, 'Cannot find the file: the static folder has none of this name')
}
