import type { IncomingMessage } from 'node:http'
import { decodeBody, maxBodyBytes, unkeptBody } from '../../../mock/api/http.ts'
import type { ApiRequest, Headers, Outcome, ReadBody } from '../../../mock/api/message.ts'
import { type Arrival, type BodiesUnderWay, maxUnderWay } from './connections.ts'
import { writeOutcome } from './write-outcome.ts'

/** An API request as Node provides it, without its body. */
interface RequestHead {
  /** The request target as the sandbox expects it. */
  readonly url: string
  readonly headers: Headers
  /** Header lines to add to the response, alternating names and values. */
  readonly addedLines: readonly string[]
  /** The reason why the request can't be read, if there is one. */
  readonly unreadable: string | undefined
}

/** Handling of an API request, besides its transfer. */
interface RequestHandling {
  /** Has taken effect when it returns, even if its promise resolves later. */
  respond(request: ApiRequest): Promise<Outcome>
  /** Called at the end of a response that is sent in pieces, or not at all. */
  finish(): void
  /** Called with an error that isn't thrown at once. */
  fail(error: unknown): void
}

/**
 * Handles an API request in its order on the connection, synchronously if there is nothing to wait for.
 *
 * @param kept The kept body, if other middleware may have read it.
 */
export function respondToRequest(
  arrival: Arrival,
  head: RequestHead,
  { respond, finish, fail }: RequestHandling,
  kept?: NodeBody,
): void {
  const { request, response, comes } = arrival
  const { method = '' } = request
  const { url, headers, addedLines, unreadable } = head
  const act = (content: NodeBodyContent): void => {
    const { body, bodyBytes } = content
    const reason = unreadable ?? content.unreadable
    const sent = { method, url, headers, body, bodyBytes, addedLines, unreadable: reason }
    const responded = respond(sent)
    arrival.leave()
    responded
      .then((outcome) => writeOutcome(response, outcome, addedLines)?.then(finish))
      .catch(fail)
  }
  const read = (): void => {
    if (method === 'GET' || method === 'HEAD') act(noBody)
    else {
      const body = kept ?? new NodeBody(request, maxBodyBytes, arrival.connection.all.bodies)
      body.read(headers['content-length']).then(act).catch(fail)
    }
  }
  if (comes === undefined) read()
  else comes.then(read).catch(fail)
}

const noBody: ReadBody = { body: '' }

/** Maximum number of bytes read from a body that is too large, so that its sender gets to read the response. */
const maxDiscardedBytes = 128 * maxBodyBytes

/** Number of bytes of each body that aren't counted as under way, so that small bodies are read in any case. */
const freeBytes = 65_536

/** A body as it was read, or the reason why it couldn't be. */
type NodeBodyContent = ReadBody & Pick<ApiRequest, 'unreadable'>

/** The body of a Node request, read once, even if other middleware reads it too. */
export class NodeBody {
  readonly #request: IncomingMessage
  readonly #maxBytes: number
  readonly #chunks: Buffer[] = []
  #length = 0
  /** Number of bytes that count as under way. */
  #counted = 0
  #isCollected = false
  #isDropped = false
  readonly #underWay: BodiesUnderWay | undefined
  #settle = (_read: NodeBodyContent): void => {}

  /**
   * @param maxBytes Maximum size; a larger body isn't kept.
   * @param underWay Limits the bodies of all clients together; `undefined` for no limit.
   */
  constructor(request: IncomingMessage, maxBytes: number, underWay?: BodiesUnderWay) {
    this.#request = request
    this.#maxBytes = maxBytes
    this.#underWay = underWay
  }

  /** Keeps the body that other middleware is about to read, so that it can be read here too. */
  keep(): void {
    const request = this.#request
    // A stream is read by resuming it, or in `readable` events.
    request.once('resume', () => this.#collect())
    request.on('newListener', (event) => {
      if (event === 'readable') this.#collect()
    })
  }

  /**
   * Reads the body; if it is too large, resolves with its size alone, as soon as that is known. Never settles if the
   * client leaves before the end, since the request then needs no handling.
   *
   * @param declared The `Content-Length`.
   * @throws Error if something else has read the body, unless it was {@link keep kept}.
   */
  read(declared: string | undefined): Promise<NodeBodyContent> {
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
      else if (this.#isDropped) resolve(noRoom)
      const decode = (): void => {
        const chunks = this.#chunks.splice(0)
        this.#release()
        resolve(decodeBody(joined(chunks)))
      }
      if (request.readableEnded) decode()
      else request.on('end', decode)
      this.#collect()
      // Other middleware may have paused it, to read it later.
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
    if (this.#length <= this.#maxBytes && !this.#isDropped && this.#count()) {
      this.#chunks.push(bytes)
      return
    }
    this.#chunks.length = 0
    this.#release()
    this.#isDropped = true
    this.#settle(this.#length > this.#maxBytes ? unkeptBody(this.#length) : noRoom)
    if (this.#length > maxDiscardedBytes) this.#request.destroy()
  }

  /** Counts the bytes that have come; returns whether they fit beside the bodies of other clients. */
  #count(): boolean {
    const more = this.#length - freeBytes - this.#counted
    if (this.#underWay === undefined || more <= 0) return true
    if (!this.#underWay.add(more)) return false
    // Node 20 emits no `close` for a request that waits for its turn.
    if (this.#counted === 0) this.#request.socket.once('close', this.#release)
    this.#counted += more
    return true
  }

  readonly #release = (): void => {
    if (this.#counted === 0) return
    this.#request.socket.off('close', this.#release)
    this.#underWay?.remove(this.#counted)
    this.#counted = 0
  }
}

const noRoom: NodeBodyContent = {
  body: '',
  unreadable: `Cannot read the request: the bodies that the server is receiving take ${maxUnderWay} bytes; send it again later`,
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
}
