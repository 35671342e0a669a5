import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism, constants, cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { stripVTControlCharacters } from 'node:util'
import { hasGroups, signalGroup, startError } from '../processes.ts'

/** Run of a command, and its end. */
export interface CommandResult {
  /** Exit code, or 128 plus the number of the signal that ended it. */
  readonly code: number
  /** Signal that ended it. */
  readonly signal: NodeJS.Signals | undefined
  readonly end: 'by itself' | 'too slow' | 'stopped'
  /** End of its output, without escape codes. */
  readonly output: string
  /** End of its standard error, without escape codes. */
  readonly errorOutput: string
  readonly ms: number
  /** Time at which it ended or got a signal to end, by `performance.now()`. */
  readonly endedAt: number
}

/** Options of a command's run. */
export interface CommandOptions {
  /** Maximum time, in milliseconds. */
  readonly limitMs: number | undefined
  /** Whether its output is printed. */
  readonly isShown: boolean
}

/** Maximum length of a command's output that is kept, in characters. */
const keptOutput = 131_072

/** Time for a command to end after a signal. */
const graceMs = 2_000

/** Maximum time for the rest of its output to arrive. */
const drainMs = 500

/** Runs commands without a terminal, and ends them with all their child processes. */
export class Commands {
  readonly #running = new Set<ChildProcess>()
  #isStopped = false

  /** @throws {@link CliError} if it can't be started. */
  run(
    [command = '', ...words]: readonly string[],
    env: NodeJS.ProcessEnv,
    { limitMs, isShown }: CommandOptions,
  ): Promise<CommandResult> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now()
      // A process group of its own: the whole group can be ended, and Ctrl+C in the terminal doesn't reach it.
      const child = spawn(command, words, {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: hasGroups,
      })
      this.#running.add(child)
      const release = guard(child)
      if (this.#isStopped) end(child)
      let output = ''
      let errorOutput = ''
      const keep = (text: string): void => {
        output = (output + text).slice(-keptOutput)
        // Standard output is for the report.
        if (isShown) process.stderr.write(text)
      }
      child.stdout.setEncoding('utf8').on('data', keep)
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        errorOutput = (errorOutput + text).slice(-keptOutput)
        keep(text)
      })
      let isSlow = false
      let signalledAt: number | undefined
      const limit =
        limitMs === undefined
          ? undefined
          : setTimeout(() => {
              isSlow = true
              signalledAt = performance.now()
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
        // Leftover child processes would interfere with other runs.
        signalGroup(child, 'SIGKILL')
        const finish = (): void => {
          // A process that left the group may hold the streams open.
          for (const stream of [child.stdout, child.stderr]) stream.destroy()
          resolve({
            code: code ?? 128 + constants.signals[signal ?? 'SIGTERM'],
            signal: signal ?? undefined,
            end: this.#isStopped ? 'stopped' : isSlow ? 'too slow' : 'by itself',
            output: stripVTControlCharacters(output),
            errorOutput: stripVTControlCharacters(errorOutput),
            ms: endedAt - startedAt,
            endedAt: signalledAt ?? endedAt,
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

  /** Ends all running commands, and all that are started later. */
  stop(): void {
    this.#isStopped = true
    for (const child of this.#running) end(child)
  }
}

/**
 * Makes a shell kill the command with all its child processes if this process is killed: the shell waits for a pipe to
 * close.
 *
 * @returns A function to call once the command has ended.
 */
function guard({ pid }: ChildProcess): () => void {
  if (!hasGroups || pid === undefined) return () => {}
  const script = 'read -r _ || kill -s KILL -- "-$0"'
  const shell = spawn('/bin/sh', ['-c', script, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // There is no guard without a shell, or once the shell was killed.
  for (const source of [shell, shell.stdin]) source.on('error', () => {})
  return () => shell.stdin.end('\n')
}

function end(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
  child.on('exit', () => clearTimeout(timer))
}

/** Load of the processors since its creation. */
export class Load {
  readonly #busyAt = busyMs()
  readonly #startedAt = performance.now()

  /**
   * Returns the number of runs at a time that the processors can carry, going by the load of the runs so far.
   *
   * @param runs Number of runs at a time so far.
   * @param most Maximum number to return.
   */
  fitting(runs: number, most: number): number {
    const processors = (busyMs() - this.#busyAt) / (performance.now() - this.#startedAt) / runs
    const count = Math.floor(availableParallelism() / Math.max(processors, 0.01))
    return Math.min(Math.max(count, 1), most)
  }
}

/** Returns the time for which the processors have worked, in milliseconds. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.sys, 0)
}
