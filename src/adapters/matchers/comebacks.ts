import type { JournalEntry, Mark, MarkKind } from '../../state/journal-entry.ts'

/** A request of a client that had been told to wait. */
export interface Comeback {
  readonly refusal: JournalEntry
  readonly again: JournalEntry
  /** By whichever clock it was longest, in milliseconds. */
  readonly waitedMs: number
  readonly toldMs: number
}

/** What moves the clock on is only time; any other mark changes what a refusal was worth. */
const harmless: ReadonlySet<MarkKind> = new Set(['clock-moved', 'clock-mode'])

/** Timers may fire a millisecond early. */
const toleranceMs = 1

/** The exchanges in which a client was told when to come back. */
export function refusalsIn(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.filter(({ decision, order }) => {
    return decision.retryAt !== undefined && order.answer !== undefined
  })
}

/** Finds the first request of the same caller after each refusal, unless the world changed in between. */
export function comebacksIn(
  entries: readonly JournalEntry[],
  marks: readonly Mark[],
): readonly Comeback[] {
  const changes = marks.filter(({ kind }) => !harmless.has(kind)).map(({ order }) => order)
  const byStart = entries.toSorted((left, right) => left.order.start - right.order.start)
  return refusalsIn(entries).flatMap((refusal) => {
    const { answer = 0 } = refusal.order
    const again = byStart.find(
      ({ caller, order }) => caller === refusal.caller && order.start > answer,
    )
    if (again === undefined) return []
    const isOver = changes.some((order) => order > answer && order < again.order.start)
    return isOver ? [] : [comebackOf(refusal, again)]
  })
}

function comebackOf(refusal: JournalEntry, again: JournalEntry): Comeback {
  const endedAt = Date.parse(refusal.at) + refusal.durationMs
  const { answered = 0, decision } = refusal
  return {
    refusal,
    again,
    waitedMs: Math.max(Date.parse(again.at) - endedAt, again.received - answered),
    toldMs: Date.parse(decision.retryAt ?? refusal.at) - endedAt,
  }
}

/** Whether a client came back before the time that it was told. */
export function isEarly({ waitedMs, toldMs }: Comeback): boolean {
  return waitedMs < toldMs - toleranceMs
}
