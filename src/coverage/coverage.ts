import type { GapChoices, GapName } from '../contract/gaps.ts'
import type { Exchange } from '../state/exchange.ts'
import type { State } from '../state/state.ts'
import { cellsByGap } from './cells.ts'
import { Counter } from './counter.ts'
import type { CoverageReport, TierName } from './coverage-report.ts'
import { type Fragment, fragments, type News } from './fragments.ts'
import { Met } from './met.ts'

/** Counts what the requests to a sandbox meet, across resets and whatever the journal forgets. */
export class Coverage {
  readonly #met = new Met()
  readonly #counter = new Counter((tier, cell) => this.#meet(tier, cell))
  readonly #test: () => string | undefined
  readonly #fragment: Fragment | undefined
  #news: News[] = []
  /** The state in force, and the same with gaps that tell what is read of them. */
  #covered: { readonly of: State; readonly state: State } | undefined
  /** Whether a request is being answered: what controls read doesn't count. */
  #isAnswering = false

  /**
   * @param test Returns the name of the test that runs, if one was announced.
   * @param folder Where the fragment of the process goes, if anywhere.
   * @throws Error when it can't be written there.
   */
  constructor(test: () => string | undefined, folder: string | undefined) {
    this.#test = test
    this.#fragment = folder === undefined ? undefined : fragments.open(folder)
  }

  /**
   * Has a request answered, and notes at which gaps the answer depends on a choice.
   *
   * @param answer Reads the choices before it waits for anything.
   */
  watch<Answer>(state: State, answer: (state: State) => Answer): Answer {
    if (this.#covered?.of !== state) {
      const gaps = observed(state.gaps, (gap, choice) => this.#meetGap(gap, choice))
      this.#covered = { of: state, state: { ...state, gaps } }
    }
    this.#isAnswering = true
    try {
      return answer(this.#covered.state)
    } finally {
      this.#isAnswering = false
    }
  }

  /** Counts an exchange. */
  add(exchange: Exchange, state: State): void {
    this.#counter.add(exchange, state)
    if (this.#news.length === 0) return
    const news = this.#news
    this.#news = []
    this.#fragment?.add(news, this.#test())
  }

  /** All cells, and which of them were met. */
  report(): CoverageReport {
    return this.#met.report()
  }

  #meetGap(gap: GapName, choice: GapChoices[GapName]): void {
    if (!this.#isAnswering) return
    const { listed, other } = cellsByGap[gap]
    const cell = listed[String(choice)] ?? other
    if (cell !== undefined) this.#meet('gaps', cell)
  }

  #meet(tier: TierName, cell: string): void {
    if (this.#met.add(tier, cell, this.#test())) this.#news.push([tier, cell])
  }
}

/** Choices at gaps that tell each time one of them is read. */
function observed(
  gaps: GapChoices,
  onRead: (gap: GapName, choice: GapChoices[GapName]) => void,
): GapChoices {
  return new Proxy(gaps, {
    get(choices, name) {
      if (isGap(name)) onRead(name, choices[name])
      return Reflect.get(choices, name)
    },
  })
}

function isGap(name: string | symbol): name is GapName {
  return Object.hasOwn(cellsByGap, name)
}
