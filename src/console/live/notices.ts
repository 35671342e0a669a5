import { type ReadonlySignal, signal } from '@preact/signals'

/** Something to tell the person at the console. */
export interface Notice {
  readonly id: number
  /** `error` stays until it is dismissed. */
  readonly kind: 'done' | 'error'
  readonly text: string
  /** Takes back what was done; then it stays until something else is said. */
  readonly undo: (() => void) | undefined
}

const shownMs = 6_000

const mostNotices = 4

/** What became of the controls that were used, for as long as it is shown. */
export class Notices {
  readonly #list = signal<readonly Notice[]>([])
  #lastId = 0

  get list(): ReadonlySignal<readonly Notice[]> {
    return this.#list
  }

  add(kind: Notice['kind'], text: string, undo?: () => void): void {
    this.#lastId++
    const id = this.#lastId
    this.#list.value = [...this.#list.peek(), { id, kind, text, undo }].slice(-mostNotices)
    if (kind === 'done' && undo === undefined) setTimeout(() => this.dismiss(id), shownMs)
  }

  dismiss(id: number): void {
    this.#list.value = this.#list.peek().filter((one) => one.id !== id)
  }
}
