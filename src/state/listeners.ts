/** Users' functions that are told of something; what one throws is reported, and harms neither teller nor others. */
export class Listeners<News> {
  readonly #all = new Set<(news: News) => void>()

  get size(): number {
    return this.#all.size
  }

  /** Adds a listener; returns a function that ends this. */
  add(listener: (news: News) => void): () => void {
    this.#all.add(listener)
    return () => {
      this.#all.delete(listener)
    }
  }

  tell(news: News): void {
    // A copy, since a listener may add another, which hears of what comes next; or end one.
    for (const listener of [...this.#all]) {
      if (!this.#all.has(listener)) continue
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
