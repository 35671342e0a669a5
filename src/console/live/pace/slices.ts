/** How long something keeps the page at most before others get a turn. */
const sliceMs = 8

/** Lets the page have a turn now and then, while something takes long. */
export class Slices {
  #endsAt = performance.now() + sliceMs

  /** Lets the page have its turn, if that is due. */
  async turn(): Promise<void> {
    if (performance.now() < this.#endsAt) return
    await new Promise((resolve) => setTimeout(resolve))
    this.#endsAt = performance.now() + sliceMs
  }
}
