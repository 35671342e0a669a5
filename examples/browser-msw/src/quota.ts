import { find, write } from './elements.ts'
import type { Quota, RateLimitError } from './pet-store.ts'

/** Shows how many requests are left; when there are none, keeps the page from sending any until there are. */
export class QuotaView {
  readonly #meter = find('#quota')
  readonly #note = find('#pause')
  #quota: Quota | undefined
  #pausedUntil = 0
  #waiting: (() => void)[] = []

  constructor() {
    setInterval(() => this.#render(), 250)
  }

  show(quota: Quota): void {
    this.#quota = quota
    this.#render()
  }

  /** Stops the page from sending; `resume` is called when it may send again. */
  pause({ code, retryAt }: RateLimitError, resume?: () => void): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, retryAt)
    if (resume !== undefined) this.#waiting.push(resume)
    const isBanned = code === 'key_banned'
    write('title', isBanned ? 'Banned for a while' : 'Too many requests', this.#note)
    write(
      'reason',
      isBanned
        ? 'The store no longer serves this key, since it went on after it was told to wait.'
        : 'The store asks us to wait. This page goes on by itself when the time is up.',
      this.#note,
    )
    this.#render()
  }

  get isPaused(): boolean {
    return Date.now() < this.#pausedUntil
  }

  #render(): void {
    const { isPaused } = this
    for (const note of document.querySelectorAll<HTMLElement>('[data-paused]')) {
      note.hidden = !isPaused
      write('countdown', countdown(this.#pausedUntil - Date.now()), note)
    }
    for (const controls of document.querySelectorAll<HTMLFieldSetElement>('[data-sends]')) {
      controls.disabled = isPaused
    }
    this.#renderMeter()
    if (isPaused) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  #renderMeter(): void {
    if (this.#quota === undefined) return
    const { limit, remaining, resetAt } = this.#quota
    const isOver = Date.now() >= resetAt
    const left = isOver ? limit : remaining
    this.#meter.hidden = false
    this.#meter.classList.toggle('low', left <= limit / 6)
    write('left', String(left), this.#meter)
    write('limit', String(limit), this.#meter)
    write('reset', isOver ? '0:00' : countdown(resetAt - Date.now()), this.#meter)
    this.#meter.style.setProperty('--part', String(left / limit))
  }
}

/** Writes a duration as a clock counts it down, such as `0:42` or `2:05:00`. */
function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => String(part).padStart(index === 0 ? 1 : 2, '0')).join(':')
}
