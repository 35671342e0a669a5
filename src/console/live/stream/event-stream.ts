import { followEvents, type ServerSentEvent } from '../../../client/event-stream.ts'
import type { Remote } from '../../../client/remote.ts'
import { isRecord } from '../../../input/record.ts'
import { Slices } from '../pace/slices.ts'

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
  readonly after: string | undefined
  readonly tell: (news: StreamNews) => void
  readonly signal: AbortSignal
}

/** Reads the events of a sandbox until the signal aborts, over lost connections too, each once. */
export async function readStream(remote: Remote, { after, tell, signal }: Reading): Promise<void> {
  const slices = new Slices()
  try {
    for await (const news of followEvents(remote, { after, waitsAtFirst: true, signal })) {
      tell(news.kind === 'event' ? newsOf(news) : { kind: news.kind, id: undefined })
      // After a rest there may be much to read.
      await slices.turn()
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
