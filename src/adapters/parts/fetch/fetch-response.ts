import {
  decodeBody,
  headersFrom,
  headersOnWire,
  maxBodyBytes,
  mayHaveBody,
  spellHeader,
  unkeptBody,
} from '../../../mock/api/http.ts'
import {
  type AdapterName,
  type ApiRequest,
  type ApiResponse,
  type Arrivals,
  type Arrived,
  type BrokenResponse,
  type ReadBody,
  type RequestTarget,
  utf8Length,
} from '../../../mock/api/message.ts'
import { yieldToEventLoop } from '../../../mock/api/real-time.ts'

/** The differences between Fetch API hosts. */
export interface FetchAdapter {
  readonly name: AdapterName
  /** Returns the request target of a URL, with the API under `/v1`; it may still contain a fragment. */
  readonly targetOf: (url: string) => string
  /** Returns the host's equivalent of a broken connection. */
  readonly disconnect: () => Response | Promise<Response>
  /** Headers to add to the response. */
  readonly lines: readonly Line[]
  /** The `Origin` that the host doesn't show. */
  readonly origin?: string | undefined
  /** Whether the host decides which pages can read responses. */
  readonly hasHostCors?: true
}

/** A header line. */
export type Line = [name: string, value: string]

/**
 * Handles a request; a request without a response ends as a broken connection after a reset of the sandbox.
 *
 * @throws The signal's reason, as soon as it aborts.
 */
export function fetchResponse(
  request: Request,
  sandbox: RequestTarget,
  adapter: FetchAdapter,
): Promise<Response> {
  const client = new FetchClient(request.signal, sandbox, adapter.name)
  return new Promise((resolve, reject) => {
    client.onLeave(reject)
    if (client.signal.aborted) return
    respondTo(client, request, sandbox, adapter).then(resolve, (error) => {
      client.release()
      reject(error)
    })
  })
}

async function respondTo(
  client: FetchClient,
  request: Request,
  { handle }: RequestTarget,
  adapter: FetchAdapter,
): Promise<Response> {
  const read = await readRequest(request, adapter, client)
  const sent = { ...read, addedLines: adapter.lines.flat(), hasHostCors: adapter.hasHostCors }
  const outcome = await handle(sent, client.signal, client.arrived)
  switch (outcome.kind) {
    case 'response':
    case 'broken-response':
      return responseTo(client, outcome, request.method, adapter.lines)
    case 'disconnect':
      client.release()
      return adapter.disconnect()
    case 'timeout':
      await outcome.ended
      client.release()
      return adapter.disconnect()
    default:
      return outcome satisfies never
  }
}

async function readRequest(
  request: Request,
  { targetOf, origin }: FetchAdapter,
  client: FetchClient,
): Promise<ApiRequest> {
  const { method } = request
  const isBodiless = method === 'GET' || method === 'HEAD'
  return {
    method,
    url: targetOf(request.url).replace(/#.*$/s, ''),
    headers: headersFrom(
      [...(origin === undefined ? [] : ['origin', origin]), ...request.headers].flat(),
    ),
    ...(isBodiless ? { body: '' } : await readBody(request, client)),
  }
}

/**
 * Reads a body; if it is too large, returns its size alone, as far as that is known.
 *
 * @throws The client's reason, if it leaves before the end.
 */
async function readBody(
  { body, bodyUsed, headers }: Request,
  client: FetchClient,
): Promise<ReadBody> {
  if (body === null) return { body: '' }
  if (bodyUsed) {
    throw new TypeError(
      'Cannot read the body: it has been read already; give the request to the sandbox first, or give it a clone',
    )
  }
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  // Not awaited: for a cloned request, as in MSW, it settles only after the clone has been read too.
  const stop = (reason?: unknown): void => void reader.cancel(reason).catch(() => {})
  client.onLeave(stop)
  for (;;) {
    const { done, value } = await reader.read()
    client.signal.throwIfAborted()
    if (done) break
    chunks.push(value)
    length += value.byteLength
    if (length <= maxBodyBytes) continue
    stop()
    return unkeptBody(length, headers.get('content-length'))
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return decodeBody(bytes)
}

function responseTo(
  client: FetchClient,
  outcome: ApiResponse | BrokenResponse,
  method: string,
  added: readonly Line[],
): Response {
  const { status, body } = outcome
  const init = { status, headers: [...linesOf(outcome), ...added] }
  const hasBody = method !== 'HEAD' && mayHaveBody(status)
  if (outcome.kind === 'broken-response' && hasBody) {
    return new Response(streamBody(outcome, client), init)
  }
  client.release()
  return new Response(hasBody ? body : null, init)
}

function linesOf({ status, headers, body }: ApiResponse | BrokenResponse): Line[] {
  const lines = Object.entries(headersOnWire(status, headers)).map(spellLine)
  if (mayHaveBody(status) && headers['content-length'] === undefined) {
    lines.push(['Content-Length', String(utf8Length(body))])
  }
  return lines
}

function spellLine([name, value]: Line): Line {
  return [spellHeader(name), value]
}

/** Streams a body in pieces. If a fault breaks it off or the client leaves, the reader of the body fails. */
function streamBody(
  { pieces, end }: BrokenResponse,
  client: FetchClient,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      // An empty first piece, since some hosts, such as MSW in Node, delay the headers until the first piece.
      controller.enqueue(new Uint8Array())
      client.onLeave((reason) => controller.error(reason))
    },
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (client.signal.aborted) return
      if (done !== true) {
        controller.enqueue(encoder.encode(value))
        return
      }
      client.release()
      if (end === 'whole') {
        controller.close()
        return
      }
      // The pieces must arrive before the connection breaks.
      await yieldToEventLoop()
      controller.error(new TypeError('A fault broke the connection'))
    },
    async cancel(reason) {
      client.leave(reason)
      await iterator.return?.()
    },
  })
}

/** The client of a Fetch request. It leaves when the request's signal aborts, or when it stops reading the response. */
class FetchClient {
  readonly #given: AbortSignal
  readonly #departure = new AbortController()
  /** Aborts when the client leaves, which ends all waits for the response. */
  readonly signal: AbortSignal = this.#departure.signal
  readonly arrived: Arrived | undefined
  readonly #arrivals: Arrivals | undefined
  readonly #leaveAsGiven = (): void => this.leave(this.#given.reason)

  /** @param given The signal of the request. */
  constructor(given: AbortSignal, { arrivals }: RequestTarget, adapter: AdapterName) {
    this.#given = given
    this.#arrivals = arrivals
    this.arrived = arrivals?.arrive(adapter)
    if (given.aborted) this.#leaveAsGiven()
    else given.addEventListener('abort', this.#leaveAsGiven, { once: true })
  }

  /** Records that the client has left; all waits for its response end. */
  leave(reason: unknown): void {
    if (this.arrived !== undefined) this.#arrivals?.abort(this.arrived)
    this.release()
    this.#departure.abort(reason)
  }

  /** Stops listening to the request's signal, which may outlive the request, because the response is complete. */
  release(): void {
    if (this.arrived !== undefined) this.#arrivals?.close(this.arrived)
    this.#given.removeEventListener('abort', this.#leaveAsGiven)
  }

  /** Calls a listener with the reason when the client leaves; immediately if it has left. */
  onLeave(listener: (reason: unknown) => void): void {
    const { signal } = this
    if (signal.aborted) listener(signal.reason)
    else signal.addEventListener('abort', () => listener(signal.reason), { once: true })
  }
}
