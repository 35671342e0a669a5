import { signal } from '@preact/signals'

/** Something to tell the person at the console. */
export interface Notice {
  /** `error` stays until it is dismissed. */
  readonly kind: 'done' | 'error'
  readonly text: string
  /** Takes back what was done; then it stays until something else is said. */
  readonly undo: (() => void) | undefined
}

const shownMs = 6_000

/** What became of the control that was used last, for as long as it is shown. */
export class Notices {
  readonly shown = signal<Notice | undefined>(undefined)

  add(kind: Notice['kind'], text: string, undo?: () => void): void {
    const notice = { kind, text, undo }
    this.shown.value = notice
    if (kind === 'error' || undo !== undefined) return
    setTimeout(() => {
      if (this.shown.peek() === notice) this.dismiss()
    }, shownMs)
  }

  dismiss(): void {
    this.shown.value = undefined
  }
}
