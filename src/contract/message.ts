import type { Schema } from '../input/schema.ts'
import { text } from '../input/values.ts'

/** Headers by lower-case name; the values of one that was sent twice are joined with `, `, as in Fetch. */
export type Headers = Readonly<Record<string, string>>

/** A request as the engine reads it: plain text, whatever the host's own type. */
export interface ApiRequest {
  /** In upper case. */
  readonly method: string
  /** The request target: path and query, such as `/v1/pets?limit=2`. */
  readonly url: string
  readonly headers: Headers
  /** `''` for none; a lone surrogate stands for bytes that are not UTF-8 ({@link decodeBody}). */
  readonly body: string
  /** Why the host couldn't read the request, if it couldn't; the engine then answers 400. */
  readonly unreadable?: string
}

/** A complete answer. */
export interface Reply {
  readonly kind: 'reply'
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** A reply whose body comes in pieces or breaks off, because of a fault. */
export interface BrokenReply {
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
export type Outcome = Reply | BrokenReply | Disconnect | Timeout

/**
 * Answers one request; never rejects for anything that a client can send.
 *
 * @param owner Aborts when the client leaves; then all waits for the answer end at once.
 */
export type Handler = (request: ApiRequest, owner?: AbortSignal) => Promise<Outcome>

const method = text({ use: 'a method such as GET', pattern: /^[A-Za-z]+$/, most: 100 })

/** The name of a method from outside, read as upper case. */
export const methodName: Schema<string> = {
  ...method,
  read: (found) => method.read(found).toUpperCase(),
}

/** Why the owner of a request aborts when it is its host that ends, and not the client that leaves. */
export const serverStops = 'the server stops'

/** The largest request body in bytes; a larger one is refused with 413. */
export const maxBodyBytes = 1_048_576

/** Makes {@link Headers} from alternating names and values, such as Node's `rawHeaders`. */
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

/** What {@link decodeBody} returns for bytes that are not UTF-8: text that no JSON parser accepts. */
const undecodable = '\udfff'

/** Decodes a request body from UTF-8; other bytes become a lone surrogate, which the engine refuses. */
export function decodeBody(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return undecodable
  }
}

/** Counts the bytes of a string in UTF-8. */
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
