import { finding } from '../audit/finding.ts'
import { MissingError, show } from '../input/input-error.ts'
import { list, object } from '../input/object.ts'
import { readInput } from '../input/schema.ts'
import type { JournalPosition, JournalStep } from '../log/request-log.ts'
import {
  type JournalEntry,
  type JournalQuery,
  journalEntry,
  journalFilter,
  type Mark,
  mark,
  type NewMark,
  newMark,
} from '../log/request-view.ts'
import type { Access } from './access.ts'
import type { AuditControls } from './audit.ts'
import { type HarDocument, harDocument, servedAt, toHar } from './har.ts'
import { EventStreams, streamNotice } from './http/events.ts'
import { eventStream, idInPath, nothing, routesOn } from './http/route.ts'

/** The latest exchanges. */
export interface JournalControls {
  /** Where the journal ends; unlike the ids of entries, a position is never used again after a reset. */
  readonly position: JournalPosition
  /** Returns the first entry after a position, and says whether nothing before it is missing. */
  next(after: JournalPosition): JournalStep
  /** The entries that match, oldest first. */
  entries(query?: JournalQuery): JournalEntry[]
  /** The latest entry that matches, if any. */
  last(query?: JournalQuery): JournalEntry | undefined
  /**
   * Gets an exchange by its id.
   *
   * @throws {@link MissingError} when the journal has no such exchange.
   */
  get(id: number): JournalEntry
  /** Forgets all exchanges. */
  clear(): void
  /** The latest changes of the world between exchanges, oldest first. */
  marks(): Mark[]
  /** Marks that a test begins or ends, so that nothing is concluded across it. */
  mark(mark: NewMark): void
  /**
   * The entries that match, as HAR 1.2: for a browser's developer tools, or to be replayed by Playwright.
   *
   * @param origin What the addresses begin with; by default what clients sent as `Host`, or `http://localhost`.
   */
  har(query?: JournalQuery, origin?: string): Promise<HarDocument>
  /**
   * Calls a listener with each new entry, across resets; returns a function that ends this. What a listener throws is
   * reported, and harms neither the exchange nor other listeners.
   */
  subscribe(listener: (entry: JournalEntry) => void): () => void
  /** Calls a listener with each new mark, across resets; returns a function that ends this. */
  subscribeMarks(listener: (mark: Mark) => void): () => void
}

/** Makes the controls of a sandbox's journal. */
export function journalControls({ state }: Access): JournalControls {
  const entries = (query: JournalQuery = {}) =>
    state().journal.entries(readInput(journalFilter, query))
  return {
    get position() {
      return state().journal.position
    },
    next: (after) => state().journal.next(after),
    entries,
    last: (query) => entries(query).at(-1),
    get(id) {
      const entry = state().journal.get(id)
      if (entry !== undefined) return entry
      throw new MissingError(`Cannot find request ${show(id)}: the journal has no such entry`)
    },
    clear: () => state().journal.clear(),
    marks: () => state().journal.marks(),
    mark(value) {
      const { kind, name } = readInput(newMark, value)
      const { journal, clock } = state()
      journal.mark(kind, clock.now(), name)
    },
    async har(query, origin) {
      return toHar(
        entries(query),
        origin === undefined ? servedAt('http://localhost') : () => origin,
        (text) => state().keys.hideIn(text),
      )
    },
    subscribe: (listener) => state().journal.subscribe(listener),
    subscribeMarks: (listener) =>
      state().journal.watch((event) => {
        if ('mark' in event) listener(event.mark)
      }),
  }
}

const route = routesOn<{
  readonly controls: Pick<AuditControls, 'subscribeFindings'> & {
    readonly journal: JournalControls
    hideKeys(text: string): string
  }
}>('requests')

/** The controls of the journal. */
export const requestRoutes = {
  'journal.entries': route('journal.entries', {
    summary: 'List the latest exchanges, and why each was answered the way it was',
    description: 'Returns the matching exchanges, oldest first, with keys cut short.',
    query: journalFilter,
    reply: list(journalEntry),
    run: ({ controls, query }) => controls.journal.entries(query),
  }),
  'journal.clear': route('journal.clear', {
    summary: 'Clear the journal',
    description: 'Empties the journal; ids count on.',
    reply: nothing,
    run: ({ controls }) => controls.journal.clear(),
  }),
  'journal.marks': route('journal.marks', {
    summary: 'List the latest changes between exchanges',
    description:
      'Returns what the clock, controls, resets and tests changed, oldest first, each with its place among the exchanges.',
    reply: list(mark),
    run: ({ controls }) => controls.journal.marks(),
  }),
  'journal.mark': route('journal.mark', {
    summary: 'Mark the beginning or the end of a test',
    description: 'Adds a mark to the journal; the audit concludes nothing across it.',
    body: newMark,
    reply: nothing,
    run: ({ controls, body }) => controls.journal.mark(body),
  }),
  'journal.har': route('journal.har', {
    summary: "Export the exchanges as HAR 1.2, for a browser's developer tools",
    description: 'Returns the matching exchanges as an HTTP archive.',
    query: journalFilter,
    reply: harDocument,
    run: ({ controls, query, origin }) =>
      toHar(controls.journal.entries(query), servedAt(origin), (text) => controls.hideKeys(text)),
  }),
  'journal.get': route('journal.get', {
    summary: 'Get an exchange',
    description: 'Returns the exchange with this id, as long as the journal keeps it.',
    params: object({ id: idInPath("The exchange's id.") }, { title: 'request' }),
    reply: journalEntry,
    run: ({ controls, params }) => controls.journal.get(params.id),
  }),
  events: route('events', {
    summary: 'Stream new exchanges, as server-sent events',
    description: [
      'Sends an event `request` for each exchange, with the journal entry as its data,',
      'an event `mark` for each change between them,',
      'and an event `finding` for each new finding on a client.',
      'With `Last-Event-ID` the stream goes on after that event, with what the journal still has;',
      'an event `lost` says that this is not all.',
      'An event `end` says why the stream ends: at most 1 MiB waits for a reader.',
      'A comment every 15 seconds says that the stream is alive.',
    ].join(' '),
    reply: eventStream({
      request: journalEntry,
      mark,
      finding,
      lost: streamNotice,
      end: streamNotice,
    }),
    run: ({ controls, request, owner, events = new EventStreams() }) =>
      events.open(
        controls.journal,
        request.headers['last-event-id'],
        owner,
        controls.subscribeFindings,
      ),
  }),
} as const
