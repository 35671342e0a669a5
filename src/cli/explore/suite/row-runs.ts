import { constants } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Row } from '../../../explore/choices.ts'
import { formatDuration } from '../../../input/duration.ts'
import { CliError } from '../../cli-error.ts'
import type { RowRun, SuiteRunner } from './suite-runner.ts'

/** How much longer than at the baseline choices a run may take, and how many milliseconds beyond that. */
const patience = { times: 5, ms: 30_000 } as const

/** How many runs that send no request show that something is wrong. */
const mostSilent = 2

/** Runs a suite under rows, a number of them at a time. */
export class RowRuns {
  readonly #suite: SuiteRunner
  readonly #waiting: (() => void)[] = []
  readonly #silent: number[] = []
  readonly #slow: number[] = []
  #free = 2
  #limitMs: number | undefined

  constructor(suite: SuiteRunner) {
    this.#suite = suite
  }

  /** The runs that were ended because they took too long. */
  get slow(): readonly number[] {
    return this.#slow
  }

  /** Takes from the usual runs how long others may take. */
  prepare(usual: readonly RowRun[], jobs: number): void {
    const longest = Math.max(...usual.map(({ command }) => command.ms))
    this.#limitMs = longest * patience.times + patience.ms
    this.#free = jobs
  }

  /**
   * Runs the suite under a row, once it is its turn.
   *
   * @throws {@link CliError} with exit code 5 when runs send no request; {@link Interrupted} when the process is to end.
   */
  async run(row: Row): Promise<RowRun> {
    await this.#turn()
    try {
      const run = await this.#suite.run(row, this.#limitMs)
      if (run.command.end === 'stopped') throw new Interrupted()
      if (run.command.end === 'too slow') this.#slow.push(run.number)
      if (run.requests === 0 && this.#limitMs !== undefined) this.#noteSilent(run)
      return run
    } finally {
      this.#free++
      this.#waiting.shift()?.()
    }
  }

  async #turn(): Promise<void> {
    while (this.#free <= 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#free--
  }

  #noteSilent({ number }: RowRun): void {
    this.#silent.push(number)
    if (this.#silent.length < mostSilent) return
    // More may follow before the others have ended.
    const first = this.#silent.slice(0, mostSilent)
    throw new CliError(
      `Cannot compare runs: ${first.join(' and ')} sent no request to their sandboxes, though others did; perhaps runs at the same time share files, a port or a server, or results are kept; use --jobs 1, and let each run start what it needs`,
      5,
    )
  }
}

/** Ends what can't go on, since the process is told to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Waits for a signal to end, so that there is time to say what is known; the second one ends the process at once. */
export class Interruption {
  readonly #stop: () => void
  /** The exit code for the signal, once there was one. */
  code: number | undefined

  /** @param stop Is called at the first signal. */
  constructor(stop: () => void) {
    this.#stop = stop
    for (const signal of signals) process.on(signal, this.#listen)
  }

  /** Leaves signals alone again. */
  end(): void {
    for (const signal of signals) process.off(signal, this.#listen)
  }

  readonly #listen = (signal: (typeof signals)[number]): void => {
    const code = 128 + constants.signals[signal]
    if (this.code !== undefined) process.exit(code)
    this.code = code
    this.#stop()
  }
}

/** Where progress is shown. */
interface ProgressStream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** How far an exploration is. */
interface ProgressState {
  readonly done: number
  /** How many runs are to come, as far as can be seen. */
  readonly left: number
  /** How many runs at a time. */
  readonly jobs: number
  /** What is counted; runs by default. */
  readonly unit?: 'run' | 'check'
  /** How long each takes, in milliseconds; by default as long as those before. */
  readonly eachMs?: number
}

/** Goes back to the beginning of the line, and erases it. */
const eraseLine = '\r\u001b[K'

/** Shows how far an exploration, or an exam, is: on a terminal on one line that changes, else with a line for each step. */
export class Progress {
  readonly #stream: ProgressStream
  readonly #command: string
  readonly #startedAt = performance.now()
  #isShown = false

  /** @param command What makes progress. */
  constructor(stream: ProgressStream, command = 'explore') {
    this.#stream = stream
    this.#command = command
  }

  show(state: ProgressState): void {
    const text = progressText(state, performance.now() - this.#startedAt)
    this.#stream.write(
      this.#stream.isTTY ? `${eraseLine}${text}` : `petstore-sandbox: ${this.#command}: ${text}\n`,
    )
    this.#isShown = true
  }

  /** Makes room for other output. */
  clear(): void {
    if (this.#isShown && this.#stream.isTTY) this.#stream.write(eraseLine)
    this.#isShown = false
  }
}

/** @param elapsed How long it has taken so far, in milliseconds. */
export function progressText(state: ProgressState, elapsed: number): string {
  const { done, left, jobs, unit = 'run' } = state
  const runs = `${done} ${unit}${done === 1 ? '' : 's'} done`
  if (left === 0) return `${runs} in ${secondsText(elapsed)}`
  const each = state.eachMs ?? elapsed / Math.max(Math.ceil(done / jobs), 1)
  return `${runs}, about ${left} left, about ${secondsText(each * Math.ceil(left / jobs))}`
}

function secondsText(ms: number): string {
  return formatDuration(Math.max(Math.round(ms / 1_000), 1) * 1_000)
}
