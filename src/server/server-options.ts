import type { IncomingMessage, ServerResponse } from 'node:http'
import { list, type NamedSchema, object, optional, withDefault } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { described, type Input, type Output, type Schema } from '../mock/input/schema.ts'
import { bearerToken, custom, integer, text } from '../mock/input/values.ts'
import { type SharedLimits, sharedLimits } from '../mock/log/byte-budget.ts'
import type { Sandbox } from '../mock/sandbox.ts'
import { SandboxPool } from '../mock/sandbox-pool.ts'
import type { ApiRequest, Outcome } from '../mock/spec/message.ts'
import { tlsFiles } from './tls.ts'

/** A request to the API, and how it was answered. */
export interface ServedRequest {
  readonly request: ApiRequest
  readonly outcome: Outcome
  /** The sandbox that answered; `undefined` if there is none with the requested name. */
  readonly sandbox: Sandbox | undefined
  /** When it arrived, by the clock of its sandbox or else of the default one, in Unix milliseconds. */
  readonly at: number
  readonly durationMs: number
}

type Handle = {
  // A method, so that handlers with Express's own types fit: their requests and responses are more special.
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): unknown
}['handle']

/** Middleware of Express: a handler, a router or an app of any version. */
export interface ServerMiddleware extends Handle {}

/**
 * An Express 5 app, by what it is mostly asked for, so that the declarations need none of Express's; it is all of one:
 * `server.app as express.Express`.
 */
export interface ServerApp {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): unknown
  use(...handlers: ServerMiddleware[]): unknown
  use(path: string, ...handlers: ServerMiddleware[]): unknown
  get(path: string, ...handlers: ServerMiddleware[]): unknown
  post(path: string, ...handlers: ServerMiddleware[]): unknown
  put(path: string, ...handlers: ServerMiddleware[]): unknown
  patch(path: string, ...handlers: ServerMiddleware[]): unknown
  delete(path: string, ...handlers: ServerMiddleware[]): unknown
  all(path: string, ...handlers: ServerMiddleware[]): unknown
  set(setting: string, value: unknown): unknown
  readonly locals: Record<string, unknown>
}

/** The port that the process serves on when none is asked for. */
export const defaultPort = 7387

/** How much of the process clients may take up. */
export const serverLimits = object({
  /** How many connections may be open: 1,000 by default. */
  connections: withDefault(described('Open connections', integer(1, 100_000)), 1_000),
})

/** What clients may take of a connection; nobody sets it but tests. */
export const defaultBounds = {
  /** How many bytes the header lines of a request may have. */
  headerBytes: 16_384,
  /** How long the headers of a request may take to arrive. */
  headersMs: 10_000,
  /** How long a whole request may take to arrive. */
  requestMs: 30_000,
  /** How long a client may leave a reply unread before its connection ends. */
  stalledMs: 30_000,
}

/** What clients may take of a server. */
export type Bounds = Output<typeof serverLimits> & Readonly<typeof defaultBounds>

const processProperties = { ...serverLimits.properties, ...sharedLimits.properties } as const

/** How much clients and sandboxes may take up together. */
export interface ProcessLimits extends Input<typeof serverLimits>, SharedLimits {}

const processLimits: NamedSchema<typeof processProperties, ProcessLimits> =
  object(processProperties)

/** The options of a server. */
export const serverOptions = object({
  /** 0 for any free port; 7387 by default. */
  port: withDefault(integer(0, 65_535), defaultPort),
  /** The address to listen on; 127.0.0.1 by default. */
  host: withDefault(text(), '127.0.0.1'),
  /** Serves `https:` with this certificate and key, both in PEM; by default `http:`. */
  tls: optional(tlsFiles),
  /** The sandbox to serve; a new one with the default seed by default. */
  sandbox: optional(custom('a sandbox made by createSandbox()', isSandbox)),
  /** The named sandboxes; by default up to 1,000, made by the control API. */
  pool: optional(custom('a SandboxPool', (found) => found instanceof SandboxPool)),
  /** Names that control requests may have in `Host` besides those of the loopback, without a port. */
  allowedHosts: withDefault(list(text()), []),
  /** The bearer token that control requests must carry; by default none on a loopback `host`, a random one on others. */
  controlToken: optional(bearerToken),
  /** Saves the state when the control API asks for it, at once or by a promise; an error gets 500 with its message. */
  save: optional(aFunction<() => unknown>()),
  /** Called after each exchange of the API; what it throws goes to `onError`. */
  onRequest: optional(aFunction<(exchange: ServedRequest) => void>()),
  /** Called with every bug of ours and every error of your own functions; by default writes it to standard error. */
  onError: optional(aFunction<(error: unknown) => void>()),
  middleware: withDefault(list(aFunction<ServerMiddleware>()), []),
  /**
   * A folder to serve beside the API, such as a built frontend: the page that it serves can ask for `/v1/pets` without
   * CORS. Unknown pages get its `index.html`, for client-side routes; unknown files get 404.
   */
  staticFolder: optional(text()),
  /** How much of the process clients may take up, and, without a `pool` that says it, sandboxes in memory. */
  limits: withDefault(processLimits, processLimits.parse({})),
})

/** Options of `startServer()`. */
export type ServerOptions = Omit<Input<typeof serverOptions>, 'middleware'> & {
  // By its name, which the declarations would otherwise lose, and with it that handlers of any Express fit.
  /**
   * Your own Express middleware and routes, in front of the sandbox: `[cors(), router]`. It sees every request but those
   * of the control API; what it hands on with `next()`, the sandbox answers, even if a body parser has read its body.
   */
  readonly middleware?: readonly ServerMiddleware[] | undefined
}

/** Options of `startServer()`, read. */
export type ReadServerOptions = Output<typeof serverOptions>

function aFunction<Kind>(): Schema<Kind> {
  return custom('a function', (found): found is Kind => typeof found === 'function')
}

function isSandbox(found: unknown): found is Sandbox {
  return isRecord(found) && typeof found.handle === 'function'
}
