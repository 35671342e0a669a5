import type { IncomingMessage } from 'node:http'
import { decodeBody, maxBodyBytes, unkeptBody } from '../../../mock/spec/http.ts'
import type { ApiRequest, Headers, Outcome, ReadBody } from '../../../mock/spec/message.ts'
import type { Arrival } from './connections.ts'
import { writeOutcome } from './write-outcome.ts'

/** A request of the API as Node has it, but for its body. */
interface RequestHead {
  /** As the sandbox knows it. */
  readonly url: string
  readonly headers: Headers
  /** Header lines to add to the reply, names and values in turn. */
  readonly addedLines: readonly string[]
  /** What is wrong with it, if anything. */
  readonly unreadable: string | undefined
}

/**
 * Answers a request of the API in its turn on the connection, at once if nothing has to be waited for.
 *
 * @param answer Has taken effect when it returns, whenever it resolves.
 * @param kept What is kept of its body, if others may have read it.
 * @returns Resolves when nothing is left to do.
 */
export function answerRequest(
  arrival: Arrival,
  head: RequestHead,
  answer: (request: ApiRequest) => Promise<Outcome>,
  kept?: NodeBody,
): Promise<void> {
  const { request, response, comes } = arrival
  const { method = '' } = request
  const { url, headers, addedLines, unreadable } = head
  const act = ({ body, bodyBytes }: ReadBody): Promise<void> => {
    const answered = answer({ method, url, headers, body, bodyBytes, addedLines, unreadable })
    arrival.leave()
    return answered.then((outcome) => writeOutcome(response, outcome, addedLines))
  }
  const read = (): Promise<void> => {
    if (method === 'GET' || method === 'HEAD') return act(noBody)
    const body = kept ?? new NodeBody(request, maxBodyBytes)
    return body.read(headers['content-length']).then(act)
  }
  return comes === undefined ? read() : comes.then(read)
}

const noBody: ReadBody = { body: '' }

/** How much of a body that is too large is read to its end, so that its sender gets to see the reply. */
const maxDiscardedBytes = 128 * maxBodyBytes

/** The body of a Node request, read once, whoever else reads it. */
export class NodeBody {
  readonly #request: IncomingMessage
  readonly #maxBytes: number
  readonly #chunks: Buffer[] = []
  #length = 0
  #isCollected = false
  #settle = (_read: ReadBody): void => {}

  /** @param maxBytes Of a larger body nothing is kept. */
  constructor(request: IncomingMessage, maxBytes: number) {
    this.#request = request
    this.#maxBytes = maxBytes
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

  /**
   * Reads it; of one that is too large only the size, as soon as that is known. Never settles if the client leaves before
   * its end: then there is nothing to do.
   *
   * @param declared The `Content-Length`.
   * @throws Error when something else has read it, unless it was {@link keep kept}.
   */
  read(declared: string | undefined): Promise<ReadBody> {
    const request = this.#request
    return new Promise((resolve, reject) => {
      const isRead = request.readableEnded || request.readableFlowing === true
      if (isRead && !this.#isCollected) {
        reject(
          new Error(
            'Cannot read the body: another middleware has read it; put the sandbox before body parsers',
          ),
        )
        return
      }
      this.#settle = resolve
      if (Number(declared) > this.#maxBytes) resolve(unkeptBody(0, declared))
      else if (this.#length > this.#maxBytes) resolve(unkeptBody(this.#length))
      const decode = (): void => resolve(decodeBody(joined(this.#chunks)))
      if (request.readableEnded) decode()
      else request.on('end', decode)
      this.#collect()
      // Other middleware may have stopped it, to read it later.
      request.resume()
    })
  }

  #collect(): void {
    if (this.#isCollected) return
    this.#isCollected = true
    this.#request.on('data', (chunk: Buffer | string) => this.#add(chunk))
  }

  #add(chunk: Buffer | string): void {
    // Other middleware may have set an encoding.
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, this.#request.readableEncoding ?? 'utf8')
        : chunk
    this.#length += bytes.length
    if (this.#length <= this.#maxBytes) {
      this.#chunks.push(bytes)
      return
    }
    this.#chunks.length = 0
    this.#settle(unkeptBody(this.#length))
    if (this.#length > maxDiscardedBytes) this.#request.destroy()
  }
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
}
