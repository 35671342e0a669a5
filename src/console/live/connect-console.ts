import type { RequestView } from '../../client/connect-sandbox.ts'
import { followEvents, type StreamItem } from '../../client/event-stream.ts'
import { controlAddress, Remote } from '../../client/remote.ts'
import { clientOver, type SandboxClient } from '../../client/sandbox-client.ts'
import { isRecord } from '../../mock/input/record.ts'
import { withoutBodies } from '../../mock/log/show-request.ts'
import type { UnderWayView } from '../../sandbox/controls/under-way.ts'
import { type ConsoleClient, type ConsoleEvent, eventOfMark } from './console-client.ts'

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
    follow: (listener, signal) => followVisible(remote, listener, signal),
  }
}

/**
 * Follows a sandbox while its tab is visible: a browser opens only six connections to a host, and the API is on the same
 * host. A tab that is shown again resumes after the last event that it received.
 */
export function followVisible(
  remote: Remote,
  listener: (event: ConsoleEvent) => void,
  signal: AbortSignal,
): void {
  let lastId: string | undefined
  const read = async (until: AbortSignal): Promise<void> => {
    try {
      const how = { after: lastId, waitsAtFirst: true, signal: until }
      for await (const item of followEvents(remote, how)) {
        if (item.kind === 'event') lastId = item.id ?? lastId
        const event = eventOf(item)
        if (event !== undefined) listener(event)
      }
    } catch (error) {
      listener({ kind: 'rejected', error })
    }
  }
  let shown = new AbortController()
  const update = (): void => {
    shown.abort()
    shown = new AbortController()
    if (document.visibilityState === 'visible') void read(shown.signal)
  }
  document.addEventListener('visibilitychange', update, { signal })
  signal.addEventListener('abort', () => shown.abort())
  update()
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
