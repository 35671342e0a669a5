/** Header fields by lower-case name; a field that was sent twice is one value joined with `, `, as in Fetch. */
export type Headers = Readonly<Record<string, string>>

/** A request as the engine reads it: text only, of no host's own kind. */
export interface ApiRequest {
  /** In upper case, as HTTP has it. */
  readonly method: string
  /** The request target: path and query, such as `/v1/pets?limit=2`. */
  readonly url: string
  readonly headers: Headers
  /** `''` when there is none; a lone surrogate stands for a byte that is not UTF-8 ({@link decodeBody}). */
  readonly body: string
  /** Why the host could not read the request, where it could not; it is then refused with 400. */
  readonly unreadable?: string
}

/** A complete answer. */
export interface Reply {
  readonly kind: 'reply'
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** A reply whose body comes in pieces, or breaks off: what a fault makes of one. */
export interface BrokenReply {
  readonly kind: 'broken-reply'
  readonly status: number
  readonly headers: Headers
  /** The body as it would be whole; `Content-Length` counts it. */
  readonly body: string
  /** What is sent of the body, piece by piece; the next one is asked for when it is to be sent. */
  readonly pieces: AsyncIterable<string>
  /** How the connection goes on after the last piece: as usual, closed, or reset. */
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

/** What becomes of a request. */
export type Outcome = Reply | BrokenReply | Disconnect | Timeout

/**
 * Answers one request; never rejects for anything that a client can send.
 *
 * @param owner Aborts when the client leaves; then all that waits for its answer ends at once.
 */
export type Handler = (request: ApiRequest, owner?: AbortSignal) => Promise<Outcome>

/** The largest request body, in bytes; one byte more is refused with 413. */
export const maxBodyBytes = 1_048_576

/** Makes {@link Headers} of names and values in turn, as Node's `rawHeaders` has them. */
export function headersFrom(lines: readonly string[]): Headers {
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const name = (lines[index] ?? '').toLowerCase()
    const value = lines[index + 1] ?? ''
    const earlier = headers[name]
    headers[name] = typeof earlier === 'string' ? `${earlier}, ${value}` : value
  }
  return headers
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What {@link decodeBody} gives for bytes that are not UTF-8: text that no JSON reader accepts. */
const undecodable = '\udfff'

/** Decodes a request body from UTF-8; bytes that are none become a lone surrogate, which the engine refuses. */
export function decodeBody(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return undecodable
  }
}

/** Counts the bytes that a text takes in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else bytes += 2
    const isPair =
      unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
    if (isPair) index++
  }
  return bytes
}
