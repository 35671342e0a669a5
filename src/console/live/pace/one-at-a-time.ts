/** Does what takes time never twice at once: however often it is asked for meanwhile, it is done once more. */
export class OneAtATime {
  readonly #act: () => Promise<void>
  #running: Promise<void> | undefined
  #isWanted = false

  constructor(act: () => Promise<void>) {
    this.#act = act
  }

  /** Resolves when it has been done, begun not before it was asked for. */
  ask(): Promise<void> {
    this.#isWanted = true
    this.#running ??= this.#run()
    return this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false
        await this.#act()
      }
    } finally {
      this.#running = undefined
    }
  }
}
