import { Alarm, pause } from '../../../client/alarm.ts'
import { readEvents, type ServerSentEvent } from '../../../client/read-events.ts'
import type { Remote } from '../../../client/remote.ts'
import { RemoteError } from '../../../client/remote-error.ts'
import { isRecord } from '../../../input/record.ts'
import { Slices } from '../pace/slices.ts'

/** Longer than two heartbeats: then the connection is lost, though nobody has said so. */
const silenceMs = 35_000

const firstPauseMs = 200

const longestPauseMs = 3_000

/** What a stream of events tells, as plain data, so that one tab can tell it to the others. */
export type StreamNews =
  | { readonly kind: 'live'; readonly id: undefined }
  | { readonly kind: 'waiting'; readonly id: undefined }
  | { readonly kind: 'refused'; readonly id: undefined; readonly error: unknown }
  | {
      readonly kind: 'event'
      readonly id: string | undefined
      readonly name: string
      readonly data: unknown
    }

/** Where to go on, and whom to tell. */
interface Reading {
  /** The id after which to go on; `undefined` for from now on. */
  readonly after: () => string | undefined
  readonly tell: (news: StreamNews) => void
  readonly signal: AbortSignal
}

/** Reads the events of a sandbox until the signal aborts, over lost connections too, each once. */
export async function readStream(remote: Remote, { after, tell, signal }: Reading): Promise<void> {
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    try {
      await readConnection(remote, { after, signal, tell })
      pauseMs = firstPauseMs
    } catch (error) {
      if (signal.aborted) return
      const isTemporary = error instanceof RemoteError && error.reason === 'unreachable'
      if (!isTemporary) {
        tell({ kind: 'refused', id: undefined, error })
        return
      }
    }
    if (signal.aborted) return
    tell({ kind: 'waiting', id: undefined })
    await pause(pauseMs, signal)
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  }
}

/** Reads one connection to its end. */
async function readConnection(remote: Remote, { after, tell, signal }: Reading): Promise<void> {
  const open = new AbortController()
  const close = (): void => open.abort()
  signal.addEventListener('abort', close)
  const alarm = new Alarm(silenceMs, close)
  try {
    const id = after()
    const headers: Record<string, string> = id === undefined ? {} : { 'last-event-id': id }
    const body = await remote.stream('/events', headers, open.signal)
    tell({ kind: 'live', id: undefined })
    const slices = new Slices()
    for await (const event of readEvents(body, () => alarm.putOff())) {
      if (signal.aborted) return
      tell(newsOf(event))
      // After a rest there may be much to read.
      await slices.turn()
    }
  } finally {
    alarm.stop()
    signal.removeEventListener('abort', close)
    open.abort()
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
