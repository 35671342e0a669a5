import { isRecord } from '../../mock/input/record.ts'

/** The part of a Node response that breaks its connection; the Fetch adapter gets one from some hosts. */
interface NodeResponse {
  readonly closed: boolean
  readonly socket: NodeSocket | null
  readonly req: {
    readonly httpVersion: string
    readonly headers: { readonly 'user-agent'?: string | undefined }
  }
  once(event: 'close' | 'socket', listener: () => void): unknown
  destroy(): unknown
}

interface NodeSocket {
  readonly writable: boolean
  readonly remoteAddress?: string | undefined
  write(text: string, encoding: 'latin1', done: () => void): unknown
  resetAndDestroy(): unknown
}

/** Acts when it is the turn of a response on its connection, after the responses to earlier requests. */
export function inTurn(response: NodeResponse, act: () => void): void {
  if (response.socket === null) response.once('socket', act)
  else act()
}

/**
 * Bytes to send to a client before its connection breaks. Many clients resend a request automatically, a POST too, if a
 * connection breaks before the first byte of a response; their users would never see the break
 * (decisions/023-continue-before-a-disconnect.md).
 */
const beforeBreaks: readonly { readonly client: RegExp; readonly bytes: string }[] = [
  // Node's own fetch never resends, and treats an unrequested interim response as an error.
  { client: /^(?:node|undici)$/, bytes: '' },
  // HttpURLConnection and these fetches also resend after an interim response, but not after an invalid head.
  { client: /^(?:Java|Bun|Deno)\//, bytes: 'HTTP/1.1 broken\r\n\r\n' },
  // An interim response; every client has to accept one, requested or not (RFC 9110, 15.2).
  { client: /(?:)/, bytes: 'HTTP/1.1 100 Continue\r\n\r\n' },
]

/** Breaks the connection instead of responding, so that the client doesn't hide the break by resending the request. */
export function breakConnection(response: NodeResponse): void {
  const { socket } = response
  const bytes = bytesBefore(response)
  if (socket?.writable !== true || bytes === '') resetConnection(response)
  else socket.write(bytes, 'latin1', () => resetConnection(response))
}

/** Narrows to a Node response, as some hosts pass it. */
export function isNodeResponse(found: unknown): found is NodeResponse {
  return isRecord(found) && 'writeHead' in found && isRecord(found.req) && 'socket' in found
}

/** Breaks the connection of a response; resolves when it is closed. */
export function untilBroken(response: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) {
      resolve()
      return
    }
    response.once('close', resolve)
    breakConnection(response)
  })
}

/** Resets the connection of a response, or closes it if it isn't plain TCP, which alone can be reset. */
export function resetConnection(response: NodeResponse): void {
  const { socket } = response
  // Pipes have no address; on pipes and on TLS, Node would throw. Other hosts may not support resets.
  const isPlain = socket?.remoteAddress !== undefined && !('encrypted' in socket)
  if (isPlain && 'resetAndDestroy' in socket) socket.resetAndDestroy()
  else response.destroy()
}

function bytesBefore({ req }: NodeResponse): string {
  // Versions before HTTP/1.1 have no interim responses, and seldom reuse a connection.
  if (req.httpVersion !== '1.1') return ''
  const agent = req.headers['user-agent'] ?? ''
  return beforeBreaks.find(({ client }) => client.test(agent))?.bytes ?? ''
}
