import { namesOf } from '../../../input/record.ts'
import type { Mark } from '../../../state/journal-entry.ts'
import { countText } from '../count-text.ts'
import { outcomeText } from '../entry-text.ts'
import { grouped } from '../grouped.ts'
import type { Lane, Moment, Span, Wait } from './lanes.ts'
import { markText } from './marks.ts'
import { type Tone, toneTexts } from './ticks.ts'

/** What a key was used for in a stretch of time, or what changed in the sandbox. */
export interface TimelineRow extends Span {
  readonly id: string
  /** `undefined` for what concerns no key. */
  readonly key: string | undefined
  /** How many requests ended in which way; those that there are. */
  readonly counts: readonly { readonly tone: Tone; readonly text: string; readonly count: number }[]
  readonly notes: readonly string[]
}

const minuteMs = 60_000
const dayMs = 86_400_000
const stretches = [minuteMs, 10 * minuteMs, 60 * minuteMs, dayMs, 30 * dayMs, 365 * dayMs]

/** How many rows there may be before stretches become longer. */
const mostRows = 150

/** How many notes of a kind a row has. */
const mostNotes = 3

/** The timeline as rows, by time: a row for each key in each minute, or in longer stretches where those were too many. */
export function timelineRows(
  lanes: readonly Lane[],
  marks: readonly Mark[],
): readonly TimelineRow[] {
  for (const stretch of stretches) {
    const rows = [...markRows(marks, stretch), ...lanes.flatMap((lane) => laneRows(lane, stretch))]
    if (rows.length <= mostRows || stretch === stretches.at(-1)) {
      return rows.sort((one, other) => one.from - other.from).slice(-mostRows)
    }
  }
  return []
}

function laneRows(lane: Lane, stretch: number): readonly TimelineRow[] {
  const groups = grouped(lane.moments, ({ at }) => Math.floor(at / stretch))
  return [...groups].map(([place, moments]) => {
    const span = { from: place * stretch, to: (place + 1) * stretch - 1 }
    const begins = ({ from }: Span): boolean => from >= span.from && from <= span.to
    const count = (tone: Tone): number =>
      moments.filter(({ entry }) => outcomeText(entry).tone === tone).length
    return {
      ...span,
      id: `${lane.caller} ${lane.key} ${place}`,
      key: lane.key,
      counts: namesOf(toneTexts)
        .map((tone) => ({ tone, text: toneTexts[tone], count: count(tone) }))
        .filter(({ count: some }) => some > 0),
      notes: [
        ...lane.bans.filter(begins).map(({ to }) => `banned until ${timeText(to)}`),
        ...few(lane.waits.filter(begins).map(waitText)),
        ...faultNotes(moments),
      ],
    }
  })
}

/** Says whether a client came back when it was told to. */
export function waitText({ to, cameAt }: Wait): string {
  const told = `told to wait until ${timeText(to)}`
  if (cameAt === undefined) return `${told}; not back yet`
  return `${told}; came back at ${timeText(cameAt)}${cameAt < to ? ', too early' : ''}`
}

function faultNotes(moments: readonly Moment[]): readonly string[] {
  const count = moments.filter(({ entry }) => entry.faults.length > 0).length
  return count === 0 ? [] : [`${countText(count, 'request')} struck by a fault`]
}

function markRows(marks: readonly Mark[], stretch: number): readonly TimelineRow[] {
  const groups = grouped(marks, ({ at }) => Math.floor(Date.parse(at) / stretch))
  return [...groups].map(([place, own]) => ({
    id: `marks ${place}`,
    from: place * stretch,
    to: (place + 1) * stretch - 1,
    key: undefined,
    counts: [],
    notes: markNotes(own),
  }))
}

/** Says which marks there are: those of a kind together, and each test by its name. */
export function markNotes(marks: readonly Mark[]): readonly string[] {
  return [...grouped(marks, ({ kind }) => kind)].flatMap(([kind, own]) => {
    const text = markText(kind)
    const names = own.flatMap(({ name }) => name ?? [])
    if (names.length > 0) return few(names.map((name) => `${text}: ${name}`))
    return own.length === 1 ? text : `${text} ${own.length} times`
  })
}

function few(notes: readonly string[]): readonly string[] {
  if (notes.length <= mostNotes) return notes
  return [...notes.slice(0, mostNotes), `${notes.length - mostNotes} more like it`]
}

/** The time of day of an instant, to the second. */
function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}
