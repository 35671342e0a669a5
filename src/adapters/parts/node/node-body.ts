import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { setImmediate as atNextTurn } from 'node:timers'
import { decodeBody, maxBodyBytes, type ReadBody, unkeptBody } from '../../../contract/message.ts'

/** How much of a body that is too large is read to its end, so that its sender gets to see the reply. */
const maxDiscardedBytes = 64 * maxBodyBytes

/** The body of a request that has none, or whose body means nothing. */
export const noBody: ReadBody = { body: '' }

/** The body of a Node request, read once, whoever else reads it. */
export class NodeBody {
  readonly #request: IncomingMessage
  readonly #maxBytes: number
  readonly #chunks: Buffer[] = []
  #length = 0
  #isCollected = false
  /** No closure: V8 keeps those until a full collection (decisions/009-what-a-request-leaves-behind.md). */
  #settle: (read: ReadBody) => void = ignore

  /** @param maxBytes Of a larger body nothing is kept. */
  constructor(request: IncomingMessage, maxBytes: number) {
    this.#request = request
    this.#maxBytes = maxBytes
  }

  /**
   * Reads it; of one that is too large only the size. Never settles if the client leaves before its end: then there is
   * nothing to do.
   *
   * @param declared The `Content-Length`.
   * @throws Error when something else has read it, unless it was {@link keep kept}.
   */
  read(declared: string | undefined): Promise<ReadBody> {
    const request = this.#request
    return new Promise((resolve, reject) => {
      if (!this.#isCollected && (request.readableEnded || request.readableFlowing === true)) {
        reject(
          new Error(
            'Cannot read the body: another middleware has read it; put the sandbox before body parsers',
          ),
        )
        return
      }
      this.#settle = resolve
      // Nobody has to wait for the end of a body that says beforehand that it is too large.
      if (Number(declared) > this.#maxBytes) resolve(unkeptBody(0, declared))
      else if (this.#length > this.#maxBytes) this.#settleTooLarge()
      if (request.readableEnded) resolve(decode(this.#chunks))
      else request.on('end', () => resolve(decode(this.#chunks)))
      this.#collect()
      // Other middleware may have stopped it, to read it later.
      if (request.isPaused()) request.resume()
    })
  }

  /** Keeps what other middleware is about to read, so that it can be read here too. */
  keep(): void {
    const request = this.#request
    // A stream is read by letting it flow, or whenever it says that it is readable.
    request.once('resume', () => this.#collect())
    request.on('newListener', (event) => {
      if (event === 'readable') this.#collect()
    })
  }

  /** Reads past it, so that its sender gets to see the reply; ends the connection of one that sends on and on. */
  discard(): void {
    this.#collect()
  }

  #settleTooLarge(): void {
    this.#settle(unkeptBody(this.#length))
  }

  #collect(): void {
    if (this.#isCollected) return
    this.#isCollected = true
    this.#request.on('data', (chunk: Buffer) => this.#add(chunk))
  }

  #add(chunk: Buffer): void {
    const wasTooLarge = this.#length > this.#maxBytes
    this.#length += chunk.length
    if (this.#length <= this.#maxBytes) this.#chunks.push(chunk)
    else if (!wasTooLarge) {
      this.#chunks.length = 0
      this.#settleTooLarge()
    } else if (this.#length > maxDiscardedBytes) this.#request.destroy()
    if (this.#length > this.#maxBytes) this.#goOnNextTurn()
  }

  /** Reads on in the next turn of the event loop: of what nobody keeps, a socket would give 2 MiB in each. */
  #goOnNextTurn(): void {
    const request = this.#request
    if (request.isPaused()) return
    request.pause()
    atNextTurn(() => request.resume())
  }
}

function ignore(): void {}

/** Decodes as `decodeBody` does, in half the time if the bytes are UTF-8. */
function decode(chunks: readonly Buffer[]): ReadBody {
  const [first = Buffer.alloc(0)] = chunks
  const bytes = chunks.length > 1 ? Buffer.concat(chunks) : first
  return isUtf8(bytes) ? { body: bytes.toString() } : decodeBody(bytes)
}
