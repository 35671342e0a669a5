/** The host's own monotonic clock, taken before a test runner replaces it with a fake one. */
const host = performance
const { now } = host

/** When the process or page began, in Unix milliseconds. */
const { timeOrigin } = host

const { now: systemNow } = Date

/**
 * What the host's own clock shows, which tests may fake, in Unix milliseconds.
 *
 * @param real What {@link realNow} shows: where nobody fakes the clock, it need not be read again.
 */
export function hostNow(real: number): number {
  return Date.now === systemNow ? timeOrigin + real : Date.now()
}

/** Real milliseconds since the process or page began; whatever is done to clocks and timers, it never goes back. */
export function realNow(): number {
  return now.call(host)
}

/** Starts a task of its own, be timers faked or not; where a host has no `setImmediate`, a timer does. */
const startTask: (task: () => void) => void = globalThis.setImmediate ?? globalThis.setTimeout

/** How many turns of the event loop are counted after somebody has looked. */
const countedTurns = 3

/** Counts the turns of the event loop, as far as somebody looks: code that waits for none runs within one. */
export class Turns {
  #count = 0
  #left = 0

  /** Which turn it is. */
  get now(): number {
    const isCounting = this.#left > 0
    this.#left = countedTurns
    if (!isCounting) startTask(this.#next)
    return this.#count
  }

  readonly #next = (): void => {
    this.#count++
    this.#left--
    if (this.#left > 0) startTask(this.#next)
  }
}

/** How long others wait at most for their turn, in milliseconds. */
const mostMs = 8

/** Lets others have their turn when it is due; resolves at once when it isn't. */
type Pace = () => Promise<void> | undefined

/**
 * Does something long in parts: after each, the pace says whether others are to have their turn.
 *
 * @param nextTurn Lets others have their turn.
 * @param now A monotonic clock, in milliseconds.
 */
export function paceOf(nextTurn: () => Promise<void>, now: () => number = realNow): Pace {
  let begunAt = now()
  const rest = async (): Promise<void> => {
    await nextTurn()
    begunAt = now()
  }
  return () => (now() - begunAt < mostMs ? undefined : rest())
}

/** How many items are done before it is looked whether others are due. */
const itemsAtOnce = 50

/** Does something with each item, others being served in between. */
export async function eachInTurns<Item>(
  items: Iterable<Item>,
  pace: Pace,
  act: (item: Item) => void,
): Promise<void> {
  let count = 0
  for (const item of items) {
    act(item)
    count++
    if (count % itemsAtOnce === 0) await pace()
  }
}
