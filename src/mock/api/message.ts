import type { LateBetween } from './real-time.ts'

/** Headers by lower-case name; the values of a repeated header are joined with `, `, as in Fetch. */
export type Headers = Readonly<Record<string, string>>

/** The body of a request as its host has read it. */
export interface ReadBody {
  /** The text: `''` if there is no body or it is too large; a lone surrogate replaces bytes that are not UTF-8. */
  readonly body: string
  /**
   * Number of bytes of a body that `body` can't contain because it is too large or not UTF-8; a lower bound if the
   * client declared no length.
   */
  readonly bodyBytes?: number | undefined
}

/** A request as the engine reads it: plain data, independent of the host's own type. */
export interface ApiRequest extends ReadBody {
  /** The method, in upper case. */
  readonly method: string
  /** The request target: path and query, such as `/v1/pets?limit=2`. */
  readonly url: string
  /** The headers by lower-case name. */
  readonly headers: Headers
  /** Header lines that the host adds to the response, alternating names and values; absent if it sends no HTTP. */
  readonly addedLines?: readonly string[] | undefined
  /** Whether its host decides which pages can read the response, which then has no CORS headers. */
  readonly hasHostCors?: true | undefined
  /** Reason why the host couldn't read the request, if it couldn't; the engine then returns 400. */
  readonly unreadable?: string | undefined
}

/** A complete response. */
export interface ApiResponse {
  /** Kind of outcome: a complete response. */
  readonly kind: 'response'
  /** The HTTP status. */
  readonly status: number
  /** The headers by lower-case name. */
  readonly headers: Headers
  /** The text of the body. */
  readonly body: string
}

/** A response whose body is sent in pieces or breaks off because of a fault. */
export interface BrokenResponse {
  /** Kind of outcome: a response that is sent in pieces or breaks off. */
  readonly kind: 'broken-response'
  /** The HTTP status. */
  readonly status: number
  /** The headers by lower-case name. */
  readonly headers: Headers
  /** The whole body; `Content-Length` is its length. */
  readonly body: string
  /** The pieces of the body to send; each is requested when it is due. */
  readonly pieces: AsyncIterable<string>
  /** Handling of the connection after the last piece: it stays open, closes, or is reset. */
  readonly end: 'whole' | 'close' | 'reset'
}

/** No response: the connection is reset before the first byte. */
export interface Disconnect {
  /** Kind of outcome: the connection is reset. */
  readonly kind: 'disconnect'
}

/** No response: the request stays open. */
export interface Timeout {
  /** Kind of outcome: the request never gets a response. */
  readonly kind: 'timeout'
  /** Resolves when the client has disconnected, or the sandbox was reset or removed. */
  readonly ended: Promise<void>
}

/** The outcome of a request. */
export type Outcome = ApiResponse | BrokenResponse | Disconnect | Timeout

/** The adapters through which requests reach a sandbox; `direct` is a call of its `handle`. */
export const adapterNames = ['direct', 'fetch', 'msw', 'playwright', 'express', 'server'] as const

/** Name of the adapter that a request came through; `direct` is a call of the sandbox's `handle`. */
export type AdapterName = (typeof adapterNames)[number]

/** A request that has arrived, as the request log identifies it. */
export interface Arrived {
  /** The place of its start in the sequence of all events of the sandbox. */
  readonly startOrder: number
}

/** Lifecycle hooks that an adapter calls for each request. */
export interface Arrivals {
  /**
   * Records that a request begins to arrive.
   *
   * @param connectedMs Time at which its connection was opened, in real milliseconds.
   */
  arrive(adapter: AdapterName, connection?: number, connectedMs?: number): Arrived
  /** Records that nothing more of its response will be sent. */
  close(arrived: Arrived): void
  /** Records that its client left before it had the whole response. */
  abort(arrived: Arrived): void
}

/**
 * Records that an adapter is done with a request.
 *
 * @param signal Has aborted if the client left before the end.
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

/** Returns whether a request's signal aborted because its client left, and not because the server stops. */
export function hasLeft(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason !== serverStops
}

/**
 * Handles one request; never rejects, whatever the client sends.
 *
 * @param signal Aborts when the client leaves; all waits for the response then end at once.
 * @param arrived The return value of `arrivals.arrive()`; the adapter that called it closes it.
 */
export type Handler = (
  request: ApiRequest,
  signal?: AbortSignal,
  arrived?: Arrived,
) => Promise<Outcome>

/** The part of a sandbox that adapters use. */
export interface RequestTarget {
  /** Handles a request and returns its outcome. */
  readonly handle: Handler
  /** Without it, a request starts when it is handled. */
  readonly arrivals?: Arrivals
  /** Gap values that limit pages of other origins; by default they can do everything. */
  readonly gaps?: {
    /** Value of the gap `cors`: whether pages of other origins can call the API. */
    readonly cors: unknown
    /** Value of the gap `exposedHeaders`: the response headers that pages of other origins can read. */
    readonly exposedHeaders: unknown
  }
  /** Takes what measures the event loop of the host, as far as the host may be late. */
  readonly useLateness?: (lateBetween: LateBetween) => void
}

/** The abort reason of a request's signal if the server stops, and not if the client leaves. */
export const serverStops = 'the server stops'

const encoder = new TextEncoder()

/** Counts the bytes of a string in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length
}

/** Returns a part of a text; unlike a slice, it doesn't keep the whole text in memory. */
export function copyPart(text: string, start: number, end: number): string {
  return String(JSON.parse(JSON.stringify(text.slice(start, end))))
}
