import { createParser } from 'eventsource-parser'
import { realNow, startTimer, stopTimer } from '../mock/api/real-time.ts'
import { type Remote, RemoteError } from './remote.ts'

/** Longer than two heartbeats: after this long without data, the connection is assumed dead. */
const silenceMs = 35_000

const firstPauseMs = 100

const longestPauseMs = 1_000

/** Longer than any event of a sandbox: bodies have at most 1 MiB. */
const maxEventLength = 2 ** 24

/** A server-sent event. */
export interface ServerSentEvent {
  readonly kind: 'event'
  /** Id to resume after. */
  readonly id: string | undefined
  /** `message` by default, as in browsers; `undefined` for an event that only sets the id. */
  readonly name: string | undefined
  readonly data: string
}

/** Item of an event stream: connected, waiting to reconnect, or an event. */
export type StreamItem = { readonly kind: 'live' } | { readonly kind: 'waiting' } | ServerSentEvent

/** Options for following the events of a sandbox. */
export interface Following {
  /** Id to start after; by default, only new events are sent. */
  readonly after?: string | undefined
  /** Maximum time to keep reconnecting after the connection is lost, in milliseconds; unlimited by default. */
  readonly patience?: number | undefined
  /** Whether to retry the first connection, too. */
  readonly waitsAtFirst: boolean
  /** Ends the stream immediately. */
  readonly signal: AbortSignal
}

/**
 * Yields each event of a sandbox once and reconnects when the connection is lost.
 *
 * @throws {@link RemoteError} if it can't reconnect, or if the sandbox rejects the request.
 */
export async function* followEvents(
  remote: Remote,
  { after, patience = Number.POSITIVE_INFINITY, waitsAtFirst, signal }: Following,
): AsyncGenerator<StreamItem, void> {
  let lastId = after
  let pauseMs = firstPauseMs
  let isWaitedFor = waitsAtFirst
  let lostAt: number | undefined
  while (!signal.aborted) {
    try {
      for await (const item of connectionTo(remote, lastId, signal)) {
        if (item.kind === 'event') lastId = item.id ?? lastId
        isWaitedFor = true
        pauseMs = firstPauseMs
        lostAt = undefined
        yield item
        if (signal.aborted) return
      }
    } catch (error) {
      if (signal.aborted) return
      const isTemporary = error instanceof RemoteError && error.reason === 'unreachable'
      const isOver = lostAt !== undefined && realNow() - lostAt >= patience
      if (!isTemporary || !isWaitedFor || isOver) throw error
    }
    if (signal.aborted) return
    if (patience === 0) {
      const message = `Cannot follow ${remote.address} any longer: the connection was lost`
      throw new RemoteError('unreachable', message)
    }
    lostAt ??= realNow()
    yield { kind: 'waiting' }
    await pause(pauseMs, signal)
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  }
}

/** Reads one connection until it ends. */
async function* connectionTo(
  remote: Remote,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void> {
  const over = new AbortController()
  const setAlarm = () => startTimer(() => over.abort(), silenceMs)
  let alarm = setAlarm()
  const onBytes = (): void => {
    stopTimer(alarm)
    alarm = setAlarm()
  }
  try {
    const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after }
    const either = AbortSignal.any([signal, over.signal])
    const body = await remote.stream('/events', headers, either)
    yield { kind: 'live' }
    yield* readEvents(body, onBytes)
  } finally {
    stopTimer(alarm)
    over.abort()
  }
}

/**
 * Reads server-sent events until the stream ends or its connection breaks; comments are skipped.
 *
 * @param onBytes Called whenever data arrives.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerSentEvent, void> {
  let events: ServerSentEvent[] = []
  const parser = createParser({
    maxBufferSize: maxEventLength,
    // Called before `onEvent`; for an event that only sets the id, `onEvent` isn't called.
    onId: (id) => events.push({ kind: 'event', id, name: undefined, data: '' }),
    onEvent({ id, event: name = 'message', data }) {
      if (id !== undefined) events.pop()
      events.push({ kind: 'event', id, name, data })
    },
    onError({ type }) {
      if (type !== 'max-buffer-size-exceeded') return
      throw new RemoteError(
        'internal-error',
        `Cannot read the events: one is longer than ${maxEventLength} characters`,
      )
    },
  })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      // A broken connection ends the stream.
      const { value } = await reader.read().catch(() => ({ value: undefined }))
      if (value === undefined) return
      onBytes()
      parser.feed(decoder.decode(value, { stream: true }))
      const read = events
      events = []
      yield* read
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/** Waits in real time; ends early when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stopTimer(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = startTimer(end, signal.aborted ? 0 : ms)
    signal.addEventListener('abort', end)
  })
}
