import type { GapChoices } from '../../contract/gaps.ts'
import type { CapturedOutcome, ReadCapture } from '../../control/reports.ts'
import {
  changesFrom,
  type HowToReplay,
  isLast,
  outcomesOf,
  type ReplayDifference,
  type ReplyChange,
  replayCapture,
  withExpected,
} from './replay-capture.ts'

type Step = ReadCapture['steps'][number]

/** A capture without what its first difference doesn't need. */
export interface MinimizedCapture {
  readonly capture: ReadCapture
  /** Its difference. */
  readonly difference: ReplayDifference
  /** Whether no step can be left out; `false` where the search was cut off. */
  readonly isSmallest: boolean
}

/** How many steps a search takes at most: seconds. */
export const mostSearchedSteps = 300_000

/**
 * Finds the fewest steps of a capture that still show the first difference of its replay.
 *
 * @param how As the replay that has shown it.
 * @param mostSteps How many steps the search may take, replays of the same step counted each time.
 * @throws {@link InputError} as the replay does.
 */
export async function minimizeCapture(
  capture: ReadCapture,
  difference: ReplayDifference,
  { other }: HowToReplay,
  mostSteps: number = mostSearchedSteps,
): Promise<MinimizedCapture> {
  const before = stepsUntil(capture.steps, difference.number)
  const last = before.pop()
  if (last === undefined || last.do !== 'request') throw new RangeError('Cannot find the request')
  const shows =
    other === undefined
      ? (steps: readonly Step[]) => showsChanges(capture, steps, difference.changes)
      : (steps: readonly Step[]) => showsChoice(capture, steps, difference.changes, other)
  let taken = 0
  const found = await smallestList(
    before,
    async (steps) => {
      taken += steps.length + 1
      return await shows([...steps, last])
    },
    () => taken < mostSteps,
  )
  const kept = { ...capture, steps: [...found.items, last] }
  const minimized = withOutcomes(
    kept,
    await outcomesOf(kept),
    other === undefined ? difference.changes : [],
  )
  const { difference: shown = difference } = await replayCapture(minimized, { other })
  return { capture: minimized, difference: shown, isSmallest: found.isSmallest }
}

/** The steps up to a request, by its number. */
export function stepsUntil(steps: readonly Step[], number: number): Step[] {
  return steps.slice(0, 1 + steps.findIndex((step) => isLast(step, number)))
}

/** Whether the last request differs under other choices in the same fields, and none before does. */
async function showsChoice(
  capture: ReadCapture,
  steps: readonly Step[],
  changes: readonly ReplyChange[],
  other: Partial<GapChoices>,
): Promise<boolean> {
  const { difference } = await replayCapture({ ...capture, steps: [...steps] }, { other })
  const last = steps.at(-1)
  const isLastOne =
    last !== undefined && difference !== undefined && isLast(last, difference.number)
  return isLastOne && namesOf(difference.changes) === namesOf(changes)
}

function namesOf(changes: readonly ReplyChange[]): string {
  return changes.map(({ field }) => field).join('\n')
}

/** Whether the last request still gets what it should not; other fields may differ for want of what was left out. */
async function showsChanges(
  capture: ReadCapture,
  steps: readonly Step[],
  changes: readonly ReplyChange[],
): Promise<boolean> {
  const [last, found] = [steps.at(-1), (await outcomesOf({ ...capture, steps: [...steps] })).at(-1)]
  if (last?.do !== 'request' || found === undefined) return false
  const now = changesFrom(last.outcome, found)
  return changes.every(({ field, found: wrong }) =>
    now.some((one) => one.field === field && one.found === wrong),
  )
}

/** @param changes What the last outcome keeps of what was expected. */
function withOutcomes(
  capture: ReadCapture,
  outcomes: readonly CapturedOutcome[],
  changes: readonly ReplyChange[],
): ReadCapture {
  let index = 0
  const steps = capture.steps.map((step, at): Step => {
    const found = step.do === 'request' ? outcomes[index++] : undefined
    if (step.do === 'control' || found === undefined) return step
    const isLast = at === capture.steps.length - 1
    return { ...step, outcome: isLast ? withExpected(found, step.outcome, changes) : found }
  })
  return { ...capture, steps }
}

/** What is left of a list. */
export interface SmallestList<Item> {
  readonly items: readonly Item[]
  /** Whether none of them can be left out; `false` where the search was cut off. */
  readonly isSmallest: boolean
}

/**
 * Leaves out of a list what it takes not to show something: first halves, then ever smaller pieces, at last single items
 * (delta debugging).
 *
 * @param shows Whether a list, in the same order, still shows it; the whole list does.
 * @param mayGoOn Whether there is time for another try.
 */
export async function smallestList<Item>(
  all: readonly Item[],
  shows: (items: readonly Item[]) => Promise<boolean>,
  mayGoOn: () => boolean,
): Promise<SmallestList<Item>> {
  let items = all
  let size = items.length
  while (items.length > 0) {
    const before = items.length
    for (let end = items.length; end > 0; end -= size) {
      if (!mayGoOn()) return { items, isSmallest: false }
      const rest = [...items.slice(0, Math.max(0, end - size)), ...items.slice(end)]
      if (await shows(rest)) items = rest
    }
    // Without one item, another may have become superfluous.
    if (size === 1 && items.length === before) break
    size = Math.max(1, Math.min(Math.floor(size / 2), items.length))
  }
  return { items, isSmallest: true }
}
