import { type Remote, RemoteError } from '../../../client/remote.ts'
import { isRecord } from '../../../input/record.ts'
import type { ConsoleEvent } from '../console-client.ts'
import { readStream, type StreamNews } from './event-stream.ts'
import { knownEvent } from './known-event.ts'

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
  return isRecord(value) && typeof value.kind === 'string' && !(value instanceof RemoteError)
}
