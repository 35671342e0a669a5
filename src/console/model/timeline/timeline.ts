import type { JournalEntry } from '../../../client/connect-sandbox.ts'
import type { Mark } from '../../../state/journal-entry.ts'
import { type Lane, lanesOf, type Span } from './lanes.ts'
import { marksOfJournal, type TestSpan, testsIn } from './marks.ts'

/** What happened in a sandbox, by its clock. */
export interface Timeline {
  readonly lanes: readonly Lane[]
  readonly marks: readonly Mark[]
  readonly tests: readonly TestSpan[]
  /** All instants at which something happened, or should. */
  readonly instants: readonly number[]
}

/** Puts exchanges and marks on a timeline. */
export function timelineOf(entries: readonly JournalEntry[], allMarks: readonly Mark[]): Timeline {
  const lanes = lanesOf(entries)
  const marks = marksOfJournal(allMarks)
  const instants = [
    ...marks.map(({ at }) => Date.parse(at)),
    ...lanes.flatMap(({ moments, bans, waits }) => [
      ...moments.map(({ at }) => at),
      ...[...bans, ...waits].map(({ to }) => to),
    ]),
  ]
  const end = instants.reduce((latest, at) => Math.max(latest, at), 0)
  return { lanes, marks, tests: testsIn(marks, end), instants }
}

/** The instants within a span, and its ends; all of them for none. */
export function instantsIn({ instants }: Timeline, span: Span | undefined): readonly number[] {
  if (span === undefined) return instants
  return [span.from, ...instants.filter((at) => at > span.from && at < span.to), span.to]
}

/** The lanes that are used most, in their order. */
export function busiest(lanes: readonly Lane[], most: number): readonly Lane[] {
  if (lanes.length <= most) return lanes
  const kept = new Set(
    lanes.toSorted((one, other) => other.moments.length - one.moments.length).slice(0, most),
  )
  return lanes.filter((lane) => kept.has(lane))
}
