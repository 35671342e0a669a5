import type { Headers, ReadBody } from '../message.ts'

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

/** What stands for bytes that are not UTF-8: text that no JSON parser accepts. */
const undecodable = '\udfff'

/** Decodes a request body from UTF-8; other bytes become a lone surrogate, which the engine refuses. */
export function decodeBody(bytes: Uint8Array): ReadBody {
  try {
    return { body: strictDecoder.decode(bytes) }
  } catch {
    return { body: undecodable, bodyBytes: bytes.length }
  }
}

/**
 * What stands for a request body that is too large to be kept, which the engine refuses.
 *
 * @param read How many of its bytes have arrived.
 * @param declared The `Content-Length`.
 */
export function unkeptBody(read: number, declared: string | null = null): ReadBody {
  const said = /^\d+$/.test(declared ?? '') ? Number(declared) : 0
  return { body: '', bodyBytes: Math.min(Math.max(read, said), Number.MAX_SAFE_INTEGER) }
}
