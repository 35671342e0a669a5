import { spellHeader } from '../../../contract/http/headers.ts'
import {
  decodeBody,
  headersFrom,
  maxBodyBytes,
  unkeptBody,
} from '../../../contract/http/read-request.ts'
import {
  type Answering,
  type ApiRequest,
  type BrokenReply,
  type DoorName,
  type ReadBody,
  type Reply,
  utf8Length,
} from '../../../contract/message.ts'
import { headersOnWire, mayHaveBody } from '../body-rules.ts'
import { FetchClient } from './fetch-client.ts'
import { replyStream } from './reply-stream.ts'

/** What differs between the hosts that speak Fetch. */
export interface FetchDoor {
  readonly name: DoorName
  /** Returns the request target for a URL, with the API under `/v1`; it may still have a fragment. */
  readonly targetOf: (url: string) => string
  /** Returns what stands for a broken connection. */
  readonly disconnect: () => Response | Promise<Response>
  /** Returns headers to add to the reply to a request. */
  readonly headers: (request: Request) => readonly Line[]
}

/** A header line. */
export type Line = [name: string, value: string]

/**
 * Answers a request; one that is never answered ends as a broken connection once nobody can answer it any more.
 *
 * @throws The signal's reason, as soon as it aborts.
 */
export function answerFetch(
  request: Request,
  sandbox: Answering,
  door: FetchDoor,
): Promise<Response> {
  const client = new FetchClient(request.signal, sandbox.visit?.(door.name))
  return new Promise((resolve, reject) => {
    client.onLeave(reject)
    if (client.owner.aborted) return
    answerClient(client, request, sandbox, door).then(resolve, (error) => {
      client.release()
      reject(error)
    })
  })
}

async function answerClient(
  client: FetchClient,
  request: Request,
  { handle }: Answering,
  door: FetchDoor,
): Promise<Response> {
  const added = door.headers(request)
  const read = await readRequest(request, door, client)
  const sent = { ...read, addedLines: added.flat() }
  const outcome = await handle(sent, client.owner, client.visit)
  switch (outcome.kind) {
    case 'reply':
    case 'broken-reply':
      return responseTo(client, outcome, request.method, added)
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
    ...(isBodiless ? noBody : await readBody(request, client)),
  }
}

const noBody: ReadBody = { body: '' }

/**
 * Reads a body; of one that is too large only the size, as far as it is known.
 *
 * @throws The client's reason, when it leaves before the end.
 */
async function readBody(
  { body, bodyUsed, headers }: Request,
  client: FetchClient,
): Promise<ReadBody> {
  if (body === null) return noBody
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
  outcome: Reply | BrokenReply,
  method: string,
  added: readonly Line[],
): Response {
  const { status, body } = outcome
  const init = { status, headers: [...linesOf(outcome), ...added] }
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
