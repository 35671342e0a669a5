import { spellHeader } from '../../contract/headers.ts'
import {
  type ApiRequest,
  type BrokenReply,
  decodeBody,
  type Handler,
  headersFrom,
  maxBodyBytes,
  type Reply,
  utf8Length,
} from '../../contract/message.ts'

/** What is different where Fetch is spoken. */
export interface FetchHost {
  /** Gives the request target of a URL, in which the API is under `/v1`; a fragment is left out later. */
  readonly targetOf: (url: string) => string
  /** Gives what stands for a broken connection. */
  readonly disconnect: () => Response
  /** Gives headers to add to a reply. */
  readonly headers: () => readonly [name: string, value: string][]
}

/**
 * Answers a request, and waits no longer than its client does; one that is never answered waits until then.
 *
 * @throws The reason of the request's signal, once it aborts.
 */
export function answerFetch(request: Request, handle: Handler, host: FetchHost): Promise<Response> {
  const { method, signal } = request
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason)
    if (signal.aborted) {
      giveUp()
      return
    }
    signal.addEventListener('abort', giveUp, { once: true })
    readRequest(request, host)
      .then(handle)
      .then((outcome) => {
        if (outcome.kind === 'timeout') return
        signal.removeEventListener('abort', giveUp)
        resolve('status' in outcome ? responseFrom(outcome, method, host) : host.disconnect())
      })
      .catch(reject)
  })
}

async function readRequest(request: Request, { targetOf }: FetchHost): Promise<ApiRequest> {
  const { method } = request
  const isBodiless = method === 'GET' || method === 'HEAD'
  return {
    method,
    url: targetOf(request.url).replace(/#.*$/s, ''),
    headers: headersFrom([...request.headers].flat()),
    body: isBodiless ? '' : decodeBody(await readBody(request)),
  }
}

/** Reads a body, to one byte past the limit at most. */
async function readBody({ body, bodyUsed }: Request): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  if (bodyUsed) {
    throw new TypeError(
      'Cannot read the body: something else has read it; give the sandbox the request first, or a clone of it',
    )
  }
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.byteLength
    if (length <= maxBodyBytes) continue
    // Not awaited: of a request that was cloned, as MSW does, it ends only when the clone is read too.
    reader.cancel().catch(() => {})
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

function responseFrom(outcome: Reply | BrokenReply, method: string, host: FetchHost): Response {
  const { status, headers } = outcome
  const lines = Object.entries(headers).map(spelt)
  if (headers['content-length'] === undefined) {
    lines.push(['Content-Length', String(utf8Length(outcome.body))])
  }
  const init = { status, headers: [...lines, ...host.headers()] }
  if (method === 'HEAD') return new Response(null, init)
  return new Response(outcome.kind === 'reply' ? outcome.body : streamOf(outcome), init)
}

function spelt([name, value]: [string, string]): [string, string] {
  return [spellHeader(name), value]
}

/** A body in pieces; one that breaks off fails its reader, whichever way it breaks off on a wire. */
function streamOf({ pieces, end }: BrokenReply): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      // Hosts that send headers together with the first piece, as MSW in Node does, are to send them at once.
      controller.enqueue(new Uint8Array())
    },
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done !== true) {
        controller.enqueue(encoder.encode(value))
        return
      }
      if (end === 'whole') {
        controller.close()
        return
      }
      // What was sent is to arrive before the connection is broken off.
      await nextTask()
      controller.error(new TypeError('The connection was broken off, as a fault says'))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

/** Waits for the host's next task; a test that has faked its timers does not hold it up. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
