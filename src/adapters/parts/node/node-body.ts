import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { setImmediate as atNextTurn } from 'node:timers'
import { decodeBody, maxBodyBytes, unkeptBody } from '../../../contract/http/read-request.ts'
import type { ReadBody } from '../../../contract/message.ts'

/** How much of a body that is too large is read to its end, so that its sender gets to see the reply. */
const maxDiscardedBytes = 64 * maxBodyBytes

/** The body of a request that has none, or whose body means nothing. */
export const noBody: ReadBody = { body: '' }

/** The length from which on a body is long: in bytes, and in characters. */
export const longBody = 65_536

/** Decides when long bodies are read, so that they don't take too much together. */
export interface BodyKeeper {
  /** Asks for room for a body that turns out to be long; returns whether there is room at once. */
  enter(body: KeptBody): boolean
  /** Gives the room of a body back, or asks for it no more. */
  leave(body: KeptBody): void
  /** Resolves when a body of this length may be decoded and answered. */
  pass(length: number): Promise<void>
}

/** A long body, as its keeper sees it. */
export interface KeptBody {
  /** Called when there is room for it, unless there was at once. */
  goOn(): void
}

/** The body of a Node request, read once, whoever else reads it. */
export class NodeBody implements KeptBody {
  readonly #request: IncomingMessage
  #maxBytes: number
  readonly #keeper: BodyKeeper | undefined
  /** Whether it has room with its keeper, or has asked for it. */
  #isKept = false
  readonly #chunks: Buffer[] = []
  #length = 0
  #isCollected = false
  /** No closure: V8 keeps those until a full collection (decisions/009-what-a-request-leaves-behind.md). */
  #settle: (read: ReadBody) => void = ignore

  /**
   * @param maxBytes Of a larger body nothing is kept.
   * @param keeper Who decides when a long one is read; its room is held until {@link release}.
   */
  constructor(request: IncomingMessage, maxBytes: number, keeper?: BodyKeeper) {
    this.#request = request
    this.#maxBytes = maxBytes
    this.#keeper = keeper
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
      if (Number(declared) > this.#maxBytes) this.#refuse(declared)
      else if (this.#length > this.#maxBytes) this.#settleTooLarge()
      if (request.readableEnded) this.#end()
      else request.on('end', () => this.#end())
      this.#collect()
      // Other middleware may have stopped it, to read it later.
      if (request.isPaused()) request.resume()
    })
  }

  goOn(): void {
    this.#request.resume()
  }

  /** Gives back the room of a long body, which is needed no more. */
  release(): void {
    if (!this.#isKept) return
    this.#isKept = false
    this.#keeper?.leave(this)
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

  #end(): void {
    const settle = this.#settle
    if (this.#isKept) void this.#keeper?.pass(this.#length).then(() => settle(decode(this.#chunks)))
    else settle(decode(this.#chunks))
  }

  /** Asks for room for a long body, and doesn't read on before there is. */
  #enter(keeper: BodyKeeper): void {
    const request = this.#request
    this.#isKept = true
    // A client may leave before the end is read, although all of it has come.
    request.once('close', () => {
      if (!request.readableEnded) this.release()
    })
    if (!keeper.enter(this)) request.pause()
  }

  #refuse(declared: string | undefined): void {
    this.#maxBytes = 0
    this.#chunks.length = 0
    this.#settle(unkeptBody(0, declared))
  }

  #settleTooLarge(): void {
    this.release()
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
    if (this.#length <= this.#maxBytes) {
      this.#chunks.push(chunk)
      const keeper = this.#keeper
      if (keeper !== undefined && this.#length > longBody && !this.#isKept) this.#enter(keeper)
    } else if (!wasTooLarge) {
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
