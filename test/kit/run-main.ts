import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { childEnvironment } from './child-environment.ts'
import { type CliOptions, type CliResult, testFolder } from './cli-process.ts'
import { expectFreshBuild } from './expect-fresh-build.ts'

interface Answer {
  readonly id: number
  readonly value: CliResult
}

interface Waiting {
  readonly resolve: (value: CliResult) => void
  readonly reject: (error: Error) => void
}

/** A process that runs the built program's `main()`, one run after the other. */
class MainHost {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor() {
    expectFreshBuild()
    this.#child = fork(join(import.meta.dirname, 'cli-host.js'), {
      execPath: process.execPath,
      execArgv: ['--no-warnings'],
      env: childEnvironment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', ({ id, value }: Answer) => {
      this.#waiting.get(id)?.resolve(value)
      this.#waiting.delete(id)
    })
    this.#child.once('exit', (code) => {
      const error = new Error(`Cannot go on: the process of cli-host.js has ended with ${code}`)
      for (const { reject } of this.#waiting.values()) reject(error)
    })
    // It ends with the process of the tests, and doesn't keep that.
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get isRunning(): boolean {
    return this.#child.connected && !this.#child.killed
  }

  run(message: object): Promise<CliResult> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#child.send({ id, ...message })
    })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

let host: MainHost | undefined

/**
 * Runs the built program to its end in a process that all such runs share, which saves most of the time of `runCli()`.
 *
 * It is for what ends by itself once it has printed something; what has to do with signals, exit, streams or other
 * processes is for a process of its own.
 */
export async function runMain(
  args: readonly string[],
  { cwd = testFolder(), env = {} }: Pick<CliOptions, 'cwd' | 'env'> = {},
): Promise<CliResult> {
  const shared = host?.isRunning ? host : new MainHost()
  host = shared
  let isOver = false
  onTestFinished(() => {
    // It serves, perhaps, and nobody would end it.
    if (!isOver) shared.kill()
  })
  const result = await shared.run({ args, cwd, env: { ...childEnvironment, ...env } })
  isOver = true
  return result
}
