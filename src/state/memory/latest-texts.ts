import type { Counted, Keeper, SharedBytes } from './shared-bytes.ts'

/** A text, and what is kept of it. */
class Kept<Value> implements Counted {
  readonly text: string
  readonly value: Value
  readonly keeper: Keeper
  readonly bytes: number
  older: Counted | undefined = undefined
  newer: Counted | undefined = undefined

  constructor(text: string, value: Value, keeper: Keeper, bytes: number) {
    this.text = text
    this.value = value
    this.keeper = keeper
    this.bytes = bytes
  }
}

/**
 * What is kept of the latest texts that clients send, such as tokens, in bytes that sandboxes share; with more of them than
 * may be, the oldest goes first.
 */
export class LatestTexts<Value> implements Keeper {
  /** The oldest is first. */
  readonly #kept = new Map<string, Kept<Value>>()
  readonly #most: number
  readonly #bytesOfEach: number
  /** `undefined` as long as its sandbox is not in force. */
  #shared: SharedBytes | undefined

  /**
   * @param most How many texts there may be.
   * @param bytesOfEach What one takes in memory beside its characters.
   */
  constructor(most: number, bytesOfEach: number) {
    this.#most = most
    this.#bytesOfEach = bytesOfEach
  }

  /** How many there are. */
  get size(): number {
    return this.#kept.size
  }

  find(text: string): Value | undefined {
    return this.#kept.get(text)?.value
  }

  /** As {@link LatestTexts.find}; the text becomes the latest one. */
  findAgain(text: string): Value | undefined {
    const known = this.#kept.get(text)
    if (known === undefined) return undefined
    this.#forget(known)
    this.#remember(known)
    return known.value
  }

  /** Adds a text that there isn't yet. */
  add(text: string, value: Value): void {
    // Joined anew, since a part of a long header would keep all of it.
    const own = [...text].join('')
    this.#remember(new Kept(own, value, this, this.#bytesOfEach + 2 * own.length))
    if (this.#kept.size > this.#most) this.dropOldest()
  }

  /** All texts and what is kept of them, the oldest first. */
  *entries(): Generator<readonly [string, Value]> {
    for (const { text, value } of this.#kept.values()) yield [text, value]
  }

  dropOldest(): void {
    const [oldest] = this.#kept.values()
    if (oldest !== undefined) this.#forget(oldest)
  }

  /** Keeps all, and those to come, in bytes that it shares with others; in none with `undefined`. */
  join(shared: SharedBytes | undefined): void {
    const before = this.#shared
    if (before === shared) return
    this.#shared = shared
    for (const kept of [...this.#kept.values()]) {
      before?.remove(kept)
      shared?.add(kept)
    }
  }

  #remember(kept: Kept<Value>): void {
    this.#kept.set(kept.text, kept)
    this.#shared?.add(kept)
  }

  #forget(kept: Kept<Value>): void {
    this.#kept.delete(kept.text)
    this.#shared?.remove(kept)
  }
}
