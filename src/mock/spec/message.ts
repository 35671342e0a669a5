import type { LateBetween } from './real-time.ts'

/** Headers by lower-case name; the values of one that was sent twice are joined with `, `, as in Fetch. */
export type Headers = Readonly<Record<string, string>>

/** The body of a request as its host has read it. */
export interface ReadBody {
  /** `''` for none, and for one that is too large; a lone surrogate stands for bytes that are not UTF-8. */
  readonly body: string
  /** How many bytes it has, if `body` can't have them: too many, or not UTF-8. At least so many if nobody said. */
  readonly bodyBytes?: number | undefined
}

/** A request as the engine reads it: plain text, whatever the host's own type. */
export interface ApiRequest extends ReadBody {
  /** In upper case. */
  readonly method: string
  /** The request target: path and query, such as `/v1/pets?limit=2`. */
  readonly url: string
  readonly headers: Headers
  /** Header lines that the host adds to the reply, names and values in turn; absent if it sends no HTTP. */
  readonly addedLines?: readonly string[] | undefined
  /** Whether its host decides which pages can read the response, which then has no CORS headers. */
  readonly hasHostCors?: true | undefined
  /** Why the host couldn't read the request, if it couldn't; the engine then answers 400. */
  readonly unreadable?: string | undefined
}

/** A complete answer. */
export interface ApiResponse {
  readonly kind: 'reply'
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** A reply whose body comes in pieces or breaks off, because of a fault. */
export interface BrokenResponse {
  readonly kind: 'broken-reply'
  readonly status: number
  readonly headers: Headers
  /** The whole body, whose length `Content-Length` gives. */
  readonly body: string
  /** The pieces of the body that are sent; each is asked for when it is due. */
  readonly pieces: AsyncIterable<string>
  /** What becomes of the connection after the last piece: it stays, closes, or is reset. */
  readonly end: 'whole' | 'close' | 'reset'
}

/** No reply: the connection is reset before one. */
export interface Disconnect {
  readonly kind: 'disconnect'
}

/** No reply: the request is never answered. */
export interface Timeout {
  readonly kind: 'timeout'
  /** Resolves when nobody waits any more: the client has left, or the sandbox was reset or dropped. */
  readonly ended: Promise<void>
}

/** What a request leads to. */
export type Outcome = ApiResponse | BrokenResponse | Disconnect | Timeout

/** The ways in to a sandbox; `direct` is a call of its `handle`. */
export const adapterNames = ['direct', 'fetch', 'msw', 'playwright', 'express', 'server'] as const

export type AdapterName = (typeof adapterNames)[number]

/** A request that has arrived, as the log of its sandbox knows it. */
export interface Arrived {
  /** The place of its start in the sequence of all that happens to the sandbox. */
  readonly startOrder: number
}

/** Notes of adapters on the way of a request in and of its response out. */
export interface Arrivals {
  /** A request begins to come in. */
  arrive(adapter: AdapterName, connection?: number): Arrived
  /** No more of its response will come. */
  close(arrived: Arrived): void
  /** Its client has left before it had the whole response. */
  abort(arrived: Arrived): void
}

/**
 * Notes that an adapter has nothing left to do for a request.
 *
 * @param signal Has aborted if the client left before.
 */
export function finish(
  { arrivals }: RequestTarget,
  arrived: Arrived | undefined,
  signal: AbortSignal,
): void {
  if (arrived === undefined) return
  if (hasLeft(signal)) arrivals?.abort(arrived)
  else arrivals?.close(arrived)
}

/** Whether a request's owner has aborted because its client left, and not because the server stops. */
export function hasLeft(owner: AbortSignal | undefined): boolean {
  return owner?.aborted === true && owner.reason !== serverStops
}

/**
 * Answers one request; never rejects for anything that a client can send.
 *
 * @param owner Aborts when the client leaves; then all waits for the answer end at once.
 * @param arrived What `arrivals.arrive()` returned; its adapter closes it.
 */
export type Handler = (
  request: ApiRequest,
  owner?: AbortSignal,
  arrived?: Arrived,
) => Promise<Outcome>

/** What an adapter needs of a sandbox. */
export interface RequestTarget {
  readonly handle: Handler
  /** Without it, a request begins when it is handled. */
  readonly arrivals?: Arrivals
  /** What it lets pages of other origins do; by default everything. */
  readonly gaps?: Readonly<Record<'cors' | 'exposedHeaders', unknown>>
  /** Takes what measures the event loop of the host, as far as the host may be late. */
  readonly useLateness?: (lateBetween: LateBetween) => void
}

/** Why the owner of a request aborts when it is its host that ends, and not the client that leaves. */
export const serverStops = 'the server stops'

const encoder = new TextEncoder()

/** Counts the bytes of a string in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length
}
