import { utf8Length } from '../../contract/message.ts'
import { view } from '../../input/object.ts'
import { named } from '../../input/schema.ts'
import { string } from '../../input/values.ts'
import type { JournalPosition, JournalStep } from '../../state/journal.ts'
import type { JournalEntry, Mark } from '../../state/journal-entry.ts'
import type { AuditControls } from '../audit.ts'

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
}

/** How many bytes may wait for one reader. */
export const maxWaitingBytes = 1_048_576

/** How often a stream without news says that it is alive. */
const heartbeatMs = 15_000

/** The host's own timers, kept from test runners that put fake ones in their place. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

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
  const waiting: string[] = []
  let waitingBytes = 0
  /** Whether nothing more is added. */
  let isOver = false
  let wake = (): void => {}
  const add = (text: string): void => {
    if (isOver) return
    waitingBytes += utf8Length(text)
    if (waiting.length === 0 || waitingBytes <= maxWaitingBytes) {
      waiting.push(text)
    } else {
      waiting.push(end)
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
    journal.subscribe((entry) => add(requestText(journal.position.epoch, entry))),
    journal.subscribeMarks((mark) => add(dataText('mark', mark))),
    subscribeFindings((finding) => add(dataText('finding', finding))),
  ]
  const leave = (): void => {
    isOver = true
    for (const unsubscribe of subscriptions.splice(0)) unsubscribe()
    owner?.removeEventListener('abort', stop)
  }
  owner?.addEventListener('abort', stop)
  if (owner?.aborted) stop()
  const isDone = (): boolean => isOver && waiting.length === 0
  /** Waits for a piece; gives whether there is one before the stream has to say that it is alive. */
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
  const earlier = earlierEvents(journal, lastEventId, journal.position)
  async function* read(): AsyncGenerator<string, undefined> {
    for (const text of earlier) {
      if (isDone()) return
      yield text
    }
    while (!isDone()) {
      const text = waiting.shift()
      if (text !== undefined) {
        waitingBytes -= utf8Length(text)
        yield text
      } else if (!(await news())) yield ': alive\n\n'
    }
  }
  const reader = read()
  return {
    next: () => reader.next(),
    return() {
      // A generator alone can't be stopped while it waits.
      stop()
      return reader.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/**
 * Gives the beginning of a stream, and then, one by one, the events up to now that its reader has not had.
 *
 * @param goal Where the journal ends now.
 */
function* earlierEvents(
  journal: StreamedJournal,
  lastEventId: string | undefined,
  goal: JournalPosition,
): Iterable<string> {
  // A reader that loses its connection before the first event can go on from here.
  yield lastEventId === undefined ? `${begin}id: ${idOf(goal)}\n\n` : `${begin}\n`
  let position = lastEventId === undefined ? goal : positionOf(lastEventId)
  while (position.epoch !== goal.epoch || position.id < goal.id) {
    const from = position
    const { position: next, entry, isWhole } = journal.next(from)
    // What is past the goal waits in the queue, as does all of a journal that a reset has begun meanwhile.
    const isPast = next.epoch !== goal.epoch || next.id > goal.id
    position = isPast || entry === undefined ? goal : next
    const lost = isWhole && next.epoch === goal.epoch ? '' : lostText(from)
    const text = isPast || entry === undefined ? lost : lost + requestText(next.epoch, entry)
    if (text !== '') yield text
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

function eventText(event: 'end' | 'lost', message: string): string {
  return dataText(event, { message })
}

function dataText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
