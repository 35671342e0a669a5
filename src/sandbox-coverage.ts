import type { Coverage } from './coverage/coverage.ts'
import { coverageFolder } from './coverage/coverage-folder.ts'
import type { CoverageReport } from './coverage/coverage-report.ts'
import { InputError } from './input/input-error.ts'
import type { Happening } from './state/journal.ts'
import { Listeners } from './state/listeners.ts'
import type { State } from './state/state.ts'

/** Answers a request from a state. */
type Answer<Result> = (state: State) => Promise<Result>

/** The coverage of one sandbox, loaded by its first request: pages seldom need it. */
export class SandboxCoverage {
  readonly #folder = coverageFolder()
  readonly #isOn: boolean
  readonly #state: () => State
  #made: Coverage | undefined
  /** The name of the test that runs. */
  #test: string | undefined

  /** @param isOn By default where a folder collects it. */
  constructor(state: () => State, isOn: boolean | undefined) {
    this.#state = state
    this.#isOn = isOn ?? this.#folder !== undefined
    if (this.#isOn) state().journal.watch((happening) => this.#hear(happening))
  }

  /** Has a request answered, and counts what it meets if coverage is on. */
  watch<Result>(answer: Answer<Result>): Promise<Result> {
    if (!this.#isOn) return answer(this.#state())
    const watched = (made: Coverage) => made.watch(this.#state(), answer)
    return this.#made === undefined ? this.#make().then(watched) : watched(this.#made)
  }

  /** @throws {@link InputError} when coverage is off. */
  async report(): Promise<CoverageReport> {
    if (this.#isOn) return (await this.#make()).report()
    throw new InputError(
      'Cannot report coverage: it is off; use createSandbox({ coverage: true }), start with --coverage, or set PETSTORE_COVERAGE_DIR',
    )
  }

  #hear(happening: Happening): void {
    if ('exchange' in happening) {
      this.#made?.add(happening.exchange, this.#state())
    } else if (happening.mark.kind === 'test-began') {
      this.#test = happening.mark.name
    } else if (happening.mark.kind === 'test-ended') {
      this.#test = undefined
    }
  }

  async #make(): Promise<Coverage> {
    const { Coverage } = await import('./coverage/coverage.ts')
    this.#made ??= new Coverage(new Listeners(), () => this.#test, this.#folder)
    return this.#made
  }
}
