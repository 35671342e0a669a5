/** Saves one after the other: whoever asks while it saves waits for one more, which has all that they know of. */
export class Saver {
  readonly #save: () => Promise<void>
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(save: () => Promise<void>) {
    this.#save = save
  }

  /** @throws What the save throws that it waited for. */
  save(): Promise<void> {
    if (this.#running === undefined) return this.#start()
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    )
    return this.#next
  }

  #start(): Promise<void> {
    this.#next = undefined
    this.#running = this.#save().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }
}
