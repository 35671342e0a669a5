import { randomUUID } from 'node:crypto'
import { Connections } from '../adapters/parts/node/connections.ts'
import { ApiError } from '../mock/api/error.ts'
import { InputError } from '../mock/input/input-error.ts'
import { readInput } from '../mock/input/schema.ts'
import { EventStreams } from '../sandbox/controls/http/events.ts'
import {
  type ProcessControls,
  type SandboxView,
  viewSandbox,
} from '../sandbox/controls/sandboxes.ts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import { SandboxPool } from '../sandbox/sandbox-pool.ts'
import { SiteApp } from './app.ts'
import { type GuardOptions, isLoopback } from './guard.ts'
import { createHttpServer } from './http-server.ts'
import { loadLateParts } from './late-parts.ts'
import {
  type Bounds,
  defaultBounds,
  type ReadServerOptions,
  type ServerApp,
  type ServerOptions,
  serverOptions,
} from './server-options.ts'
import type { ShownFile, Site } from './site.ts'

export type {
  ServedRequest,
  ServerApp,
  ServerMiddleware,
  ServerOptions,
} from './server-options.ts'

/** A running server; `await using` closes it. */
export interface RunningServer {
  /** Base URL without `/v1`, such as `http://127.0.0.1:7387`; `https:` with the option `tls`. */
  readonly url: string
  /** Port that the server listens on. */
  readonly port: number
  /** The Express app that handles all requests; middleware that you add to it runs before the files and the API. */
  readonly app: ServerApp
  /** The default sandbox. */
  readonly sandbox: Sandbox
  /** The named sandboxes. */
  readonly pool: SandboxPool
  /** Bearer token that control requests must carry; `undefined` if no token is required. */
  readonly controlToken: string | undefined
  /**
   * Stops: accepts no new connections, ends all waits, and resolves when the port is free. Running requests get their
   * responses; clients that send or read slowly have 4 seconds.
   */
  close(): Promise<void>
  /** Stops, as `close()` does; called at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves a sandbox over HTTP; resolves once the server listens.
 *
 * @throws {@link InputError} for an invalid option; Node's error if it can't listen.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  return await serveSandbox(options)
}

/** Internal settings of {@link serveSandbox}. */
interface Serving {
  /** File to show: the server is then read-only and doesn't serve the API. */
  readonly file?: ShownFile | undefined
  readonly bounds?: Partial<Bounds> | undefined
}

/**
 * Serves a sandbox, like {@link startServer}.
 *
 * @internal For the command `open`, and for tests.
 */
export async function serveSandbox(
  options: ServerOptions,
  { file, bounds }: Serving = {},
): Promise<RunningServer> {
  const settings = readInput(serverOptions, options)
  const { limits, sandbox = createSandbox() } = settings
  const { pool = new SandboxPool({ limits: { requestLogBytes: limits.requestLogBytes } }) } =
    settings
  sandbox.shareMemory(pool.memory)
  const guard = guardOf(settings)
  if (guard.token !== undefined) {
    sandbox.keepSecret(guard.token)
    pool.keepSecret(guard.token)
  }
  let url = ''
  const origin = (): string => url
  const site: Site = {
    sandbox,
    pool,
    guard,
    origin,
    events: new EventStreams(),
    processControls: createProcessControls(pool, origin, settings.save),
    file,
    onRequest: settings.onRequest,
    reportBug: reporterOf(settings.onError),
  }
  const connections = new Connections()
  const { between } = connections.lateness
  sandbox.useLateness(between)
  for (const name of pool.names()) pool.find(name)?.useLateness(between)
  pool.onCreate((created) => created.useLateness(between))
  const app = new SiteApp(site, connections, settings)
  const allBounds = { ...defaultBounds, connections: limits.connections, ...bounds }
  const server = createHttpServer(site, app, connections, allBounds, settings.tls)
  const { address, family, port } = await server.listen(settings.port, settings.host)
  await loadLateParts()
  url = `${settings.tls === undefined ? 'http' : 'https'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  const close = (): Promise<void> => server.close()
  return {
    url,
    port,
    app: app.app,
    sandbox,
    pool,
    controlToken: guard.token,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function guardOf({ allowedHosts, controlToken, host }: ReadServerOptions): GuardOptions {
  const names = [...allowedHosts, host.includes(':') ? `[${host}]` : host]
  return {
    allowedHosts: names.map((name) => name.toLowerCase()),
    token: controlToken ?? (isLoopback(host) ? undefined : randomUUID()),
  }
}

/** Returns a function that reports bugs and never throws. */
function reporterOf(onError: (error: unknown) => void = writeBug): (error: unknown) => void {
  return (error) => {
    try {
      onError(error)
    } catch (thrown) {
      writeBug(error)
      writeBug(thrown)
    }
  }
}

function writeBug(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
}

/**
 * Creates the controls that only a server has: named sandboxes, and saving.
 *
 * @param origin Returns the base URL of the server; known once it listens.
 * @param save Saves the state; `undefined` without a file for it.
 */
function createProcessControls(
  pool: SandboxPool,
  origin: () => string,
  save: (() => unknown) | undefined,
): ProcessControls {
  const view = (name: string): SandboxView => viewSandbox(name, origin())
  return {
    sandboxes: {
      list: () => pool.names().map(view),
      create: (settings = {}) => view(pool.create(settings).name),
      delete: (name) => pool.delete(name),
    },
    async saveState() {
      if (save === undefined) {
        throw new InputError(
          'Cannot save the state: there is no file for it; start with --state FILE',
        )
      }
      try {
        await save()
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        throw new ApiError('internal_error', message, { reason: 'internal-error' })
      }
    },
  }
}
