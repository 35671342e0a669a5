/** Users' functions that are told of something; what one throws is reported, and harms neither teller nor others. */
export class Listeners<News> {
  /** Replaced with each change, since a listener may add another, which hears of what comes next; or end one. */
  #all: readonly ((news: News) => void)[] = []

  get size(): number {
    return this.#all.length
  }

  /** Adds a listener; returns a function that ends this. */
  add(listener: (news: News) => void): () => void {
    if (!this.#all.includes(listener)) this.#all = [...this.#all, listener]
    return () => {
      this.#all = this.#all.filter((one) => one !== listener)
    }
  }

  tell(news: News): void {
    const all = this.#all
    for (const listener of all) {
      if (all !== this.#all && !this.#all.includes(listener)) continue
      try {
        listener(news)
      } catch (error) {
        report(error)
      }
    }
  }
}

/** Reports an error as the host reports uncaught ones. */
function report(error: unknown): void {
  if (typeof globalThis.reportError === 'function') globalThis.reportError(error)
  // biome-ignore lint/suspicious/noConsole: hosts without reportError have no other place to say it
  else console.error(error)
}
