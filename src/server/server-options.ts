import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiRequest, Outcome } from '../mock/api/message.ts'
import { list, type NamedSchema, object, optional, withDefault } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { described, type Input, type Output, type Schema } from '../mock/input/schema.ts'
import { bearerToken, custom, integer, text } from '../mock/input/values.ts'
import { type SharedLimits, sharedLimits } from '../mock/log/shared-memory.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { SandboxPool } from '../sandbox/sandbox-pool.ts'
import { tlsFiles } from './tls.ts'

/** An API request and its outcome. */
export interface ServedRequest {
  /** The request. */
  readonly request: ApiRequest
  /** The outcome: a response, a broken one, or none. */
  readonly outcome: Outcome
  /** Sandbox that handled the request; `undefined` if there is none with the requested name. */
  readonly sandbox: Sandbox | undefined
  /** Arrival time by the clock of the sandbox, or of the default one if there is none, in Unix milliseconds. */
  readonly at: number
  /** Time to the outcome on the sandbox's clock, in milliseconds. */
  readonly durationMs: number
}

/** Express middleware: handles a request, or passes it on with `next()`. */
type Handle = {
  /** Handles a request; a method, so that handlers with Express's own, more specific types fit. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): unknown
}['handle']

/** Express middleware: a handler, a router or an app of any version. */
export interface ServerMiddleware extends Handle {}

/**
 * An Express 5 app, reduced to its most used members, so that the declarations don't depend on Express's. Cast it for
 * the rest: `server.app as express.Express`.
 */
export interface ServerApp {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): unknown
  /** Adds handlers for all requests, or for those below a path. */
  use(...handlers: ServerMiddleware[]): unknown
  /** Adds handlers for all requests below a path. */
  use(path: string, ...handlers: ServerMiddleware[]): unknown
  /** Adds handlers for GET requests to a path. */
  get(path: string, ...handlers: ServerMiddleware[]): unknown
  /** Adds handlers for POST requests to a path. */
  post(path: string, ...handlers: ServerMiddleware[]): unknown
  /** Adds handlers for PUT requests to a path. */
  put(path: string, ...handlers: ServerMiddleware[]): unknown
  /** Adds handlers for PATCH requests to a path. */
  patch(path: string, ...handlers: ServerMiddleware[]): unknown
  /** Adds handlers for DELETE requests to a path. */
  delete(path: string, ...handlers: ServerMiddleware[]): unknown
  /** Adds handlers for requests to a path with any method. */
  all(path: string, ...handlers: ServerMiddleware[]): unknown
  /** Sets one of Express's settings. */
  set(setting: string, value: unknown): unknown
  /** Values of your own, shared by all handlers. */
  readonly locals: Record<string, unknown>
}

/** Default port of the server. */
export const defaultPort = 7387

/** Server limits for clients. */
export const serverLimits = object({
  /** Maximum number of open connections: 1,000 by default. */
  connections: withDefault(described('Open connections', integer(1, 100_000)), 1_000),
})

/** Limits for a connection; only tests change them. */
export const defaultBounds = {
  /** Maximum size of the header lines of a request, in bytes. */
  headerBytes: 16_384,
  /** Time within which the headers of a request must arrive. */
  headersMs: 10_000,
  /** Time within which a whole request must arrive. */
  requestMs: 30_000,
  /** Time for which a client may leave a response unread before its connection is closed. */
  stalledMs: 30_000,
}

/** Limits for the clients of a server. */
export type Bounds = Output<typeof serverLimits> & Readonly<typeof defaultBounds>

const processProperties = { ...serverLimits.properties, ...sharedLimits.properties } as const

/** Limits shared by all clients and sandboxes. */
export interface ProcessLimits extends Input<typeof serverLimits>, SharedLimits {}

const processLimits: NamedSchema<typeof processProperties, ProcessLimits> =
  object(processProperties)

/** The options of a server. */
export const serverOptions = object({
  /** Port to listen on; 0 for any free port, 7387 by default. */
  port: withDefault(integer(0, 65_535), defaultPort),
  /** Address to listen on; 127.0.0.1 by default. */
  host: withDefault(text(), '127.0.0.1'),
  /** Certificate and key in PEM, to serve `https:`; by default `http:`. */
  tls: optional(tlsFiles),
  /** Sandbox to serve; a new one with the default seed by default. */
  sandbox: optional(custom('a sandbox made by createSandbox()', isSandbox)),
  /** Named sandboxes; by default up to 1,000, created through the control API. */
  pool: optional(custom('a SandboxPool', (found) => found instanceof SandboxPool)),
  /** Names that control requests may have in `Host` besides those of the loopback, without a port. */
  allowedHosts: withDefault(list(text()), []),
  /**
   * Bearer token that control requests must carry; by default none on a loopback `host`, and a random one on others.
   */
  controlToken: optional(bearerToken),
  /**
   * Saves the state when the control API requests it, synchronously or as a promise; an error gets 500 with its
   * message.
   */
  save: optional(aFunction<() => unknown>()),
  /** Called after each API request; errors it throws go to `onError`. */
  onRequest: optional(aFunction<(request: ServedRequest) => void>()),
  /**
   * Called with every bug in petstore-sandbox and every error of your own functions; by default writes to standard
   * error.
   */
  onError: optional(aFunction<(error: unknown) => void>()),
  /** Your own Express middleware and routes; the type below has the description that users see. */
  middleware: withDefault(list(aFunction<ServerMiddleware>()), []),
  /**
   * Folder to serve beside the API, such as a built frontend, whose pages can request `/v1/pets` without CORS. Unknown
   * pages get its `index.html`, for client-side routes; unknown files get 404.
   */
  staticFolder: optional(text()),
  /** Limits for clients and, unless `pool` sets its own, for the memory of sandboxes. */
  limits: withDefault(processLimits, processLimits.parse({})),
})

/** Options of `startServer()`. */
export type ServerOptions = Omit<Input<typeof serverOptions>, 'middleware'> & {
  // Keeps the name `ServerMiddleware` in the declarations; its method type would get lost inline, and handlers of other
  // Express versions wouldn't fit.
  /**
   * Your own Express middleware and routes, in front of the sandbox: `[cors(), router]`. The middleware sees every
   * request except control requests. The sandbox responds to requests passed on with `next()`, even if a body parser
   * has read the body.
   */
  readonly middleware?: readonly ServerMiddleware[] | undefined
}

/** Options of `startServer()`, parsed. */
export type ReadServerOptions = Output<typeof serverOptions>

function aFunction<Kind>(): Schema<Kind> {
  return custom('a function', (found): found is Kind => typeof found === 'function')
}

function isSandbox(found: unknown): found is Sandbox {
  return isRecord(found) && typeof found.handle === 'function'
}
