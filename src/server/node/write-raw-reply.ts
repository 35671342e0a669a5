import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { spellHeader } from '../../contract/http/headers.ts'
import type { Outcome } from '../../contract/message.ts'

/** The header lines of a reply after which the connection ends. */
export const lastOfConnection: readonly string[] = ['Connection', 'close']

/** How long the client of a refused connection may take to read the reply. */
const lingerMs = 1_000

/** Answers a request for which Node has no response object, and ends the connection. */
export async function writeRawReply(socket: Socket, answer: () => Promise<Outcome>): Promise<void> {
  // Node's own listener is gone, and a client that leaves now must not crash the process.
  socket.on('error', () => socket.destroy())
  // A client that has left wants no answer.
  const outcome = socket.writable ? await answer() : undefined
  if (outcome?.kind === 'timeout') await outcome.ended
  // Any other outcome of a fault is approximated by closing the connection.
  if (!socket.writable || outcome?.kind !== 'reply') {
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
  // Whatever the client may still send.
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
