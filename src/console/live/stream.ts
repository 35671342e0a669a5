import type { Finding } from '../../audit/finding.ts'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { followEvents, type ServerSentEvent } from '../../client/event-stream.ts'
import type { Remote } from '../../client/remote.ts'
import { isRecord } from '../../input/record.ts'
import type { Mark } from '../../state/journal-entry.ts'
import type { ConsoleEvent } from './console-client.ts'

/** What a stream of events tells, as plain data, so that one tab can tell it to the others. */
type StreamNews =
  | { readonly kind: 'live'; readonly id: undefined }
  | { readonly kind: 'waiting'; readonly id: undefined }
  | { readonly kind: 'refused'; readonly id: undefined; readonly error: unknown }
  | {
      readonly kind: 'event'
      readonly id: string | undefined
      readonly name: string
      readonly data: unknown
    }

/**
 * Follows a sandbox by one stream for all tabs of the browser: one of those that are seen holds it and tells the others,
 * since a browser opens six connections to a host and the API is the same host. Who takes over goes on after the last
 * event that it was told of.
 */
export function followShared(
  remote: Remote,
  hear: (event: ConsoleEvent) => void,
  signal: AbortSignal,
): void {
  const name = `petstore-console ${remote.address}`
  const channel = new BroadcastChannel(name)
  let lastId: string | undefined
  const take = (news: StreamNews): void => {
    lastId = news.id ?? lastId
    const event = eventOf(news)
    if (event !== undefined) hear(event)
  }
  const tell = (news: StreamNews): void => {
    // Errors can't be posted whole; each tab that asks gets its own.
    if (news.kind !== 'refused') channel.postMessage(news)
    take(news)
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isNews(data)) take(data)
  }
  const stream = (until: AbortSignal): Promise<void> =>
    readStream(remote, { after: lastId, tell, signal: until })
  whileVisible((until) => holding(name, until, stream), signal)
  signal.addEventListener('abort', () => channel.close())
}

/** Does something whenever the page is seen, and ends it when it isn't. */
function whileVisible(start: (until: AbortSignal) => void, signal: AbortSignal): void {
  let running: AbortController | undefined
  const update = (): void => {
    const isSeen = document.visibilityState === 'visible' && !signal.aborted
    if (isSeen === (running !== undefined)) return
    running?.abort()
    running = isSeen ? new AbortController() : undefined
    if (running !== undefined) start(running.signal)
  }
  document.addEventListener('visibilitychange', update)
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', update)
    update()
  })
  update()
}

/** Runs when this tab's turn has come; others wait. A page of an insecure host has no locks: then each is on its own. */
function holding(
  name: string,
  signal: AbortSignal,
  run: (until: AbortSignal) => Promise<void>,
): void {
  if (!('locks' in navigator)) {
    void run(signal)
    return
  }
  navigator.locks
    .request(name, { signal }, () => run(signal))
    .catch(() => {
      // Its turn never came.
    })
}

function eventOf(news: StreamNews): ConsoleEvent | undefined {
  if (news.kind === 'live' || news.kind === 'waiting') return { kind: news.kind }
  if (news.kind === 'refused') return { kind: 'refused', error: news.error }
  return knownEvent(news.name, news.data)
}

function isNews(value: unknown): value is StreamNews {
  return isRecord(value) && typeof value.kind === 'string'
}

/** Where to go on, and whom to tell. */
interface Reading {
  /** The id after which to go on; `undefined` for from now on. */
  readonly after: string | undefined
  readonly tell: (news: StreamNews) => void
  readonly signal: AbortSignal
}

/** Reads the events of a sandbox until the signal aborts, over lost connections too, each once. */
async function readStream(remote: Remote, { after, tell, signal }: Reading): Promise<void> {
  try {
    for await (const news of followEvents(remote, { after, waitsAtFirst: true, signal })) {
      tell(news.kind === 'event' ? newsOf(news) : { kind: news.kind, id: undefined })
    }
  } catch (error) {
    tell({ kind: 'refused', id: undefined, error })
  }
}

function newsOf({ id, name = '', data }: ServerSentEvent): StreamNews {
  return { kind: 'event', id, name, data: parsed(data) }
}

/** What can't be read is shown as nothing, and harms none of the rest. */
function parsed(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Makes of an event what the console knows of it; `undefined` for what it doesn't know, or what isn't whole. */
function knownEvent(name: string, data: unknown): ConsoleEvent | undefined {
  if (name === 'lost') return { kind: 'lost' }
  if (name === 'request' && isEntry(data)) return { kind: 'request', entry: data }
  if (name === 'mark' && isMark(data)) return { kind: 'mark', mark: data }
  if (name === 'finding' && isFinding(data)) return { kind: 'finding', finding: data }
  return undefined
}

/** Whether something is an exchange, as far as the list of them has to know. */
function isEntry(value: unknown): value is JournalEntry {
  return isRecord(value) && typeof value.id === 'number' && isRecord(value.outcome)
}

function isMark(value: unknown): value is Mark {
  return isRecord(value) && typeof value.kind === 'string'
}

function isFinding(value: unknown): value is Finding {
  return isRecord(value) && typeof value.rule === 'string' && Array.isArray(value.exchanges)
}
