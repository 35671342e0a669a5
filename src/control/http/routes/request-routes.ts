import { finding } from '../../../audit/finding.ts'
import { list } from '../../../input/collections.ts'
import { object } from '../../../input/object.ts'
import { journalEntry, journalFilter, mark, newMark } from '../../../state/journal-entry.ts'
import { servedAt, toHar } from '../../har/har.ts'
import { harDocument } from '../../har/har-document.ts'
import { route } from '../control-route.ts'
import { journalEvents, streamNotice } from '../journal-events.ts'
import { eventStream, idInPath, none, nothing } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

/** The controls of the journal. */
export const requestRoutes = {
  'journal.entries': route({
    ...routePlaces['journal.entries'],
    tag: 'requests',
    summary: 'List the latest exchanges, and why each was answered the way it was',
    description: 'Gives the exchanges that fit, oldest first; keys only by their beginning.',
    params: none,
    query: journalFilter,
    body: nothing,
    reply: list(journalEntry),
    run: ({ controls, query }) => controls.journal.entries(query),
  }),
  'journal.clear': route({
    ...routePlaces['journal.clear'],
    tag: 'requests',
    summary: 'Clear the journal',
    description: 'Empties the journal; ids count on.',
    params: none,
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ controls }) => controls.journal.clear(),
  }),
  'journal.marks': route({
    ...routePlaces['journal.marks'],
    tag: 'requests',
    summary: 'List the latest changes between exchanges',
    description:
      'Gives what the clock, controls, resets and tests changed, oldest first, each with its place among the exchanges.',
    params: none,
    query: none,
    body: nothing,
    reply: list(mark),
    run: ({ controls }) => controls.journal.marks(),
  }),
  'journal.mark': route({
    ...routePlaces['journal.mark'],
    tag: 'requests',
    summary: 'Mark the beginning or the end of a test',
    description: 'Adds a mark to the journal; the audit concludes nothing across it.',
    params: none,
    query: none,
    body: newMark,
    reply: nothing,
    run: ({ controls, body }) => controls.journal.mark(body),
  }),
  'journal.har': route({
    ...routePlaces['journal.har'],
    tag: 'requests',
    summary: "Export the exchanges as HAR 1.2, for a browser's developer tools",
    description: 'Gives the exchanges that fit as an HTTP archive.',
    params: none,
    query: journalFilter,
    body: nothing,
    reply: harDocument,
    run: ({ controls, query, origin }) => toHar(controls.journal.entries(query), servedAt(origin)),
  }),
  'journal.get': route({
    ...routePlaces['journal.get'],
    tag: 'requests',
    summary: 'Get an exchange',
    description: 'Gives the exchange with this id, as long as the journal has it.',
    params: object({ id: idInPath("The exchange's id.") }, { title: 'request' }),
    query: none,
    body: nothing,
    reply: journalEntry,
    run: ({ controls, params }) => controls.journal.get(params.id),
  }),
  events: route({
    ...routePlaces.events,
    tag: 'requests',
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
    params: none,
    query: none,
    body: nothing,
    reply: eventStream({
      request: journalEntry,
      mark,
      finding,
      lost: streamNotice,
      end: streamNotice,
    }),
    run: ({ controls, request, owner }) =>
      journalEvents(
        controls.journal,
        request.headers['last-event-id'],
        owner,
        controls.subscribeFindings,
      ),
  }),
} as const
