/** The part of Node's responses that is used here; some hosts hand one over where there are no types of Node. */
export interface NodeResponse {
  readonly req: {
    readonly httpVersion: string
    readonly headers: { readonly 'user-agent'?: string | undefined }
  }
  readonly socket: NodeSocket | null
  destroy(): unknown
}

interface NodeSocket {
  readonly writable: boolean
  readonly remoteAddress?: string | undefined
  readonly encrypted?: boolean | undefined
  write(text: string, encoding: 'latin1', whenWritten: () => void): unknown
  resetAndDestroy?(): unknown
}

/**
 * What a client gets to read before its connection breaks. Many send a request again by themselves, a POST too, if a
 * connection breaks before the first byte of a reply: whoever uses them would never see the break
 * (decisions/023-a-break-that-is-felt.md).
 */
const beforeBreaks: readonly { readonly client: RegExp; readonly bytes: string }[] = [
  // Node's own fetch sends nothing again, and takes an interim reply that it has not asked for as a bad reply.
  { client: /^(?:node|undici)$/, bytes: '' },
  // HttpURLConnection and these fetches send again after an interim reply too, but not after a head that is none.
  { client: /^(?:Java|Bun|Deno)\//, bytes: 'HTTP/1.1 broken\r\n\r\n' },
  // An interim reply, which every client has to take, asked for or not (RFC 9110, 15.2).
  { client: /(?:)/, bytes: 'HTTP/1.1 100 Continue\r\n\r\n' },
]

/** Breaks the connection in place of a reply, so that the client doesn't hide it by sending the request again. */
export function breakConnection(response: NodeResponse): void {
  const { socket } = response
  const bytes = bytesBefore(response)
  if (socket?.writable !== true || bytes === '') resetConnection(response)
  else socket.write(bytes, 'latin1', () => resetConnection(response))
}

/** Resets the connection of a response, or closes it where only plain TCP could be reset. */
export function resetConnection(response: NodeResponse): void {
  const { socket } = response
  // Pipes have no address; on them and on TLS, Node would throw.
  const isPlain = socket?.remoteAddress !== undefined && socket.encrypted !== true
  if (isPlain && socket.resetAndDestroy !== undefined) socket.resetAndDestroy()
  else response.destroy()
}

function bytesBefore({ req }: NodeResponse): string {
  // What comes before HTTP/1.1 knows no interim replies, and seldom uses a connection again.
  if (req.httpVersion !== '1.1') return ''
  const agent = req.headers['user-agent'] ?? ''
  return beforeBreaks.find(({ client }) => client.test(agent))?.bytes ?? ''
}
