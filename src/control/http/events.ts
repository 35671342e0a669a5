import { utf8Length } from '../../contract/message.ts'
import { startTimer, stopTimer } from '../../contract/real-time.ts'
import { view } from '../../input/object.ts'
import { named } from '../../input/schema.ts'
import { string } from '../../input/values.ts'
import type { JournalPosition, JournalStep } from '../../state/journal.ts'
import type { JournalEntry, Mark } from '../../state/journal-entry.ts'
import type { AuditControls } from '../audit.ts'
import type { UnderWayView } from '../under-way.ts'

/** What the events `lost` and `end` hold. */
export const streamNotice = named('StreamNotice', view({ message: string }))

const begin = 'retry: 1000\n: the exchanges of this sandbox, from now on\n'

const end = eventText(
  'end',
  'Cannot keep more than 1 MiB of events for a reader: this one is too slow; ask again with Last-Event-ID',
)

/** A journal whose news are streamed. */
interface StreamedJournal {
  readonly position: JournalPosition
  next(after: JournalPosition): JournalStep
  subscribe(listener: (entry: JournalEntry) => void): () => void
  subscribeMarks(listener: (mark: Mark) => void): () => void
  subscribeUnderWay(listener: (view: UnderWayView) => void): () => void
}

/** How many bytes may wait for one reader. */
export const maxWaitingBytes = 1_048_576

/** How often a stream without news says that it is alive. */
const heartbeatMs = 15_000

/**
 * Streams the exchanges to come as server-sent events, until its owner leaves or its reader stops; it listens from
 * the call on, over resets too.
 *
 * @param lastEventId The id of an event, after which it goes on with what the journal still has.
 * @param subscribeFindings Tells of findings; by default none are streamed.
 */
export function journalEvents(
  journal: StreamedJournal,
  lastEventId: string | undefined,
  owner: AbortSignal | undefined,
  subscribeFindings: AuditControls['subscribeFindings'] = () => () => {},
): AsyncIterableIterator<string> {
  // Of what comes from now on, bytes are counted.
  const waiting = earlierEvents(journal, lastEventId).map((text) => ({ text, bytes: 0 }))
  let waitingBytes = 0
  let isOver = false
  let wake = (): void => {}
  const add = (text: string): void => {
    if (isOver) return
    const bytes = utf8Length(text)
    if (waitingBytes === 0 || waitingBytes + bytes <= maxWaitingBytes) {
      waiting.push({ text, bytes })
      waitingBytes += bytes
    } else {
      waiting.push({ text: end, bytes: 0 })
      leave()
    }
    wake()
  }
  const stop = (): void => {
    waiting.length = 0
    leave()
    wake()
  }
  const subscriptions = [
    journal.subscribe((entry) => add(requestEvent(journal.position.epoch, entry))),
    journal.subscribeMarks((mark) => add(dataText('mark', mark))),
    journal.subscribeUnderWay((view) => add(dataText('under-way', view))),
    subscribeFindings((finding) => add(dataText('finding', finding))),
  ]
  const leave = (): void => {
    isOver = true
    for (const unsubscribe of subscriptions.splice(0)) unsubscribe()
    owner?.removeEventListener('abort', stop)
  }
  owner?.addEventListener('abort', stop)
  if (owner?.aborted) stop()
  /** Waits for a piece; returns whether there is one before the stream has to say that it is alive. */
  const news = (): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = startTimer(() => resolve(false), heartbeatMs)
      // A number in browsers.
      if (typeof timer === 'object') timer.unref()
      wake = () => {
        stopTimer(timer)
        resolve(true)
      }
    })
  async function* read(): AsyncGenerator<string, undefined> {
    try {
      while (waiting.length > 0 || !isOver) {
        const piece = waiting.shift()
        if (piece !== undefined) {
          waitingBytes -= piece.bytes
          yield piece.text
        } else if (!(await news())) yield ': alive\n\n'
      }
    } finally {
      leave()
    }
  }
  return read()
}

/** The beginning of a stream, and the events up to now that its reader has not had. */
function earlierEvents(journal: StreamedJournal, lastEventId: string | undefined): string[] {
  // A reader that loses its connection before the first event can go on from here.
  if (lastEventId === undefined) return [`${begin}id: ${idOf(journal.position)}\n\n`]
  const texts = [`${begin}\n`]
  let position = positionOf(lastEventId)
  for (;;) {
    const { position: next, entry, isWhole } = journal.next(position)
    if (!isWhole) texts.push(lostText(position))
    if (entry === undefined) return texts
    texts.push(requestEvent(next.epoch, entry))
    position = next
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

function requestEvent(epoch: string, entry: JournalEntry): string {
  return `id: ${idOf({ epoch, id: entry.id })}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`
}

function lostText(from: JournalPosition): string {
  return eventText(
    'lost',
    `Cannot give every exchange since event ${idOf(from)}: the journal no longer has all of them; read on with those that it has`,
  )
}

function eventText(event: 'end' | 'lost', message: string): string {
  return dataText(event, { message })
}

function dataText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
