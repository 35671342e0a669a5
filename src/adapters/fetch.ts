import { basePath } from '../contract/endpoints.ts'
import { spellHeader } from '../contract/headers.ts'
import {
  type ApiRequest,
  type BrokenReply,
  decodeBody,
  type Handler,
  headersFrom,
  type Headers as MessageHeaders,
  maxBodyBytes,
  type Outcome,
} from '../contract/message.ts'

/** Answers a Fetch API request. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Where a fetch handler finds the API in the URLs that it is given. */
export interface FetchOptions {
  /** The path that the API is under; `/v1` by default. */
  readonly basePath?: string
}

/**
 * Makes a `(Request) => Promise<Response>` that answers from a sandbox, for every host that speaks Fetch.
 *
 * A disconnect rejects with a `TypeError`, as a failed `fetch` does; a request that is never answered
 * rejects with its signal's reason once that aborts.
 */
export function createFetchHandler(
  sandbox: { readonly handle: Handler },
  options: FetchOptions = {},
): FetchHandler {
  const mount = (options.basePath ?? basePath).replace(/\/+$/, '')
  return async (request) => {
    const outcome = await sandbox.handle(await readRequest(request, mount))
    return await responseFrom(outcome, request.signal, () => {
      throw new TypeError('Failed to fetch: the sandbox broke the connection off, as a fault says')
    })
  }
}

/**
 * Reads a Fetch request as the engine's.
 *
 * @param mount The path that stands for `/v1`.
 */
export async function readRequest(request: Request, mount: string): Promise<ApiRequest> {
  const { method } = request
  const isBodiless = method === 'GET' || method === 'HEAD'
  return {
    method,
    url: targetOf(request.url, mount),
    headers: headersFrom([...request.headers].flat()),
    body: isBodiless ? '' : decodeBody(await readBody(request)),
  }
}

/** The request target of a URL; the part of it up to the mount is taken for `/v1`. */
function targetOf(url: string, mount: string): string {
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  const rest = target.slice(mount.length)
  const isUnder =
    target.startsWith(mount) && (rest === '' || rest.startsWith('/') || rest.startsWith('?'))
  return isUnder ? `${basePath}${rest}` : target || '/'
}

/** Reads a body, to one byte past the limit at most. */
async function readBody({ body }: Request): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.byteLength
    if (length <= maxBodyBytes) continue
    await reader.cancel()
    return new Uint8Array(maxBodyBytes + 1)
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/**
 * Turns an outcome into a Fetch response.
 *
 * @param signal Ends the wait of a request that is never answered.
 * @param disconnect What stands for a broken connection in the host.
 */
export async function responseFrom(
  outcome: Outcome,
  signal: AbortSignal,
  disconnect: () => Response,
): Promise<Response> {
  switch (outcome.kind) {
    case 'reply':
      return new Response(outcome.body, { status: outcome.status, headers: spelt(outcome.headers) })
    case 'broken-reply':
      return new Response(streamOf(outcome), {
        status: outcome.status,
        headers: spelt(outcome.headers),
      })
    case 'disconnect':
      return disconnect()
    case 'timeout':
      return await untilAborted(signal)
  }
}

function spelt(headers: MessageHeaders): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [spellHeader(name), value])
}

/** A body in pieces; one that is reset fails its reader, one that is closed just ends too early. */
function streamOf({ pieces, end }: BrokenReply): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done !== true) controller.enqueue(encoder.encode(value))
      else if (end === 'reset') controller.error(new TypeError('The connection was reset'))
      else controller.close()
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

/** Never answers; rejects with the signal's reason when the client gives up. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
