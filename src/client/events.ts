import { object, optional, withDefault } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import { custom, duration } from '../mock/input/values.ts'
import type { RequestView } from '../mock/log/request-view.ts'
import { parseJson } from '../mock/spec/json.ts'
import { followEvents, type ServerSentEvent } from './event-stream.ts'
import { type Remote, RemoteError } from './remote.ts'

/**
 * The exchanges of a sandbox to come. It connects at once, and stays connected until its reader stops: by `break`,
 * by `return()`, or by its signal.
 */
export interface SandboxEvents extends AsyncIterator<RequestView, undefined> {
  /** Resolves when the sandbox is listened to; from then on nothing is missed. */
  readonly ready: Promise<void>
  next(): Promise<IteratorResult<RequestView, undefined>>
  /** Ends at once, also while somebody reads. */
  return(): Promise<IteratorResult<RequestView, undefined>>
  [Symbol.asyncIterator](): SandboxEvents
}

const eventsOptions = object(
  {
    /** Ends the events. */
    signal: optional(
      custom('an AbortSignal', (found): found is AbortSignal => found instanceof AbortSignal),
    ),
    /** How long to try to come back when the connection is lost: 10 seconds by default, 0 for not at all. */
    patience: withDefault(duration, 10_000),
    /**
     * Told when exchanges may be missing, such as after a restart of the process; then the events go on. Without it,
     * they end with a {@link RemoteError}.
     */
    onLost: optional(custom('a function', isListener)),
  },
  { title: 'events' },
)

/** How to read events. */
export type EventsOptions = Input<typeof eventsOptions>

function isListener(found: unknown): found is (message: string) => void {
  return typeof found === 'function'
}

const done: IteratorResult<RequestView, undefined> = { value: undefined, done: true }

/**
 * Returns the exchanges of a sandbox, out of its stream of events.
 *
 * @throws {@link InputError} for an option that can't be used.
 */
export function sandboxEvents(remote: Remote, options: EventsOptions = {}): SandboxEvents {
  const { signal, patience, onLost } = readInput(eventsOptions, options)
  const left = new AbortController()
  const all = followEvents(remote, { patience, waitsAtFirst: false, signal: left.signal })
  // It connects at once, be it read or not.
  const first = all.next()
  const ready = first.then(() => {})
  // Who doesn't wait for it sees the error when reading.
  ready.catch(() => {})
  const entries = (async function* (): AsyncGenerator<RequestView, undefined> {
    await first
    for await (const news of all) {
      const entry = news.kind === 'event' ? entryOf(news, onLost) : undefined
      if (entry !== undefined) yield entry
    }
    return undefined
  })()
  const stop = (): void => {
    signal?.removeEventListener('abort', stop)
    left.abort()
    // Else it would stay where it has given its latest entry, with all that it holds.
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
