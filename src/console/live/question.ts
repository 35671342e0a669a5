import { InputError } from '../../input/input-error.ts'

/** What the sandbox answered last, or why it could not. */
export interface Asked<Answer> {
  readonly answer?: Answer
  readonly problem?: string
  /** Whether it stays so, such as coverage that is off. */
  readonly isRefused?: boolean
}

/** Something to ask the sandbox that no signal has. */
export class Question<Answer> {
  readonly #ask: () => Promise<Answer>
  #ahead: Asked<Answer> | undefined

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask
  }

  /** Asks; never rejects. */
  async ask(): Promise<Asked<Answer>> {
    try {
      return { answer: await this.#ask() }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      return { problem, isRefused: error instanceof InputError }
    }
  }

  /** Asks before there is anything to show the answer. */
  async askAhead(): Promise<void> {
    this.#ahead = await this.ask()
  }

  /** Gives what was asked ahead, once: then it is too old. */
  takeAhead(): Asked<Answer> | undefined {
    const ahead = this.#ahead
    this.#ahead = undefined
    return ahead
  }
}
