import { realNow } from './real-time.ts'

/** How long others wait at most for their turn, in milliseconds. */
const mostMs = 8

/** Lets others have their turn when it is due; resolves at once when it isn't. */
export type Pace = () => Promise<void> | undefined

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
