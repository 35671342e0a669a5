import { createParser } from 'eventsource-parser'
import { realNow, startTimer, stopTimer } from '../mock/spec/real-time.ts'
import { type Remote, RemoteError } from './remote.ts'

/** Longer than two heartbeats: then the connection is lost, though nobody has said so. */
const silenceMs = 35_000

const firstPauseMs = 100

const longestPauseMs = 1_000

/** Longer than any event of a sandbox, whose bodies have at most 1 MiB. */
const maxEventLength = 2 ** 24

/** A server-sent event. */
export interface ServerSentEvent {
  readonly kind: 'event'
  /** The id after which to go on. */
  readonly id: string | undefined
  /** `message` by default, as browsers call it; `undefined` for one that only sets the id. */
  readonly name: string | undefined
  readonly data: string
}

/** What a stream of events tells: that it is connected, that it tries to be again, or an event. */
export type StreamNews = { readonly kind: 'live' } | { readonly kind: 'waiting' } | ServerSentEvent

/** How to follow a sandbox. */
export interface Following {
  /** The id after which to begin; by default from now on. */
  readonly after?: string | undefined
  /** How long to try to come back when the connection is lost, in milliseconds; by default for ever. */
  readonly patience?: number | undefined
  /** Whether the first connection is waited for, too. */
  readonly waitsAtFirst: boolean
  /** Ends it at once. */
  readonly signal: AbortSignal
}

/**
 * Follows the events of a sandbox over lost connections, each once.
 *
 * @throws {@link RemoteError} when it can't be reached again, or refuses.
 */
export async function* followEvents(
  remote: Remote,
  { after, patience = Number.POSITIVE_INFINITY, waitsAtFirst, signal }: Following,
): AsyncGenerator<StreamNews, void> {
  let lastId = after
  let pauseMs = firstPauseMs
  let isWaitedFor = waitsAtFirst
  let lostAt: number | undefined
  while (!signal.aborted) {
    try {
      for await (const news of connectionTo(remote, lastId, signal)) {
        if (news.kind === 'event') lastId = news.id ?? lastId
        isWaitedFor = true
        pauseMs = firstPauseMs
        lostAt = undefined
        yield news
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

/** Reads one connection to its end. */
async function* connectionTo(
  remote: Remote,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamNews, void> {
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
 * Reads server-sent events, until the stream ends or its connection breaks; comments are left out.
 *
 * @param onBytes Called whenever something arrives.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerSentEvent, void> {
  let events: ServerSentEvent[] = []
  const parser = createParser({
    maxBufferSize: maxEventLength,
    // Comes before the event itself, and alone for one that only sets the id.
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
      // Where the connection broke, the stream has ended.
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
