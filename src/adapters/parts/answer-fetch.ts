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
import { headersOnWire, mayHaveBody } from './body-rules.ts'
import { FetchClient } from './fetch-client.ts'
import { replyStream } from './reply-stream.ts'

/** What differs between the hosts that speak Fetch. */
export interface FetchDoor {
  /** Returns the request target for a URL, with the API under `/v1`; it may still have a fragment. */
  readonly targetOf: (url: string) => string
  /** Returns what stands for a broken connection. */
  readonly disconnect: () => Response
  /** Returns headers to add to a reply. */
  readonly headers: () => readonly Line[]
}

type Line = [name: string, value: string]

/**
 * Answers a request; one that is never answered ends as a broken connection once nobody can answer it any more.
 *
 * @throws The signal's reason, as soon as it aborts.
 */
export function answerFetch(request: Request, handle: Handler, door: FetchDoor): Promise<Response> {
  const client = new FetchClient(request.signal)
  return new Promise((resolve, reject) => {
    client.onLeave(reject)
    if (client.owner.aborted) return
    answerClient(client, request, handle, door).then(resolve, (error) => {
      client.release()
      reject(error)
    })
  })
}

async function answerClient(
  client: FetchClient,
  request: Request,
  handle: Handler,
  door: FetchDoor,
): Promise<Response> {
  const outcome = await handle(await readRequest(request, door, client), client.owner)
  switch (outcome.kind) {
    case 'reply':
    case 'broken-reply':
      return responseTo(client, outcome, request.method, door)
    case 'disconnect':
      client.release()
      return door.disconnect()
    case 'timeout':
      await outcome.ended
      client.release()
      return door.disconnect()
    default:
      return outcome satisfies never
  }
}

async function readRequest(
  request: Request,
  { targetOf }: FetchDoor,
  client: FetchClient,
): Promise<ApiRequest> {
  const { method } = request
  const isBodiless = method === 'GET' || method === 'HEAD'
  return {
    method,
    url: targetOf(request.url).replace(/#.*$/s, ''),
    headers: headersFrom([...request.headers].flat()),
    body: isBodiless ? '' : decodeBody(await readBody(request, client)),
  }
}

/**
 * Reads a body; one that is too large becomes one byte over the limit.
 *
 * @throws The client's reason, when it leaves before the end.
 */
async function readBody({ body, bodyUsed }: Request, client: FetchClient): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  if (bodyUsed) {
    throw new TypeError(
      'Cannot read the body: it has been read already; give the request to the sandbox first, or give it a clone',
    )
  }
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  // Not awaited: for a cloned request, as in MSW, it settles only when the clone has been read too.
  const stop = (reason?: unknown): void => void reader.cancel(reason).catch(() => {})
  client.onLeave(stop)
  for (;;) {
    const { done, value } = await reader.read()
    client.owner.throwIfAborted()
    if (done) break
    chunks.push(value)
    length += value.byteLength
    if (length <= maxBodyBytes) continue
    stop()
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

function responseTo(
  client: FetchClient,
  outcome: Reply | BrokenReply,
  method: string,
  door: FetchDoor,
): Response {
  const { status, body } = outcome
  const init = { status, headers: [...linesOf(outcome), ...door.headers()] }
  const hasBody = method !== 'HEAD' && mayHaveBody(status)
  if (outcome.kind === 'broken-reply' && hasBody) {
    return new Response(replyStream(outcome, client), init)
  }
  client.release()
  return new Response(hasBody ? body : null, init)
}

function linesOf({ status, headers, body }: Reply | BrokenReply): Line[] {
  const lines = Object.entries(headersOnWire(status, headers)).map(spellLine)
  if (mayHaveBody(status) && headers['content-length'] === undefined) {
    lines.push(['Content-Length', String(utf8Length(body))])
  }
  return lines
}

function spellLine([name, value]: Line): Line {
  return [spellHeader(name), value]
}
