import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { spellHeader } from '../contract/headers.ts'
import type { Handler, Outcome } from '../contract/message.ts'

/** How long a refused connection may take to read its reply. */
const lingerMs = 1_000

/**
 * Refuses with 400 what Node gives no request for, and ends the connection.
 *
 * @param unreadable Why, as the Error body is to say it.
 */
export async function refuseSocket(
  socket: Socket,
  handle: Handler,
  unreadable: string,
): Promise<void> {
  writeRawReply(socket, await handle({ method: '', url: '', headers: {}, body: '', unreadable }))
}

/** Writes a reply straight to a socket and ends it, whatever the client still sends. */
export function writeRawReply(socket: Socket, outcome: Outcome): void {
  // A fault that answers nothing, or not wholly, is here as near as a closed connection.
  if (!socket.writable || outcome.kind !== 'reply') {
    socket.destroy()
    return
  }
  const { status, headers, body } = outcome
  const lines = Object.entries({
    ...headers,
    'content-length': headers['content-length'] ?? Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${spellHeader(name)}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
