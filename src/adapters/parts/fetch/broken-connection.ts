import { isRecord } from '../../../input/record.ts'
import { breakConnection, type NodeResponse } from '../node/break-connection.ts'

/** Node's response, as Hono hands it over. */
interface HostResponse extends NodeResponse {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

/**
 * Gives what stands for a broken connection, as near to one as the caller allows. A host is known by what it hands over
 * beside the request: from Hono on Node it is the connection itself, from Bun and Deno what only they have.
 *
 * @throws TypeError where the caller is a client, as a failed `fetch` does.
 */
export async function brokenConnection(context: unknown): Promise<Response> {
  if (isRecord(context)) {
    const { outgoing } = context
    if (isHostResponse(outgoing)) {
      await untilBroken(outgoing)
      return new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
    }
    if ('requestIP' in context || 'remoteAddr' in context) return brokenReply()
  }
  throw new TypeError('Failed to fetch: a fault broke the connection')
}

function isHostResponse(found: unknown): found is HostResponse {
  return isRecord(found) && 'writeHead' in found && isRecord(found.req) && 'socket' in found
}

function untilBroken(response: HostResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) {
      resolve()
      return
    }
    response.once('close', resolve)
    breakConnection(response)
  })
}

/** A reply that breaks off before its body: hosts without a hold on their connections then close them. */
function brokenReply(): Response {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new TypeError('A fault broke the connection'))
    },
  })
  // With a length, so that no client takes it for whole.
  return new Response(body, { headers: { 'content-length': '1' } })
}
