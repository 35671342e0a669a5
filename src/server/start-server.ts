import { randomUUID } from 'node:crypto'
import { HeaderReader } from '../adapters/parts/header-reader.ts'
import { LatestWireText } from '../adapters/parts/node/wire-text.ts'
import { haveEngine } from '../at-once/have-engine.ts'
import { readInput } from '../input/schema.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { SandboxPool } from '../sandbox-pool.ts'
import { PackageFiles } from './console/package-files.ts'
import { createProcessControls } from './create-process-controls.ts'
import { Dispatch } from './dispatch.ts'
import { type GuardOptions, isLoopback } from './guard.ts'
import { LongBodies } from './node/long-bodies.ts'
import { NodeServer } from './node/node-server.ts'
import { Rooms } from './node/rooms.ts'
import { UnreadReplies } from './node/unread-replies.ts'
import { type ReadServerOptions, type ServerOptions, serverOptions } from './server-options.ts'
import type { Front } from './site.ts'

export type { ServedExchange, ServerMiddleware, ServerOptions } from './server-options.ts'

/** How many characters of long bodies are answered in a turn of the event loop; one may have four times as many. */
const bodyLengthInTurn = 262_144

/** How many long bodies of the API are read at once: together, 32 MiB. */
const mostLongBodies = 32

/** How many of controls, which may have as much each. */
const mostLongControls = 4

/** A running server; `await using` closes it. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:7387`, without `/v1`. */
  readonly url: string
  readonly port: number
  readonly sandbox: Sandbox
  readonly pool: SandboxPool
  /** The bearer token that control requests must carry; `undefined` for none. */
  readonly controlToken: string | undefined
  /**
   * Stops: accepts no new connections, ends all waits, and resolves when the port is free. Running requests get their
   * answers; clients that send or read slowly have 4 seconds.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves a sandbox over HTTP; resolves once it listens.
 *
 * @throws {@link InputError} for an invalid option; Node's error when it can't listen.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  return await serveSandbox(options)
}

/**
 * As {@link startServer}.
 *
 * @internal For the command `open`.
 *
 * @param file The name of a file that is shown: nothing can be changed then, and the API is not served.
 */
export async function serveSandbox(options: ServerOptions, file?: string): Promise<RunningServer> {
  haveEngine()
  const settings = readInput(serverOptions, options)
  const { limits, sandbox = createSandbox() } = settings
  const { pool = new SandboxPool({ limits: memoryOf(limits) }) } = settings
  sandbox.shareMemory(pool.memory)
  const guard = guardOf(settings)
  if (guard.token !== undefined) {
    sandbox.keepSecret(guard.token)
    pool.keepSecret(guard.token)
  }
  let url = ''
  const origin = (): string => url
  const dispatch = new Dispatch({
    sandbox,
    pool,
    guard,
    origin,
    processControls: createProcessControls(pool, origin, settings.save),
    headerReader: new HeaderReader(),
    wireText: new LatestWireText(),
    unread: new UnreadReplies(limits.unreadBytes, limits.stalledMs),
    longBodies: new LongBodies(mostLongBodies, bodyLengthInTurn),
    longControls: new LongBodies(mostLongControls, bodyLengthInTurn),
    longDocuments: new Rooms(1),
    packageFiles: new PackageFiles(),
    front: await frontOf(settings),
    file,
    onExchange: settings.onExchange,
    reportBug: reporterOf(settings.onBug),
  })
  const server = new NodeServer(dispatch, limits)
  const { address, family, port } = await server.listen(settings.port, settings.host)
  url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  const close = (): Promise<void> => server.close()
  return {
    url,
    port,
    sandbox,
    pool,
    controlToken: guard.token,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The limits that are those of a pool. */
function memoryOf({ journalBytes, stateBytes, strangerBytes }: ReadServerOptions['limits']) {
  return { journalBytes, stateBytes, strangerBytes }
}

function guardOf({ allowedHosts, controlToken, host }: ReadServerOptions): GuardOptions {
  const names = [...allowedHosts, host.includes(':') ? `[${host}]` : host]
  return {
    allowedHosts: names.map((name) => name.toLowerCase()),
    token: controlToken ?? (isLoopback(host) ? undefined : randomUUID()),
  }
}

/** Express, if there is anything for it to do: loading it takes as long as all the rest of a start. */
async function frontOf(settings: ReadServerOptions): Promise<Front | undefined> {
  const { middleware, staticFolder } = settings
  if (middleware.length === 0 && staticFolder === undefined) return undefined
  const { createFront } = await import('./front/create-front.ts')
  return createFront(middleware, staticFolder)
}

/** Gives what reports bugs, and never throws. */
function reporterOf(onBug: (error: unknown) => void = writeBug): (error: unknown) => void {
  return (error) => {
    try {
      onBug(error)
    } catch (thrown) {
      writeBug(error)
      writeBug(thrown)
    }
  }
}

function writeBug(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
}
