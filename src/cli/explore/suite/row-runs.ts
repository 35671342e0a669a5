import type { Row } from '../../../explore/suite/row.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { Interrupted } from '../interruption.ts'
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
