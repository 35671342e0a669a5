import { Breaks } from '../../mock/api/real-time.ts'
import type { SandboxEvent } from '../../mock/log/request-log.ts'
import type { State } from '../../mock/state/state.ts'

/** Code that is told of each event of a sandbox. */
interface Listener {
  record(event: SandboxEvent): void
}

/** Tells code of the events of a sandbox, across resets; the code is loaded on first use, since pages seldom need it. */
export class LogReader<Code extends Listener> {
  readonly #state: () => State
  readonly #load: () => Promise<Code>
  #code: Code | undefined
  /** Events that the code wasn't told of yet; `undefined` until it listens. */
  #waiting: SandboxEvent[] | undefined
  #ready: Promise<Code> | undefined

  constructor(state: () => State, load: () => Promise<Code>) {
    this.#state = state
    this.#load = load
  }

  /** The code, if it has been loaded. */
  get code(): Code | undefined {
    return this.#code
  }

  /**
   * Listens before the code is loaded, so that it misses no event; afterwards tells it of each event at once.
   *
   * @param past Returns the events before the first call.
   * @returns The code, once it was told of all events so far.
   */
  read(past: () => SandboxEvent[]): Promise<Code> {
    this.#waiting ??= this.#listen(past())
    this.#ready ??= this.#tell(this.#waiting)
    return this.#ready
  }

  #listen(waiting: SandboxEvent[]): SandboxEvent[] {
    this.#state().requests.watch((event) => {
      if (this.#code !== undefined && waiting.length === 0) this.#code.record(event)
      else waiting.push(event)
    })
    return waiting
  }

  /** Yields to the event loop, in which more events may be added. */
  async #tell(waiting: SandboxEvent[]): Promise<Code> {
    const code = await this.#load()
    this.#code = code
    const breaks = new Breaks()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      code.record(next)
      await breaks.take()
    }
    return code
  }
}
