import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { RunningServer } from '../../src/server/start-server.ts'
import { expectFreshBuild } from './expect-fresh-build.ts'

/** What a server on another Node tells of while it runs. */
export type HostEvent = 'exchange' | 'fault' | 'save' | 'written'

type Listener = (event: HostEvent, value: unknown) => void

/** A member's name, or the arguments of a call. */
type Step = string | readonly unknown[]

interface Message {
  readonly id?: number
  readonly value?: unknown
  readonly error?: Error
  readonly event?: HostEvent
  readonly server?: number
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** A process on some Node that serves sandboxes of the built package, as many as the tests of a file ask for. */
class ServerHost {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<number, Listener>()
  #lastId = 0

  constructor(node: string) {
    expectFreshBuild()
    const script = fileURLToPath(new URL('server-host.js', import.meta.url))
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
    this.#child = fork(script, {
      execPath: node,
      execArgv: ['--no-warnings'],
      env: { PATH: process.env.PATH },
      serialization: 'advanced',
      stdio: [...stdio],
    })
    this.#child.on('message', (message: Message) => this.#take(message))
    this.#child.once('exit', (code) => {
      const error = new Error(`Cannot go on: the process of the server has ended with ${code}`)
      for (const { reject } of this.#waiting.values()) reject(error)
    })
    // It ends with the process of the tests, and doesn't keep that.
    this.#child.unref()
    this.#child.channel?.unref()
  }

  /** Asks for an action, and gives its result. */
  ask(action: string, given: object = {}): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#child.send({ id, action, ...given })
    })
  }

  /** Gives a number to a server that is to be started, which tells a listener of its events. */
  register(listener: Listener): number {
    const server = ++this.#lastId
    this.#listeners.set(server, listener)
    return server
  }

  forget(server: number): void {
    this.#listeners.delete(server)
  }

  #take({ id, event, server, value, error }: Message): void {
    if (event !== undefined) {
      for (const [number, listener] of this.#listeners) {
        // What is written is nobody's in particular.
        if (server === undefined || server === number) listener(event, value)
      }
      return
    }
    const waiting = this.#waiting.get(id ?? 0)
    this.#waiting.delete(id ?? 0)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(Object.assign(new Error(error.message), error))
  }
}

const hosts = new Map<string, ServerHost>()

function hostOn(node: string): ServerHost {
  const host = hosts.get(node) ?? new ServerHost(node)
  hosts.set(node, host)
  return host
}

/** A call of what stands for something in another process. */
interface NotDone {
  readonly neverAwaited: string
}

/** How many have begun to listen to a journal, and how many have ended. */
export interface Listeners {
  readonly begun: number
  readonly ended: number
}

/** A server on another Node. */
export interface RemoteServer extends RunningServer {
  /** Counts from now on who listens to the journal of its sandbox; gives what tells the count. */
  countListeners(): Promise<() => Promise<Listeners>>
  /** What was asked of its sandboxes and never awaited, so that it was not done. */
  readonly notDone: ReadonlySet<NotDone>
  /** Forgets it, once it is closed. */
  forget(): void
}

/**
 * Starts a server of the built package on another Node.
 *
 * Its `sandbox` and `pool` are asked as those of a server in process are, but answer only when they are awaited:
 * `await server.sandbox.pets.size`, `await server.pool.get('mine').journal.entries()`.
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
      return (resolve: Waiting['resolve'], reject: Waiting['reject']) =>
        follow(steps).then(resolve, reject)
    },
    apply(_target, _self, args) {
      return remote(follow, notDone, [...steps, args])
    },
  })
}
