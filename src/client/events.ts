import { parseJson } from '../contract/json.ts'
import type { JournalControls } from '../control/requests.ts'
import { duration } from '../input/duration.ts'
import { object, optional, withDefault } from '../input/object.ts'
import { isRecord } from '../input/record.ts'
import { type Given, type Read, readInput } from '../input/schema.ts'
import { anyThat } from '../input/values.ts'
import { followEvents, type ServerSentEvent, type StreamNews } from './event-stream.ts'
import { type Remote, RemoteError } from './remote.ts'

/** An exchange as the journal shows it. */
export type JournalEntry = ReturnType<JournalControls['get']>

/**
 * The exchanges of a sandbox to come. It connects at once, and stays connected until its reader stops: by `break`,
 * by `return()`, or by its signal.
 */
export interface SandboxEvents extends AsyncIterator<JournalEntry, undefined> {
  /** Resolves when the sandbox is listened to; from then on nothing is missed. */
  readonly ready: Promise<void>
  next(): Promise<IteratorResult<JournalEntry, undefined>>
  /** Ends at once, also while somebody reads. */
  return(): Promise<IteratorResult<JournalEntry, undefined>>
  [Symbol.asyncIterator](): SandboxEvents
}

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

const done: IteratorResult<JournalEntry, undefined> = { value: undefined, done: true }

/** The exchanges of a sandbox, out of its stream of events. */
export class EntryStream implements SandboxEvents {
  readonly ready: Promise<void>
  readonly #options: Read<typeof eventsOptions>
  readonly #entries: AsyncGenerator<JournalEntry, undefined>
  readonly #leave = new AbortController()
  readonly #stop = (): void => {
    this.#options.signal?.removeEventListener('abort', this.#stop)
    this.#leave.abort()
    // Else it would stay where it has given its latest entry, with all that it holds.
    void this.#entries.return(undefined)
  }

  /** @throws {@link InputError} for an option that can't be used. */
  constructor(remote: Remote, options: EventsOptions = {}) {
    this.#options = readInput(eventsOptions, options)
    const { signal, patience } = this.#options
    const { signal: left } = this.#leave
    const news = followEvents(remote, { patience, waitsAtFirst: false, signal: left })
    // It connects at once, be it read or not.
    const first = news.next()
    this.ready = first.then(() => {})
    // Who doesn't wait for it sees the error when reading.
    this.ready.catch(() => {})
    this.#entries = this.#read(first, news)
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

  async *#read(
    first: Promise<unknown>,
    all: AsyncGenerator<StreamNews, void>,
  ): AsyncGenerator<JournalEntry, undefined> {
    await first
    for await (const news of all) {
      const entry = news.kind === 'event' ? this.#entryOf(news) : undefined
      if (entry !== undefined) yield entry
    }
    return undefined
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
}

function isEntry(value: unknown): value is JournalEntry {
  return isRecord(value) && typeof value.id === 'number' && 'outcome' in value
}
