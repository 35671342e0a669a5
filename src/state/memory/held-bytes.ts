import { FullError } from '../../input/input-error.ts'

/** The bytes for what sandboxes hold until it is deleted: pets, keys and faults. */
export class HeldBytes {
  readonly #most: number
  /** How many are in use. */
  used = 0

  /** @param most How many there are. */
  constructor(most: number) {
    this.#most = most
  }

  /**
   * Checks that there is room for some more.
   *
   * @param used How many are in use before.
   * @throws {@link FullError}
   */
  expectRoom(bytes: number, used = this.used): void {
    if (used + bytes <= this.#most) return
    throw new FullError(
      `Cannot hold more: the pets, keys and faults of all sandboxes would take ${used + bytes} bytes in memory, and ${this.#most} are allowed; delete some, or raise limits.stateBytes (--limit stateBytes=N)`,
    )
  }
}

/** What a part of a sandbox holds; other sandboxes have less room once the part is in force. */
export class Holding {
  #source: HeldBytes
  #isInForce = false
  bytes = 0

  constructor(source: HeldBytes) {
    this.#source = source
  }

  /** @throws {@link FullError} when there are not as many left. */
  expectRoom(bytes: number): void {
    this.#source.expectRoom(bytes, this.#isInForce ? this.#source.used : this.bytes)
  }

  /** @throws {@link FullError} when there are not as many left. */
  take(bytes: number): void {
    this.expectRoom(bytes)
    this.#add(bytes)
  }

  /** Gives bytes back. */
  give(bytes: number): void {
    this.#add(-bytes)
  }

  /** Begins to leave others less room. */
  begin(source: HeldBytes): void {
    this.end()
    this.#source = source
    this.#isInForce = true
    source.used += this.bytes
  }

  /** Leaves all room to others. */
  end(): void {
    if (this.#isInForce) this.#source.used -= this.bytes
    this.#isInForce = false
  }

  #add(bytes: number): void {
    this.bytes += bytes
    if (this.#isInForce) this.#source.used += bytes
  }
}
