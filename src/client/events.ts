import { parseJson } from '../mock/api/json.ts'
import { object, optional, withDefault } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import { custom, duration } from '../mock/input/values.ts'
import type { RequestView } from '../mock/log/request-view.ts'
import { followEvents, type ServerSentEvent } from './event-stream.ts'
import { type Remote, RemoteError } from './remote.ts'

/**
 * New requests to a sandbox. The stream connects immediately and stays connected until the reader stops it: with
 * `break`, `return()` or the signal.
 */
export interface SandboxEvents extends AsyncIterator<RequestView, undefined> {
  /** Resolves once the stream is connected; from then on no request is missed. */
  readonly ready: Promise<void>
  /**
   * Returns the next request, as soon as its outcome is known; `done` once the stream was ended.
   *
   * @throws {@link RemoteError} if the connection is lost for longer than `patience`, or requests may be missing.
   */
  next(): Promise<IteratorResult<RequestView, undefined>>
  /** Ends the stream immediately, also while a read is pending. */
  return(): Promise<IteratorResult<RequestView, undefined>>
  /** Returns the stream itself, for `for await`; leaving the loop ends the stream. */
  [Symbol.asyncIterator](): SandboxEvents
}

const eventsOptions = object(
  {
    /** Ends the events. */
    signal: optional(
      custom('an AbortSignal', (found): found is AbortSignal => found instanceof AbortSignal),
    ),
    /**
     * Maximum time to keep reconnecting after the connection is lost (default: 10 seconds; 0 turns reconnecting off).
     */
    patience: withDefault(duration, 10_000),
    /**
     * Called when requests may be missing, such as after a restart of the server; the events then continue. Without
     * this function, they end with a {@link RemoteError}.
     */
    onLost: optional(custom('a function', isListener)),
  },
  { title: 'events' },
)

/** Options for reading events. */
export interface EventsOptions extends Input<typeof eventsOptions> {}

function isListener(found: unknown): found is (message: string) => void {
  return typeof found === 'function'
}

const done: IteratorResult<RequestView, undefined> = { value: undefined, done: true }

/**
 * Returns the requests to a sandbox from its event stream.
 *
 * @throws {@link InputError} for an invalid option.
 */
export function sandboxEvents(remote: Remote, options: EventsOptions = {}): SandboxEvents {
  const { signal, patience, onLost } = readInput(eventsOptions, options)
  const left = new AbortController()
  const all = followEvents(remote, { patience, waitsAtFirst: false, signal: left.signal })
  // Connects immediately, even before the first read.
  const first = all.next()
  const ready = first.then(() => {})
  // Without a handler for `ready`, the error is thrown on the next read.
  ready.catch(() => {})
  const entries = (async function* (): AsyncGenerator<RequestView, undefined> {
    await first
    for await (const item of all) {
      const entry = item.kind === 'event' ? entryOf(item, onLost) : undefined
      if (entry !== undefined) yield entry
    }
    return undefined
  })()
  const stop = (): void => {
    signal?.removeEventListener('abort', stop)
    left.abort()
    // Otherwise the generator would stay suspended at its last `yield` and keep its memory.
    void entries.return(undefined)
  }
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  return {
    ready,
    async next() {
      try {
        return await entries.next()
      } catch (error) {
        if (left.signal.aborted) return done
        stop()
        throw error
      }
    },
    async return() {
      stop()
      return done
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function entryOf(
  { name, data }: ServerSentEvent,
  onLost: EventsOptions['onLost'],
): RequestView | undefined {
  if (name !== 'request' && name !== 'lost') return undefined
  const value = parseJson(data)
  if (isEntry(value)) return value
  const message = isRecord(value) ? String(value.message) : data
  if (onLost === undefined) throw new RemoteError('events-lost', message)
  onLost(message)
  return undefined
}

function isEntry(value: unknown): value is RequestView {
  return isRecord(value) && typeof value.id === 'number' && 'outcome' in value
}
