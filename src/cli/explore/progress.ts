import { performance } from 'node:perf_hooks'
import { formatDuration } from '../../input/duration.ts'

/** Where progress is shown. */
export interface ProgressStream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** How far an exploration is. */
export interface ProgressState {
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
