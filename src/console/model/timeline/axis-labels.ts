import type { TimeScale } from './time-scale.ts'

/** A line of the axis, and what stands at it. */
export interface AxisLabel {
  readonly x: number
  readonly at: number
  /** `''` where there is no room for it. */
  readonly time: string
  /** `''` while it is the same day. */
  readonly date: string
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const yearMs = 365 * 24 * hourMs

const steps = [
  ...[1, 5, 15, 30].map((count) => count * secondMs),
  ...[1, 2, 5, 15, 30].map((count) => count * minuteMs),
  ...[1, 6, 24, 24 * 7, 24 * 30].map((count) => count * hourMs),
]

/** The room that a date takes, and a time. */
const labelPixels = 68
const timePixels = 44

const linePixels = 24

/** Finds round instants for an axis, so close that there is still room for them. */
export function axisLabels({ pieces }: TimeScale): readonly AxisLabel[] {
  const labels: AxisLabel[] = []
  const end = pieces.at(-1)?.right
  let free = 0
  let day = ''
  for (const { from, to, left, right, isFolded } of pieces) {
    if (isFolded) continue
    const pixelsPerMs = (right - left) / (to - from)
    const labelled = stepFor(labelPixels / pixelsPerMs)
    const isLine = (one: number): boolean => {
      return labelled % one === 0 && one * pixelsPerMs >= linePixels
    }
    const step = steps.find(isLine) ?? labelled
    // What is folded says how long that is, but not when.
    const needed = right === end ? labelPixels : timePixels
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      const x = left + (at - from) * pixelsPerMs
      const text = new Date(at).toISOString()
      const hasRoom = at % labelled === 0 && x >= free && x + needed <= right
      if (hasRoom) free = x + labelPixels
      const date = hasRoom && text.slice(0, 10) !== day ? text.slice(0, 10) : ''
      if (date !== '') day = date
      labels.push({ x, at, time: hasRoom ? timeText(text) : '', date })
    }
  }
  return labels
}

/** The shortest round time that is long enough. */
function stepFor(ms: number): number {
  return steps.find((one) => one >= ms) ?? yearMs * Math.ceil(ms / yearMs)
}

/** The time of day, with seconds only where there are any. */
function timeText(text: string): string {
  return text.slice(17, 19) === '00' ? text.slice(11, 16) : text.slice(11, 19)
}
