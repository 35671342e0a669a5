import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { childEnvironment } from './child-environment.ts'
import { expectFreshBuild } from './expect-fresh-build.ts'

/** What a process tells of, without being asked. */
interface HostEvent {
  readonly event: string
  /** Whose event it is, where that matters. */
  readonly server?: number
  readonly value?: unknown
}

interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: Error
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** A process that does what tests ask of it with the built package, as long as they run. */
export class ChildHost {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  /**
   * @param script A file of this folder.
   * @param options The Node to run it by, and what is told of its events.
   */
  constructor(
    script: string,
    options: { readonly node: string; readonly onEvent?: (event: HostEvent) => void },
  ) {
    expectFreshBuild()
    this.#child = fork(join(import.meta.dirname, script), {
      execPath: options.node,
      execArgv: ['--no-warnings'],
      env: childEnvironment,
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', (message: HostEvent | Answer) => {
      if ('event' in message) options.onEvent?.(message)
      else this.#take(message)
    })
    this.#child.once('exit', (code) => {
      const error = new Error(`Cannot go on: the process of ${script} has ended with ${code}`)
      for (const { reject } of this.#waiting.values()) reject(error)
    })
    // It ends with the process of the tests, and doesn't keep that.
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get isRunning(): boolean {
    return this.#child.connected && !this.#child.killed
  }

  /** Sends a message, and gives the answer. */
  ask(message: object): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#child.send({ id, ...message })
    })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #take({ id, value, error }: Answer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(Object.assign(new Error(error.message), error))
  }
}
