import type { Exchange } from '../state/exchange.ts'
import type { Listeners } from '../state/listeners.ts'
import type { State } from '../state/state.ts'
import type { TierName } from './cells/cell.ts'
import { Counter } from './counter.ts'
import type { CoverageReport } from './coverage-report.ts'
import { fragments, type News } from './fragments.ts'
import { readerOf } from './gap-reader.ts'
import { Met } from './met.ts'
import { reportOf } from './report-of.ts'

type GapReader = ReturnType<typeof readerOf>

/** A state, and the same with gaps that tell what is read of them. */
interface Covered {
  readonly of: State
  readonly state: State
  readonly gaps: GapReader
}

/** Counts what the requests to a sandbox meet, across resets and whatever the journal forgets. */
export class Coverage {
  readonly #met = new Met()
  readonly #listeners: Listeners<readonly News[]>
  readonly #counter = new Counter(
    (tier, cell) => this.#meet(tier, cell),
    (tier, cell) => this.#met.has(tier, cell),
  )
  #covered: Covered | undefined
  #news: News[] = []
  #latestTest: string | undefined
  readonly #test: () => string | undefined

  /**
   * @param listeners Hear of cells that are met for the first time; none of them harms a request.
   * @param test Gives the name of the test that runs, if one was announced.
   * @param folder Where the fragment of the process goes, if anywhere.
   * @throws Error when it can't be written there.
   */
  constructor(
    listeners: Listeners<readonly News[]>,
    test: () => string | undefined,
    folder: string | undefined,
  ) {
    this.#listeners = listeners
    this.#test = test
    if (folder === undefined) return
    const fragment = fragments.open(folder)
    listeners.add((news) => fragment.add(news, test()))
  }

  /**
   * Has a request answered, and notes at which gaps that depends on a choice.
   *
   * @param answer Reads the choices before it waits for anything.
   */
  watch<Answer>(state: State, answer: (state: State) => Answer): Answer {
    const { state: covered, gaps } = this.#coveredOf(state)
    gaps.listen()
    try {
      return answer(covered)
    } finally {
      gaps.pause()
    }
  }

  /** Counts an exchange. */
  add(exchange: Exchange, state: State): void {
    const test = this.#test()
    if (test !== this.#latestTest) this.#counter.lookAgain()
    this.#latestTest = test
    this.#counter.add(exchange, state)
    if (this.#news.length === 0) return
    const news = this.#news
    this.#news = []
    this.#listeners.tell(news)
  }

  /** All cells, and which of them were met. */
  report(): CoverageReport {
    return reportOf(this.#met)
  }

  #meet(tier: TierName, cell: string): void {
    if (this.#met.add(tier, cell, this.#test())) this.#news.push([tier, cell])
  }

  #coveredOf(state: State): Covered {
    if (this.#covered?.of === state) return this.#covered
    const gaps = readerOf(state.gaps, (cell) => this.#meet('gaps', cell))
    this.#covered = { of: state, state: { ...state, gaps }, gaps }
    return this.#covered
  }
}
