import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { performance } from 'node:perf_hooks'

/** How busy commands keep the processors, from its making on. */
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

/** How long processors have worked for commands that have ended, or, where the system doesn't say, for all. */
function busyMs(): number {
  return ofChildren() ?? cpus().reduce((sum, { times }) => sum + times.user + times.sys, 0)
}

/** How long the ticks of Linux are, in milliseconds. */
const tickMs = 10

/** The times that proc(5) calls cutime and cstime. */
function ofChildren(): number | undefined {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\)/s, '').trim().split(' ')
    const [user, system] = fields.slice(childTimes, childTimes + 2).map(Number)
    return user === undefined || system === undefined ? undefined : (user + system) * tickMs
  } catch {
    return undefined
  }
}

/** Where they are, in what comes after the name. */
const childTimes = 13
