import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../contract/error.ts'

/**
 * Gives a body while it comes in: a chunk in each turn of the event loop, so that others are answered meanwhile.
 *
 * @param declared The `Content-Length`.
 * @throws {@link ApiError} for one that is too large, as soon as that is known.
 */
export async function* incomingBody(
  request: IncomingMessage,
  maxBytes: number,
  declared: string | undefined,
): AsyncGenerator<Uint8Array, void> {
  let left = maxBytes
  if (Number(declared) > left) throw tooLarge(maxBytes)
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('Cannot read the body: it is decoded')
    left -= chunk.length
    if (left < 0) throw tooLarge(maxBytes)
    yield chunk
    await nextTurn()
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'payload_too_large',
    `Cannot read the body: it is larger than ${maxBytes / 2 ** 20} MiB; send less`,
  )
}
