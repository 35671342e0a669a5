import type { Finding } from '../../audit/finding.ts'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import type { Mark, MarkKind } from '../../state/journal-entry.ts'
import type { ConsoleEvent } from './console-client.ts'

/** Whether the page shows what is so. */
export type Link = 'connecting' | 'live' | 'waiting' | 'refused'

/** What several events come to. */
interface News {
  readonly entries: readonly JournalEntry[]
  readonly marks: readonly Mark[]
  readonly findings: readonly Finding[]
  /** Whether what was there before is gone. */
  readonly isNewJournal: boolean
  /** `undefined` if it is as it was. */
  readonly link: Link | undefined
  /** Why it can't be followed. */
  readonly refusal: unknown
}

/** The marks after which the journal itself is another one. */
const newJournals: readonly MarkKind[] = ['reset', 'restored']

/** Sorts what has happened, so that it can be shown at once. */
export function sortEvents(events: readonly ConsoleEvent[]): News {
  const begunAt = events.findLastIndex(beginsJournal)
  const latest = events.slice(begunAt + 1)
  const links = events.filter(isAboutLink)
  const last = links.at(-1)
  return {
    entries: latest.flatMap((event) => (event.kind === 'request' ? [event.entry] : [])),
    marks: events.flatMap((event) => (event.kind === 'mark' ? [event.mark] : [])),
    findings: latest.flatMap((event) => (event.kind === 'finding' ? [event.finding] : [])),
    isNewJournal: begunAt >= 0,
    link: last?.kind,
    refusal: last?.kind === 'refused' ? last.error : undefined,
  }
}

function beginsJournal(event: ConsoleEvent): boolean {
  if (event.kind === 'mark') return newJournals.includes(event.mark.kind)
  return event.kind === 'lost'
}

function isAboutLink(
  event: ConsoleEvent,
): event is Extract<ConsoleEvent, { kind: 'live' | 'waiting' | 'refused' }> {
  return event.kind === 'live' || event.kind === 'waiting' || event.kind === 'refused'
}
