import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../contract/error.ts'
import { serverStops } from '../contract/message.ts'
import type { Rooms } from './node/rooms.ts'

/** The longest body that need not wait for others, in bytes. */
const mostShort = 1_048_576

/** How a body comes in. */
interface Incoming {
  readonly maxBytes: number
  /** The `Content-Length`. */
  readonly declared: string | undefined
  /** For those that are long, or don't say how long they are. */
  readonly rooms: Rooms
  /** Aborts when nobody waits for it any more. */
  readonly owner: AbortSignal
}

/**
 * A body that is given while it comes in: a chunk in each turn of the event loop, so that others are answered meanwhile.
 * It waits for room before any of it is read.
 */
export class IncomingBody implements AsyncIterable<Uint8Array> {
  readonly #request: IncomingMessage
  readonly #incoming: Incoming
  #leaveRoom: (() => void) | undefined

  constructor(request: IncomingMessage, incoming: Incoming) {
    this.#request = request
    this.#incoming = incoming
  }

  /**
   * @throws {@link ApiError} for one that is too large, as soon as that is known, and when the server stops before it has
   * room; the reason for which its owner aborts.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    const { maxBytes, declared, owner } = this.#incoming
    let left = maxBytes
    if (Number(declared) > left) throw tooLarge(maxBytes)
    if (declared === undefined || Number(declared) > mostShort) await this.#enter()
    const chunks = this.#request.iterator({ destroyOnReturn: false })
    for (;;) {
      const { done, value: chunk } = await unlessLeft(chunks.next(), owner)
      if (done === true) return
      if (!(chunk instanceof Uint8Array)) throw new TypeError('Cannot read the body: it is decoded')
      left -= chunk.length
      if (left < 0) throw tooLarge(maxBytes)
      yield chunk
      await nextTurn()
    }
  }

  /** Gives back the room that it has, if any. */
  release(): void {
    this.#leaveRoom?.()
  }

  async #enter(): Promise<void> {
    const { rooms, owner } = this.#incoming
    try {
      this.#leaveRoom = await rooms.room(owner)
    } catch (reason) {
      if (reason !== serverStops) throw reason
      const message = 'Cannot read the body: the server stops, and others came before it'
      throw new ApiError('internal_error', message, { status: 503 })
    }
  }
}

/** Gives what is coming, unless the owner aborts before; what is being read may end while the server stops. */
function unlessLeft<Coming>(coming: Promise<Coming>, owner: AbortSignal): Promise<Coming> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      if (owner.reason !== serverStops) reject(owner.reason)
    }
    if (owner.aborted) leave()
    owner.addEventListener('abort', leave, { once: true })
    const settled = (): void => owner.removeEventListener('abort', leave)
    coming.then(resolve, reject).then(settled)
  })
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'payload_too_large',
    `Cannot read the body: it is larger than ${maxBytes / 2 ** 20} MiB; send less`,
  )
}
