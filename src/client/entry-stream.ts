import { parseJson } from '../contract/int64.ts'
import { duration } from '../input/duration.ts'
import { object, optional, withDefault } from '../input/object.ts'
import { isRecord } from '../input/record.ts'
import { type Given, type Read, readInput } from '../input/schema.ts'
import { anyThat } from '../input/values.ts'
import type { JournalEntry } from '../state/journal/journal-entry.ts'
import { Alarm, pause } from './alarm.ts'
import { readEvents, type ServerSentEvent } from './read-events.ts'
import type { Remote } from './remote.ts'
import { RemoteError } from './remote-error.ts'

const eventsOptions = object(
  {
    /** Ends the events. */
    signal: optional(anyThat('an AbortSignal', isSignal)),
    /** How long to try to come back when the connection is lost: 10 seconds by default, 0 for not at all. */
    patience: withDefault(duration, 10_000),
    /**
     * Told when exchanges may be missing, such as after a restart of the process; then the events go on. Without it,
     * they end with a {@link RemoteError}.
     */
    onLost: optional(anyThat('a function', isListener)),
  },
  { title: 'events' },
)

/** How to read events. */
export type EventsOptions = Given<typeof eventsOptions>

function isSignal(found: unknown): found is AbortSignal {
  return found instanceof AbortSignal
}

function isListener(found: unknown): found is (message: string) => void {
  return typeof found === 'function'
}

/** Longer than two heartbeats: then the connection is lost, though nobody has said so. */
const silenceMs = 35_000

const firstPauseMs = 100

const longestPauseMs = 1_000

const done: IteratorResult<JournalEntry, undefined> = { value: undefined, done: true }

/** The exchanges of a sandbox, from when it was made on; it connects at once, and stays so until its reader stops. */
export class EntryStream implements AsyncIterableIterator<JournalEntry, undefined> {
  /** Resolves when the sandbox is listened to: then nothing is missed. */
  readonly ready: Promise<void>
  readonly #remote: Remote
  readonly #options: Read<typeof eventsOptions>
  readonly #entries: AsyncGenerator<JournalEntry, undefined>
  readonly #leave = new AbortController()
  readonly #stop = (): void => {
    this.#options.signal?.removeEventListener('abort', this.#stop)
    this.#leave.abort()
    // Else it would stay where it has given its latest entry, with all that it holds.
    void this.#entries.return(undefined)
  }
  #lastEventId: string | undefined

  /** @throws {@link InputError} for an option that can't be used. */
  constructor(remote: Remote, options: EventsOptions = {}) {
    this.#remote = remote
    this.#options = readInput(eventsOptions, options)
    const first = this.#connect()
    this.ready = first.then(() => {})
    // Who doesn't wait for it sees the error when reading.
    this.ready.catch(() => {})
    this.#entries = this.#read(first)
    const { signal } = this.#options
    signal?.addEventListener('abort', this.#stop)
    if (signal?.aborted) this.#stop()
  }

  async next(): Promise<IteratorResult<JournalEntry, undefined>> {
    try {
      return await this.#entries.next()
    } catch (error) {
      if (this.#leave.signal.aborted) return done
      this.#stop()
      throw error
    }
  }

  /** Ends at once, also while somebody reads. */
  return(): Promise<IteratorResult<JournalEntry, undefined>> {
    this.#stop()
    return Promise.resolve(done)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async *#read(first: Promise<Connection>): AsyncGenerator<JournalEntry, undefined> {
    let connection = await first
    for (;;) {
      yield* this.#entriesOf(connection)
      if (this.#leave.signal.aborted) return undefined
      connection = await this.#comeBack()
    }
  }

  /** Gives the entries of one connection, until it is lost. */
  async *#entriesOf({ body, abort }: Connection): AsyncGenerator<JournalEntry, void> {
    const alarm = new Alarm(silenceMs, abort)
    try {
      for await (const event of readEvents(body, () => alarm.putOff())) {
        this.#lastEventId = event.id ?? this.#lastEventId
        const entry = this.#entryOf(event)
        if (entry !== undefined) yield entry
      }
    } finally {
      alarm.stop()
      abort()
    }
  }

  #entryOf({ name, data }: ServerSentEvent): JournalEntry | undefined {
    if (name !== 'request' && name !== 'lost') return undefined
    const value = parseJson(data)
    if (isEntry(value)) return value
    const message = isRecord(value) ? String(value.message) : data
    if (this.#options.onLost === undefined) throw new RemoteError('events-lost', message)
    this.#options.onLost(message)
    return undefined
  }

  async #connect(): Promise<Connection> {
    const lost = new AbortController()
    const abort = (): void => lost.abort()
    this.#leave.signal.addEventListener('abort', abort, { once: true })
    const headers: Record<string, string> = { accept: 'text/event-stream' }
    if (this.#lastEventId !== undefined) headers['last-event-id'] = this.#lastEventId
    return { body: await this.#remote.open('/events', headers, lost.signal), abort }
  }

  /** Connects again, for as long as there is patience. */
  async #comeBack(): Promise<Connection> {
    const { patience } = this.#options
    const { address } = this.#remote
    const lost = `Cannot follow ${address} any longer: the connection was lost`
    if (patience === 0) throw new RemoteError('unreachable', lost)
    let isOver = false
    const end = new Alarm(patience, () => {
      isOver = true
    })
    try {
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
        await pause(pauseMs, this.#leave.signal)
        try {
          return await this.#connect()
        } catch (error) {
          const isTemporary = error instanceof RemoteError && error.reason === 'unreachable'
          if (!isTemporary || isOver) throw error
        }
      }
    } finally {
      end.stop()
    }
  }
}

interface Connection {
  readonly body: ReadableStream<Uint8Array>
  abort(): void
}

function isEntry(value: unknown): value is JournalEntry {
  return isRecord(value) && typeof value.id === 'number' && 'outcome' in value
}
