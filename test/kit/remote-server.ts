import type { RunningServer } from '../../src/server/start-server.ts'
import { ChildHost } from './child-host.ts'

/** What a server on another Node tells of while it runs. */
export type HostEvent = 'request' | 'bug' | 'save' | 'written'

type Listener = (event: HostEvent, value: unknown) => void

/** A member's name, or the arguments of a call. */
type Step = string | readonly unknown[]

/** A process on some Node that serves sandboxes of the built package, as many as the tests of a file ask for. */
class ServerHost {
  readonly #child: ChildHost
  readonly #listeners = new Map<number, Listener>()
  #lastServer = 0

  constructor(node: string) {
    this.#child = new ChildHost('server-host.js', {
      node,
      onEvent: ({ event, server, value }) => {
        for (const [number, listener] of this.#listeners) {
          // What is written is nobody's in particular.
          if (server === undefined || server === number) listener(event as HostEvent, value)
        }
      },
    })
  }

  get isRunning(): boolean {
    return this.#child.isRunning
  }

  ask(action: string, given: object = {}): Promise<unknown> {
    return this.#child.ask({ action, ...given })
  }

  /** Gives a number to a server that is to be started, which tells a listener of its events. */
  register(listener: Listener): number {
    const server = ++this.#lastServer
    this.#listeners.set(server, listener)
    return server
  }

  forget(server: number): void {
    this.#listeners.delete(server)
  }
}

const hosts = new Map<string, ServerHost>()

/** Gives the process on a Node that all servers share; another one when a test has brought it down. */
function hostOn(node: string): ServerHost {
  const running = hosts.get(node)
  if (running?.isRunning) return running
  const host = new ServerHost(node)
  hosts.set(node, host)
  return host
}

/** A call of what stands for something in another process. */
interface NotDone {
  readonly neverAwaited: string
}

/** How many have begun to listen to a request log, and how many have ended. */
export interface Listeners {
  readonly begun: number
  readonly ended: number
}

/** A server on another Node. */
export interface RemoteServer extends RunningServer {
  /** Counts from now on who listens to the request log of its sandbox; gives what tells the count. */
  countListeners(): Promise<() => Promise<Listeners>>
  /** Counts from now on the requests for which Node makes a response; gives what tells the count. */
  countRequests(): Promise<() => Promise<number>>
  /** What was asked of its sandboxes and never awaited, so that it was not done. */
  readonly notDone: ReadonlySet<NotDone>
  /** Forgets it, once it is closed. */
  forget(): void
}

/**
 * Starts a server of the built package on another Node.
 *
 * Its `sandbox` and `pool` are asked as those of a server in process are, but answer only when they are awaited:
 * `await server.sandbox.pets.size`, `await server.pool.get('mine').requests.list()`.
 *
 * @param options Those of `startServer()` that are data, and `sandbox: { options, snapshot }`.
 */
export async function startRemoteServer(
  node: string,
  options: object,
  listener: Listener,
): Promise<RemoteServer> {
  const host = hostOn(node)
  const server = host.register(listener)
  const notDone = new Set<NotDone>()
  const follow = (steps: readonly Step[]): Promise<unknown> => host.ask('follow', { server, steps })
  const place = (await host.ask('start', { server, ...options })) as RunningServer
  return {
    ...place,
    sandbox: remote(follow, notDone, ['sandbox']) as RunningServer['sandbox'],
    pool: remote(follow, notDone, ['pool']) as RunningServer['pool'],
    notDone,
    async countListeners() {
      await host.ask('countListeners', { server })
      return async () => (await follow(['listeners'])) as Listeners
    },
    async countRequests() {
      await host.ask('countRequests', { server })
      return async () => Number(await follow(['made']))
    },
    async close() {
      await host.ask('close', { server })
    },
    forget: () => host.forget(server),
  }
}

/** Whether a server is one of {@link startRemoteServer}. */
export function isRemote(server: RunningServer): server is RemoteServer {
  return 'notDone' in server
}

/** Stops `setTimeout` and `setInterval` in the process of the servers; gives what lets them run on. */
export async function stopRemoteTimers(node: string): Promise<() => Promise<unknown>> {
  await hostOn(node).ask('stopTimers')
  return () => hostOn(node).ask('startTimers')
}

/** What stands for something in another process: it collects members and calls, which are done when it is awaited. */
function remote(
  follow: (steps: readonly Step[]) => Promise<unknown>,
  notDone: Set<NotDone>,
  steps: readonly Step[],
): unknown {
  const written = steps.map((step) => (typeof step === 'string' ? step : '()')).join('.')
  const self = { neverAwaited: written.replaceAll('.()', '()') }
  // A call is done when it is awaited, by itself or with what comes after it.
  if (typeof steps.at(-1) === 'object') notDone.add(self)
  return new Proxy(() => {}, {
    get(_target, member) {
      if (typeof member === 'symbol') return undefined
      // What was only destructured is no promise: an async function may return it.
      if (member === 'then' && steps.length === 1) return undefined
      notDone.delete(self)
      if (member !== 'then') return remote(follow, notDone, [...steps, member])
      return (resolve: (value: unknown) => void, reject: (error: unknown) => void) =>
        follow(steps).then(resolve, reject)
    },
    apply(_target, _self, args) {
      return remote(follow, notDone, [...steps, args])
    },
  })
}
