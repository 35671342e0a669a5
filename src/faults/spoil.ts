import { type BrokenReply, type Reply, utf8Length } from '../contract/message.ts'
import type { Time } from './fault-kind.ts'

/** Sends a reply in pieces, and then does with the connection as `end` says. */
export function breakOff(
  { status, headers, body }: Reply,
  pieces: AsyncIterable<string> | readonly string[],
  end: BrokenReply['end'],
): BrokenReply {
  const length = headers['content-length'] ?? String(utf8Length(body))
  const withLength = { ...headers, 'content-length': length }
  const sent = Symbol.asyncIterator in pieces ? pieces : inTurn(pieces)
  return { kind: 'broken-reply', status, headers: withLength, body, pieces: sent, end }
}

async function* inTurn(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

/** The first half of a reply's body, cut between characters. */
export function halfOf({ body }: Reply): string {
  const half = Math.ceil(body.length / 2)
  const isWithinPair = /[\ud800-\udbff]$/.test(body.slice(0, half))
  return body.slice(0, isWithinPair ? half + 1 : half)
}

const slowPieces = 10

/** Yields a body in ten pieces over a duration; the rest at once if the sandbox is reset, none if the owner aborts. */
export async function* sendSlowly(
  body: string,
  ms: number,
  time: Time,
  owner: AbortSignal | undefined,
): AsyncGenerator<string> {
  const characters = [...body]
  const size = Math.ceil(characters.length / slowPieces)
  for (let start = 0; start < characters.length; start += size) {
    await time.wait(ms / slowPieces, owner)
    if (owner?.aborted) return
    yield characters.slice(start, start + size).join('')
  }
}
