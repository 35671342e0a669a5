import { type BrokenReply, type Outcome, type Reply, utf8Length } from '../contract/message.ts'
import type { FaultAction, Spoiler, Time } from './fault-rules.ts'

/** What a fault does to one request. */
export interface Strike {
  /** The id of the fault. */
  readonly id: number
  /** The kind of the fault. */
  readonly fault: string
  readonly action: FaultAction
  /** How long a latency waits this time; otherwise 0. */
  readonly waitMs: number
}

/**
 * Applies to a reply the faults that strike its request; waits on the sandbox's clock.
 *
 * @param owner Ends the waits when it aborts.
 */
export async function applyFaults(
  reply: Reply,
  strikes: readonly Strike[],
  time: Time,
  owner: AbortSignal | undefined,
): Promise<Outcome> {
  await time.wait(
    strikes.reduce((sum, { waitMs }) => sum + waitMs, 0),
    owner,
  )
  const spoiler = new TimedSpoiler(time, owner)
  let outcome: Outcome = reply
  for (const { action } of strikes) {
    if (action.step === 'spoil') outcome = action.spoil(reply, spoiler)
  }
  return outcome
}

const slowPieces = 10

/** Spoils the reply to one request; waits on the sandbox's clock. */
class TimedSpoiler implements Spoiler {
  readonly #time: Time
  readonly #owner: AbortSignal | undefined

  /** @param owner Ends the waits when it aborts. */
  constructor(time: Time, owner: AbortSignal | undefined) {
    this.#time = time
    this.#owner = owner
  }

  breakOff(reply: Reply, end: 'close' | 'reset'): BrokenReply {
    return this.#inPieces(reply, this.#once(this.halfOf(reply)), end)
  }

  sendSlowly(reply: Reply, ms: number): BrokenReply {
    return this.#inPieces(reply, this.#slowly(reply.body, ms), 'whole')
  }

  halfOf({ body }: Reply): string {
    const half = Math.ceil(body.length / 2)
    const isWithinPair = /[\ud800-\udbff]$/.test(body.slice(0, half))
    return body.slice(0, isWithinPair ? half + 1 : half)
  }

  waitForEnd(): Promise<void> {
    return this.#time.wait(Number.POSITIVE_INFINITY, this.#owner)
  }

  /** Sends a reply in pieces, and then does with the connection as `end` says. */
  #inPieces(
    { status, headers, body }: Reply,
    pieces: AsyncIterable<string>,
    end: BrokenReply['end'],
  ): BrokenReply {
    const length = headers['content-length'] ?? String(utf8Length(body))
    const withLength = { ...headers, 'content-length': length }
    return { kind: 'broken-reply', status, headers: withLength, body, pieces, end }
  }

  async *#once(piece: string): AsyncGenerator<string> {
    yield piece
  }

  /** Yields a body in ten pieces over a duration; the rest at once if the sandbox is reset, none if the owner aborts. */
  async *#slowly(body: string, ms: number): AsyncGenerator<string> {
    const characters = [...body]
    const size = Math.ceil(characters.length / slowPieces)
    for (let start = 0; start < characters.length; start += size) {
      await this.#time.wait(ms / slowPieces, this.#owner)
      if (this.#owner?.aborted) return
      yield characters.slice(start, start + size).join('')
    }
  }
}
