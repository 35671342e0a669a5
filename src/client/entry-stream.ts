import { parseJson } from '../contract/json/json.ts'
import { isRecord } from '../input/record.ts'
import { type Read, readInput } from '../input/schema.ts'
import { Alarm, pause } from './alarm.ts'
import { readEvents, type ServerSentEvent } from './read-events.ts'
import type { Remote } from './remote.ts'
import { RemoteError } from './remote-error.ts'
import {
  type EventsOptions,
  eventsOptions,
  type JournalEntry,
  type SandboxEvents,
} from './sandbox-events.ts'

/** Longer than two heartbeats: then the connection is lost, though nobody has said so. */
const silenceMs = 35_000

const firstPauseMs = 100

const longestPauseMs = 1_000

const done: IteratorResult<JournalEntry, undefined> = { value: undefined, done: true }

/** The exchanges of a sandbox, read by a connection at a time. */
export class EntryStream implements SandboxEvents {
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
  async *#entriesOf({ body, close }: Connection): AsyncGenerator<JournalEntry, void> {
    const alarm = new Alarm(silenceMs, close)
    try {
      for await (const event of readEvents(body, () => alarm.putOff())) {
        this.#lastEventId = event.id ?? this.#lastEventId
        const entry = this.#entryOf(event)
        if (entry !== undefined) yield entry
      }
    } finally {
      alarm.stop()
      close()
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
    const open = new AbortController()
    const { signal } = this.#leave
    const close = (): void => {
      signal.removeEventListener('abort', close)
      open.abort()
    }
    signal.addEventListener('abort', close)
    // One that has aborted already doesn't say so again.
    if (signal.aborted) close()
    const after = this.#lastEventId
    const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after }
    try {
      return { body: await this.#remote.stream('/events', headers, open.signal), close }
    } catch (error) {
      close()
      throw error
    }
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
          if (!isTemporary || isOver || this.#leave.signal.aborted) throw error
        }
      }
    } finally {
      end.stop()
    }
  }
}

interface Connection {
  readonly body: ReadableStream<Uint8Array>
  close(): void
}

function isEntry(value: unknown): value is JournalEntry {
  return isRecord(value) && typeof value.id === 'number' && 'outcome' in value
}
