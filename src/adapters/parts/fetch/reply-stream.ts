import type { BrokenReply } from '../../../contract/message.ts'
import { yieldToEventLoop } from '../../../contract/yield-to-event-loop.ts'
import type { FetchClient } from './fetch-client.ts'

/** A body in pieces; one that breaks off, in whichever way, fails its reader, as it does when the client leaves. */
export function replyStream(
  { pieces, end }: BrokenReply,
  client: FetchClient,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      // An empty first piece, since some hosts, such as MSW in Node, hold the headers back until the first piece.
      controller.enqueue(new Uint8Array())
      client.onLeave((reason) => controller.error(reason))
    },
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (client.owner.aborted) return
      if (done !== true) {
        controller.enqueue(encoder.encode(value))
        return
      }
      client.release()
      if (end === 'whole') {
        controller.close()
        return
      }
      // What was sent has to arrive before the connection breaks.
      await yieldToEventLoop()
      controller.error(new TypeError('A fault broke the connection'))
    },
    async cancel(reason) {
      client.leave(reason)
      await iterator.return?.()
    },
  })
}
