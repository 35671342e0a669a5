import { type OutcomeText, outcomeText } from '../entry-text.ts'
import { grouped } from '../grouped.ts'
import type { Lane, Moment } from './lanes.ts'
import type { TimeScale } from './time-scale.ts'

export type Tone = OutcomeText['tone']

/** How requests ended, in words. */
export const toneTexts: Readonly<Record<Tone, string>> = {
  good: 'served',
  refused: 'refused',
  limited: 'beyond a limit',
  broken: 'broken',
}

/** Requests that ended alike and stand so close that they are drawn as one. */
export interface Tick {
  readonly x: number
  readonly tone: Tone
  readonly count: number
  /** The first of them. */
  readonly id: number
  /** Whether a fault struck one of them. */
  readonly isFaulty: boolean
}

/** How close ticks may stand, in pixels: as close as there is room for all. */
const distances = [4, 8, 16, 32, 64]

/** Puts requests together that can't be told apart on an axis, or that are too many; of each lane. */
export function ticksOfAll(
  lanes: readonly Lane[],
  scale: TimeScale,
  most: number,
): readonly (readonly Tick[])[] {
  for (const pixels of distances) {
    const ticks = lanes.map(({ moments }) => ticksOf(moments, scale, pixels))
    if (ticks.flat().length <= most || pixels === distances.at(-1)) return ticks
  }
  return []
}

function ticksOf(moments: readonly Moment[], scale: TimeScale, pixels: number): readonly Tick[] {
  const shown = moments.filter(({ at }) => at >= scale.from && at <= scale.to)
  const groups = grouped(shown, ({ at, entry }) => {
    return `${Math.floor(scale.xOf(at) / pixels)} ${outcomeText(entry).tone}`
  })
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    return {
      x: scale.xOf(first.at),
      tone: outcomeText(first.entry).tone,
      count: group.length,
      id: first.entry.id,
      isFaulty: group.some(({ entry }) => entry.faults.length > 0),
    }
  })
}
