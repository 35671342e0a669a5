import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApiRequest, Handler, Outcome } from '../contract/message.ts'
import { checkOptions, InputError, parseWhole, show } from '../input/input-error.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { SandboxPool } from '../sandbox-pool.ts'
import { type AppHooks, createApp } from './app.ts'
import { defaultPort } from './default-port.ts'
import { EventStreams } from './events.ts'
import { type GuardOptions, isLoopback } from './guard.ts'
import { createHost, type HostLimits } from './host.ts'
import { foundBy } from './site.ts'
import { Unanswered } from './unanswered.ts'

/** A request that was answered. */
export interface Exchange {
  readonly request: ApiRequest
  readonly outcome: Outcome
  /** The one that answered; `undefined` where there is none of the name that was asked for. */
  readonly sandbox: Sandbox | undefined
  /** The sandbox's time, or the default one's, when it came, in Unix milliseconds. */
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
  /** Its named sandboxes; by default there may be 1,000, made by the control API. */
  readonly pool?: SandboxPool
  /** Names beyond those of the loopback that control requests may have in `Host`, without a port. */
  readonly allowedHosts?: readonly string[]
  /** What control requests must carry as a bearer token; by default a random one where `host` is no loopback address, else none. */
  readonly controlToken?: string
  /** Writes the state down when the control API asks for it; what it throws is answered with 500 and its message. */
  readonly save?: () => void
  /** Called after each exchange of the API. */
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
  readonly pool: SandboxPool
  /** What control requests must carry as a bearer token; `undefined` for nothing. */
  readonly controlToken: string | undefined
  /** Stops: no new connections, running requests end within 4 seconds; resolves when the port is free. */
  close(): Promise<void>
}

const optionNames = [
  'port',
  'host',
  'sandbox',
  'pool',
  'allowedHosts',
  'controlToken',
  'save',
  'onExchange',
  'onFault',
  'limits',
]

/**
 * Serves a sandbox over HTTP; resolves when it serves.
 *
 * @throws {@link InputError} for an option that can't be used; Node's error when it can't listen.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkOptions(options, optionNames, 'start the server')
  const { host = '127.0.0.1', sandbox = createSandbox(), onFault = writeFault } = options
  checkKinds(options)
  const port = parseWhole(options.port ?? defaultPort, 0, 65_535, 'the port')
  const pool = options.pool ?? new SandboxPool()
  let origin = ''
  const guard = guardOf(options, host)
  const site = { sandbox, pool, guard, save: options.save, origin: () => origin }
  const { onExchange } = options
  const now = (answering: Sandbox | undefined): number => (answering ?? sandbox).clock.now()
  const observe: AppHooks['observe'] = (handle, find) =>
    onExchange === undefined ? handle : observed(handle, () => foundBy(find), now, onExchange)
  const streams = new EventStreams()
  const unanswered = new Unanswered()
  const onUnanswered = (response: ServerResponse): void => unanswered.add(response)
  const app = createApp(site, streams, { onFault, onUnanswered, observe })
  const server = createHost(
    app,
    observe(sandbox.handle, () => sandbox),
    options.limits ?? {},
  )
  await listen(server, port, host)
  const forgetPool = pool.onDelete((deleted) => streams.endOf(deleted))
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  origin = `http://${name}:${address.port}`
  return {
    url: origin,
    port: address.port,
    sandbox,
    pool,
    controlToken: guard.token,
    close() {
      forgetPool()
      streams.endAll()
      unanswered.dropAll()
      return close(server)
    },
  }
}

const kinds = {
  host: 'string',
  controlToken: 'string',
  onExchange: 'function',
  onFault: 'function',
  save: 'function',
} as const

/** @throws {@link InputError} for an option of the wrong kind, before it could do harm. */
function checkKinds(options: ServerOptions): void {
  for (const name of Object.keys(kinds) as (keyof typeof kinds)[]) {
    const value = options[name]
    if (value === undefined || (typeof value === kinds[name] && value !== '')) continue
    throw new InputError(`Cannot set ${name}: found ${show(value)}; use a ${kinds[name]}`)
  }
  const { sandbox, allowedHosts } = options
  if (allowedHosts !== undefined && !Array.isArray(allowedHosts)) {
    throw new InputError(
      `Cannot set allowedHosts: found ${show(allowedHosts)}; use an array of names`,
    )
  }
  if (sandbox === undefined || typeof sandbox?.handle === 'function') return
  throw new InputError(`Cannot set sandbox: found ${show(sandbox)}; use one of createSandbox()`)
}

function guardOf({ allowedHosts = [], controlToken }: ServerOptions, host: string): GuardOptions {
  const names = [...allowedHosts, host.includes(':') ? `[${host}]` : host]
  return {
    allowedHosts: names.map((name) => name.toLowerCase()),
    token: controlToken ?? (isLoopback(host) ? undefined : randomUUID()),
  }
}

function writeFault(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
}

/** A handler that tells of each exchange, in the time of its sandbox. */
function observed(
  handle: Handler,
  find: () => Sandbox | undefined,
  now: (sandbox: Sandbox | undefined) => number,
  onExchange: (exchange: Exchange) => void,
): Handler {
  return async (request) => {
    const sandbox = find()
    const at = now(sandbox)
    const begun = performance.now()
    const outcome = await handle(request)
    onExchange({ request, outcome, sandbox, at, durationMs: performance.now() - begun })
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
