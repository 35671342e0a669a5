import type { RequestView } from '../../client/connect-sandbox.ts'
import { followEvents, type StreamItem } from '../../client/event-stream.ts'
import { controlAddress, Remote } from '../../client/remote.ts'
import { clientOver, type SandboxClient } from '../../client/sandbox-client.ts'
import { isRecord } from '../../mock/input/record.ts'
import type { UnderWayView } from '../../sandbox/controls/under-way.ts'
import { type ConsoleClient, type ConsoleEvent, eventOfMark } from './console-client.ts'
import { withoutBodies } from './live-store.ts'
import { Throttle } from './throttle.ts'

/**
 * Connects the console to a sandbox of the server that the page was loaded from.
 *
 * @param sandbox `undefined` for the default one.
 * @param token The control token, if the server requires one.
 */
export function connectConsole(
  sandbox: string | undefined,
  token: string | undefined,
): ConsoleClient & Pick<SandboxClient, 'sandboxes'> {
  const remote = new Remote(controlAddress(location.origin, sandbox), { token, isKnown: true })
  const { events: _, ...controls } = clientOver(remote)
  return {
    ...controls,
    foundSoFar: () => controls.findings(),
    follow: (listener, signal) => followShared(remote, listener, signal),
  }
}

/** Minimum time between messages to the other tabs, in milliseconds: in a flood, one for each event takes a tenth of the page's time. */
const postEveryMs = 50

/** An event, as one tab sends it to the others. */
interface SharedEvent {
  /** Id to resume after; `undefined` to keep the previous one. */
  readonly id: string | undefined
  /** `undefined` for an event that the console doesn't know. */
  readonly event: ConsoleEvent | undefined
}

/**
 * Follows a sandbox over one stream for all tabs of the browser. One visible tab reads the stream and sends the events
 * to the others, since a browser opens only six connections to a host and the API is on the same host. A tab that takes
 * over resumes after the last event that it received.
 */
export function followShared(
  remote: Remote,
  listener: (event: ConsoleEvent) => void,
  signal: AbortSignal,
): void {
  const name = `petstore-console ${remote.address}`
  const channel = new BroadcastChannel(name)
  let lastId: string | undefined
  const take = ({ id, event }: SharedEvent): void => {
    lastId = id ?? lastId
    if (event !== undefined) listener(event)
  }
  channel.onmessage = ({ data }: MessageEvent<readonly SharedEvent[]>) => data.forEach(take)
  const outbox: SharedEvent[] = []
  const posting = new Throttle(postEveryMs, () => channel.postMessage(outbox.splice(0)))
  const read = async (until: AbortSignal): Promise<void> => {
    try {
      const how = { after: lastId, waitsAtFirst: true, signal: until }
      for await (const item of followEvents(remote, how)) {
        const id = item.kind === 'event' ? item.id : undefined
        const shared = { id, event: eventOf(item) }
        outbox.push(shared)
        posting.soon()
        take(shared)
      }
    } catch (error) {
      // Errors can't be posted in full; each tab that becomes the reader gets its own.
      listener({ kind: 'rejected', error })
    }
  }
  let turn = new AbortController()
  const update = (): void => {
    turn.abort()
    turn = new AbortController()
    if (document.visibilityState === 'visible') void inTurn(name, turn.signal, read)
  }
  document.addEventListener('visibilitychange', update, { signal })
  signal.addEventListener('abort', () => {
    turn.abort()
    posting.stop()
    channel.close()
  })
  update()
}

/**
 * Runs while this tab holds the lock; other tabs wait. Browsers offer no locks on insecure pages; there, each tab reads
 * its own stream.
 */
async function inTurn(
  name: string,
  signal: AbortSignal,
  run: (until: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!('locks' in navigator)) return run(signal)
  try {
    await navigator.locks.request(name, { signal }, () => run(signal))
  } catch {
    // Aborted while it waited for the lock.
  }
}

/** Converts an item of the stream to a console event; returns `undefined` for an unknown or incomplete one. */
function eventOf(item: StreamItem): ConsoleEvent | undefined {
  if (item.kind !== 'event') return { kind: item.kind }
  const { name, data } = item
  if (name === 'lost') return { kind: 'lost' }
  if (name === 'finding') return { kind: 'changed' }
  if (name !== 'request' && name !== 'change' && name !== 'under-way') return undefined
  const value: unknown = JSON.parse(data)
  if (name === 'under-way') return isUnderWay(value) ? { kind: name, ...value } : undefined
  if (name === 'change') return isRecord(value) ? eventOfMark(String(value.kind)) : undefined
  return isEntry(value) ? { kind: 'request', entry: withoutBodies(value) } : undefined
}

/** Returns whether a value is a request, by the properties that the list needs. */
function isEntry(value: unknown): value is RequestView {
  return isRecord(value) && typeof value.id === 'number' && isRecord(value.outcome)
}

function isUnderWay(value: unknown): value is UnderWayView {
  return isRecord(value) && Array.isArray(value.requests)
}
