import type { RequestView } from '../../client/connect-sandbox.ts'
import { mapTable } from '../../mock/input/record.ts'
import { outcomeText } from '../model/entry-text.ts'

const toneTable = { good: 0, rejected: 0, limited: 0, broken: 0 } as const

type Tone = keyof typeof toneTable

/** Outcomes of requests, from the bottom of a bar to its top. */
export const tones: readonly Tone[] = ['good', 'rejected', 'limited', 'broken']

/** Number of bars of the strip. */
const binCount = 120

/** Positions of requests on the strip, as fractions of its width. */
interface Axis {
  /** `order` if a frozen clock or a clock change would put most requests at one position. */
  readonly by: 'time' | 'order'
  shareOf(entry: RequestView): number
  /** Instant at a position. */
  instantAt(share: number): number
  readonly labels: readonly { readonly share: number; readonly text: string }[]
}

/** Creates the axis for a list of requests, oldest first. */
export function axisOf(entries: readonly RequestView[]): Axis {
  // A newer server may format instants differently.
  const instants = entries.map(({ at }) => Date.parse(at) || 0)
  const first = instants.length === 0 ? 0 : Math.min(...instants)
  const last = Math.max(...instants, first + 1)
  const timeShare = (at: number): number => (at - first) / (last - first)
  const places = new Set(instants.map((at) => Math.floor(timeShare(at) * binCount)))
  if (places.size < Math.min(12, entries.length / 3)) return orderAxis(entries, instants)
  return {
    by: 'time',
    shareOf: ({ at }) => timeShare(Date.parse(at) || 0),
    instantAt: (share) => first + share * (last - first),
    // Requests of one instant have one label.
    labels: (last - first === 1 ? [0] : [0, 0.25, 0.5, 0.75, 1]).map((share) => {
      const text = new Date(first + share * (last - first)).toISOString()
      if (last - first > 86_400_000) return { share, text: text.slice(0, 10) }
      // Within a few seconds, labels without milliseconds would repeat.
      return { share, text: text.slice(11, last - first < 8_000 ? 23 : 19) }
    }),
  }
}

function orderAxis(entries: readonly RequestView[], instants: readonly number[]): Axis {
  const places = new Map(entries.map(({ id }, at) => [id, (at + 0.5) / entries.length]))
  const indexAt = (share: number): number =>
    Math.min(entries.length - 1, Math.max(0, Math.floor(share * entries.length)))
  const labelled = [0, 0.25, 0.5, 0.75, 1].map(indexAt)
  return {
    by: 'order',
    shareOf: ({ id }) => places.get(id) ?? 0,
    instantAt: (share) => instants[indexAt(share)] ?? 0,
    labels: [...new Set(labelled)].map((at) => {
      return { share: (at + 0.5) / entries.length, text: `#${entries[at]?.id}` }
    }),
  }
}

/** A bar of the strip: number of requests by outcome. */
interface Bin {
  readonly counts: { [Name in Tone]: number }
}

/** Counts requests by position and outcome. */
export function binsOf(entries: readonly RequestView[], axis: Axis): readonly Bin[] {
  const count = axis.by === 'order' ? Math.min(binCount, Math.max(entries.length, 1)) : binCount
  const bins: Bin[] = Array.from({ length: count }, () => ({
    counts: mapTable(toneTable, () => 0),
  }))
  for (const entry of entries) {
    const bin = bins[Math.min(count - 1, Math.floor(axis.shareOf(entry) * count))]
    if (bin !== undefined) bin.counts[outcomeText(entry).tone]++
  }
  return bins
}
