import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { onTestFinished } from 'vitest'

/** A reply as it came over the wire; header fields by lower-case name. */
export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A client that writes bytes of any kind and reads replies one by one. */
export class RawClient {
  readonly #socket: Socket
  readonly #isClosed: Promise<void>
  #received = Buffer.alloc(0)
  #notify = (): void => {}

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.#notify()
    })
    // A server may break off a connection on which more is sent than it reads.
    socket.on('error', () => {})
    this.#isClosed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve()
        this.#notify()
      })
    })
  }

  /** What has come, and is no reply yet. */
  get received(): string {
    return this.#received.toString('latin1')
  }

  /** Writes bytes; resolves when they are on their way. */
  async send(...parts: readonly (string | Uint8Array)[]): Promise<void> {
    for (const part of parts) await new Promise((resolve) => this.#socket.write(part, resolve))
  }

  /** Ends the client's side: no more is sent, replies are still read. */
  end(): void {
    this.#socket.end()
  }

  /** Leaves without a word. */
  leave(): void {
    this.#socket.destroy()
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    await this.#isClosed
  }

  /** Reads the next reply, interim ones too; `headOnly` for the reply to a HEAD. */
  async reply(headOnly: 'headOnly' | 'whole' = 'whole'): Promise<RawReply> {
    for (;;) {
      const found = takeReply(this.#received, headOnly === 'headOnly')
      if (found !== undefined) {
        this.#received = found.rest
        return found.reply
      }
      if (this.#socket.destroyed) {
        throw new Error(`Cannot read a reply: the connection is closed after ${this.#received}`)
      }
      await new Promise<void>((resolve) => {
        this.#notify = resolve
      })
    }
  }
}

/** Opens a connection that is closed at the end of the test. */
export async function connectRaw(port: number, host = '127.0.0.1'): Promise<RawClient> {
  const socket = connect(port, host)
  onTestFinished(() => {
    socket.destroy()
  })
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return new RawClient(socket)
}

/** As {@link connectRaw}, over TLS, with whatever certificate. */
export async function connectRawTls(port: number): Promise<RawClient> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  onTestFinished(() => {
    socket.destroy()
  })
  await once(socket, 'secureConnect')
  return new RawClient(socket)
}

/** Sends bytes on a connection of their own and gives the first reply. */
export async function sendRaw(
  port: number,
  ...parts: readonly (string | Uint8Array)[]
): Promise<RawReply> {
  const client = await connectRaw(port)
  // The server may reject before it has read all.
  void client.send(...parts)
  const reply = await client.reply()
  client.leave()
  return reply
}

function takeReply(
  received: Buffer,
  isHeadOnly: boolean,
): { readonly reply: RawReply; readonly rest: Buffer<ArrayBuffer> } | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/:\s*(.*)/s)
      return [name.toLowerCase(), value]
    }),
  )
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  const isBare = isHeadOnly || status < 200 || status === 204 || status === 304
  const length = isBare ? 0 : Number(headers['content-length'])
  const bodyEnd = end + 4 + length
  // Without a length the comparison is never true, and the test fails at the connection's end.
  if (!(received.length >= bodyEnd)) return undefined
  const body = received.subarray(end + 4, bodyEnd).toString('utf8')
  return { reply: { status, headers, body }, rest: Buffer.from(received.subarray(bodyEnd)) }
}
