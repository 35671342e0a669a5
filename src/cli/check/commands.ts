import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism, constants, cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { stripVTControlCharacters } from 'node:util'
import { startError } from '../processes.ts'

/** How a run of a command ended. */
export interface CommandRun {
  /** Its exit code, or 128 plus the number of the signal that ended it. */
  readonly code: number
  /** The signal that ended it. */
  readonly signal: NodeJS.Signals | undefined
  readonly end: 'by itself' | 'too slow' | 'stopped'
  /** The end of what it printed, without escape codes. */
  readonly output: string
  readonly ms: number
  /** When it ended or was told to, as `performance.now()` has it. */
  readonly endedAt: number
}

/** How a command runs. */
export interface CommandOptions {
  /** Maximum time, in milliseconds. */
  readonly limitMs: number | undefined
  /** Whether its output is printed. */
  readonly isShown: boolean
}

/** How much of what a command prints is kept, in characters. */
const keptOutput = 131_072

/** How long a command may take to end when it is told to. */
const graceMs = 2_000

/** How long the rest of its output may take to arrive. */
const drainMs = 500

/** Runs commands without a terminal, and ends them with all that they have started. */
export class Commands {
  readonly #running = new Set<ChildProcess>()
  #isStopped = false

  /** @throws {@link CliError} when it can't be started. */
  run(
    [command = '', ...words]: readonly string[],
    env: NodeJS.ProcessEnv,
    { limitMs, isShown }: CommandOptions,
  ): Promise<CommandRun> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now()
      // A group of its own, so that all of it can be ended, and no Ctrl+C reaches it from the terminal.
      const child = spawn(command, words, {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: hasGroups,
      })
      this.#running.add(child)
      const release = guard(child)
      if (this.#isStopped) end(child)
      let output = ''
      const keep = (text: string): void => {
        output = (output + text).slice(-keptOutput)
        // Standard output is for the report.
        if (isShown) process.stderr.write(text)
      }
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep)
      let isSlow = false
      let toldAt: number | undefined
      const limit =
        limitMs === undefined
          ? undefined
          : setTimeout(() => {
              isSlow = true
              toldAt = performance.now()
              end(child)
            }, limitMs)
      child.on('error', (error) => {
        clearTimeout(limit)
        this.#running.delete(child)
        reject(startError(command, error))
      })
      child.on('exit', (code, signal) => {
        clearTimeout(limit)
        this.#running.delete(child)
        release()
        const endedAt = performance.now()
        // What it has left behind would disturb the others.
        signalGroup(child, 'SIGKILL')
        const finish = (): void => {
          // A process that left the group may hold them open.
          for (const stream of [child.stdout, child.stderr]) stream.destroy()
          resolve({
            code: code ?? 128 + constants.signals[signal ?? 'SIGTERM'],
            signal: signal ?? undefined,
            end: this.#isStopped ? 'stopped' : isSlow ? 'too slow' : 'by itself',
            output: stripVTControlCharacters(output),
            ms: endedAt - startedAt,
            endedAt: toldAt ?? endedAt,
          })
        }
        const drained = setTimeout(finish, drainMs)
        child.on('close', () => {
          clearTimeout(drained)
          finish()
        })
      })
    })
  }

  /** Ends all that run, and all that are started later. */
  stop(): void {
    this.#isStopped = true
    for (const child of this.#running) end(child)
  }
}

const hasGroups: boolean = process.platform !== 'win32'

/**
 * Has a command killed with all that it has started, should this process be killed: a shell waits for a pipe to close.
 *
 * @returns What to call once the command has ended.
 */
function guard({ pid }: ChildProcess): () => void {
  if (!hasGroups || pid === undefined) return () => {}
  const script = 'read -r _ || kill -s KILL -- "-$0"'
  const shell = spawn('/bin/sh', ['-c', script, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell, or once it was killed, there is no guard.
  for (const source of [shell, shell.stdin]) source.on('error', () => {})
  return () => shell.stdin.end('\n')
}

function end(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
  child.on('exit', () => clearTimeout(timer))
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    if (hasGroups) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // All of it has ended.
  }
}

/** How busy the processors are, from its making on. */
export class Load {
  readonly #busyAt = busyMs()
  readonly #startedAt = performance.now()

  /**
   * How many runs at a time the processors can carry, if they are as those that have ended since.
   *
   * @param runs How many ran at a time.
   * @param most How many there may be.
   */
  fitting(runs: number, most: number): number {
    const processors = (busyMs() - this.#busyAt) / (performance.now() - this.#startedAt) / runs
    const count = Math.floor(availableParallelism() / Math.max(processors, 0.01))
    return Math.min(Math.max(count, 1), most)
  }
}

/** How long the processors have worked. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.sys, 0)
}
