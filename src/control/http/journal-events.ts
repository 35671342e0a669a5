import type { Finding } from '../../audit/finding.ts'
import { object } from '../../input/object.ts'
import { named } from '../../input/schema.ts'
import { string } from '../../input/values.ts'
import type { JournalPosition } from '../../state/journal.ts'
import type { JournalEntry, Mark } from '../../state/journal-entry.ts'
import type { AuditControls } from '../audit/audit-controls.ts'
import type { JournalControls } from '../controls/journal-controls.ts'
import { type Piece, PieceQueue, pieceOf } from './piece-queue.ts'

/** What the events `lost` and `end` hold. */
export const streamNotice = named(
  'StreamNotice',
  object({ message: string }, { unknown: 'ignore' }),
)

const begin = 'retry: 1000\n: the exchanges of this sandbox, from now on\n'

const end = pieceOf(
  eventText(
    'end',
    'Cannot keep more than 1 MiB of events for a reader: this one is too slow; ask again with Last-Event-ID',
  ),
)

/**
 * Streams the exchanges to come as server-sent events, until its owner leaves or its reader stops; it listens from
 * the call on, over resets too.
 *
 * @param lastEventId The id of an event, after which it goes on with what the journal still has.
 * @param subscribeFindings Tells of findings; by default none are streamed.
 */
export function journalEvents(
  journal: JournalControls,
  lastEventId: string | undefined,
  owner: AbortSignal | undefined,
  subscribeFindings: AuditControls['subscribeFindings'] = () => () => {},
): AsyncIterableIterator<string> {
  const stop = (): void => void queue.return()
  const unsubscribe = journal.subscribe((entry) => {
    queue.add(requestPiece(entry, journal.position.epoch), end)
  })
  const unsubscribeMarks = journal.subscribeMarks((mark) => {
    queue.add(markPiece(mark), end)
  })
  const unsubscribeFindings = subscribeFindings((finding) => {
    queue.add(findingPiece(finding), end)
  })
  const queue = new PieceQueue({
    before: earlierEvents(journal, lastEventId),
    idle: ': alive\n\n',
    onEnd() {
      unsubscribe()
      unsubscribeMarks()
      unsubscribeFindings()
      owner?.removeEventListener('abort', stop)
    },
  })
  owner?.addEventListener('abort', stop)
  if (owner?.aborted) stop()
  return queue
}

/** Gives the beginning of a stream, and then, one by one, the events up to now that its reader has not had. */
function earlierEvents(
  journal: JournalControls,
  lastEventId: string | undefined,
): () => string | undefined {
  const goal = journal.position
  let position = lastEventId === undefined ? goal : positionOf(lastEventId)
  let hasBegun = false
  const step = (): string | undefined => {
    if (position.epoch === goal.epoch && position.id >= goal.id) return undefined
    const from = position
    const { position: next, entry, isWhole } = journal.next(from)
    // What is past the goal waits in the queue, as does all of a journal that a reset has begun meanwhile.
    const isPast = next.epoch !== goal.epoch || next.id > goal.id
    position = isPast || entry === undefined ? goal : next
    const lost = isWhole && next.epoch === goal.epoch ? '' : lostText(from)
    const text = isPast || entry === undefined ? lost : lost + requestText(next.epoch, entry)
    return text === '' ? step() : text
  }
  return () => {
    if (hasBegun) return step()
    hasBegun = true
    // A reader that loses its connection before the first event can go on from here.
    return lastEventId === undefined ? `${begin}id: ${idOf(goal)}\n\n` : `${begin}\n`
  }
}

/** Writes a position as the id of an event. */
function idOf({ epoch, id }: JournalPosition): string {
  return `${epoch}-${id}`
}

/** Reads the id of an event; that of any other stream is a position in no journal. */
function positionOf(lastEventId: string): JournalPosition {
  const [, epoch = '', id = ''] = /^([a-z\d]{1,40})-(\d{1,15})$/.exec(lastEventId) ?? []
  return { epoch, id: Number(id) }
}

function requestText(epoch: string, entry: JournalEntry): string {
  return `id: ${idOf({ epoch, id: entry.id })}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`
}

function lostText(from: JournalPosition): string {
  return eventText(
    'lost',
    `Cannot give every exchange since event ${idOf(from)}: the journal no longer has all of them; read on with those that it has`,
  )
}

const requestPiece = writtenOnce((entry: JournalEntry, epoch: string) => requestText(epoch, entry))
const markPiece = writtenOnce((mark: Mark) => dataText('mark', mark))
const findingPiece = writtenOnce((finding: Finding) => dataText('finding', finding))

/** Writes an event for its first reader: however many read, it takes the time and the memory of one. */
function writtenOnce<Data extends object, More extends unknown[]>(
  write: (data: Data, ...more: More) => string,
): (data: Data, ...more: More) => Piece {
  const written = new WeakMap<Data, Piece>()
  return (data, ...more) => {
    const known = written.get(data)
    if (known !== undefined) return known
    const piece = pieceOf(write(data, ...more))
    written.set(data, piece)
    return piece
  }
}

function eventText(event: 'end' | 'lost', message: string): string {
  return dataText(event, { message })
}

function dataText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
