import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { spellHeader } from '../contract/headers.ts'
import type { ApiRequest, Handler, Outcome } from '../contract/message.ts'

/** How long a refused connection may take to read its reply. */
const lingerMs = 1_000

/** Answers a request that Node gives no response object for, and ends the connection. */
export async function answerSocket(
  socket: Socket,
  handle: Handler,
  request: ApiRequest,
): Promise<void> {
  // Node's own listener is gone; a client that leaves now is no error of the process.
  socket.on('error', () => socket.destroy())
  // Who has left by now asks for nothing.
  if (socket.writable) writeRawReply(socket, await handle(request))
  else socket.destroy()
}

/**
 * Refuses with 400 what Node can't read, and ends the connection.
 *
 * @param unreadable Why, as the Error body is to say it.
 */
export async function refuseSocket(
  socket: Socket,
  handle: Handler,
  unreadable: string,
): Promise<void> {
  await answerSocket(socket, handle, { method: '', url: '', headers: {}, body: '', unreadable })
}

/** Writes a reply straight to a socket and ends it, whatever the client still sends. */
function writeRawReply(socket: Socket, outcome: Outcome): void {
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
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
