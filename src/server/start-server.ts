import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkOptions, parseWhole } from '../contract/input.ts'
import type { ApiRequest, Handler, Outcome } from '../contract/message.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { createApp } from './app.ts'
import { createHost, defaultLimits, type HostLimits } from './host.ts'

/** The port that the process serves on when none is asked for. */
export const defaultPort = 7387

/** A request that was answered. */
export interface Exchange {
  readonly request: ApiRequest
  readonly outcome: Outcome
  /** The sandbox's time when it came, in Unix milliseconds. */
  readonly at: number
  readonly durationMs: number
}

/** How to serve. */
export interface ServerOptions {
  /** 0 for any free port; 7387 by default. */
  readonly port?: number
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string
  /** The sandbox to serve; a new one with the default seed by default. */
  readonly sandbox?: Sandbox
  /** Called after each exchange. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Called with every fault of the sandbox itself; by default it is written to standard error. */
  readonly onFault?: (error: unknown) => void
  /** What a client may take of the process. */
  readonly limits?: Partial<HostLimits>
}

/** A server that serves. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:7387`; the API is under its `/v1`. */
  readonly url: string
  readonly port: number
  readonly sandbox: Sandbox
  /** Stops: no new connections, running requests end within 4 seconds; resolves when the port is free. */
  close(): Promise<void>
}

const optionNames = ['port', 'host', 'sandbox', 'onExchange', 'onFault', 'limits']

/**
 * Serves a sandbox over HTTP; resolves when it serves.
 *
 * @throws {@link InputError} for an option that can't be used; Node's error when it can't listen.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkOptions(options, optionNames, 'start the server')
  const { host = '127.0.0.1', sandbox = createSandbox(), onFault = writeFault } = options
  const port = parseWhole(options.port ?? defaultPort, 0, 65_535, 'the port')
  const { onExchange } = options
  const handle = onExchange === undefined ? sandbox.handle : observed(sandbox, onExchange)
  const limits = { ...defaultLimits, ...options.limits }
  const server = createHost(createApp(handle, onFault), handle, limits)
  await listen(server, port, host)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    sandbox,
    close: () => close(server),
  }
}

function writeFault(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
}

/** A sandbox's handler that tells of each exchange. */
function observed(sandbox: Sandbox, onExchange: (exchange: Exchange) => void): Handler {
  return async (request) => {
    const at = sandbox.clock.now()
    const begun = performance.now()
    const outcome = await sandbox.handle(request)
    onExchange({ request, outcome, at, durationMs: performance.now() - begun })
    return outcome
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** How long running requests may take to end. */
const graceMs = 4_000

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection is idle only when its last reply is out.
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    const grace = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(grace)
      resolve()
    })
    server.closeIdleConnections()
  })
}
