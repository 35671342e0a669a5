import { ApiError, type ErrorCode, errorCodes } from '../contract/error.ts'
import { type Outcome, type Reply, utf8Length } from '../contract/message.ts'
import type { Clock } from '../state/clock.ts'
import type { Strike } from '../state/faults.ts'

/** The refusal that a `status` fault puts in the operation's place. */
export function faultRefusal(strikes: readonly Strike[]): ApiError | undefined {
  for (const { effect } of strikes) {
    if (effect.kind !== 'status') continue
    const { status } = effect
    return new ApiError(codeOf(status), `Cannot answer the request: a fault asks for ${status}`, {
      status,
    })
  }
  return undefined
}

function codeOf(status: number): ErrorCode {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  return (
    codes.find((code) => errorCodes[code].status === status) ??
    (status < 500 ? 'invalid_request' : 'internal_error')
  )
}

/** Lets the faults that strike a request do to its reply what they do; waits are on the sandbox's clock. */
export async function applyFaults(
  reply: Reply,
  strikes: readonly Strike[],
  clock: Clock,
): Promise<Outcome> {
  await clock.wait(strikes.reduce((sum, { waitMs }) => sum + waitMs, 0))
  let outcome: Outcome = reply
  for (const { effect } of strikes) {
    switch (effect.kind) {
      case 'timeout':
        outcome = { kind: 'timeout' }
        break
      case 'disconnect':
        outcome =
          effect.when === 'before'
            ? { kind: 'disconnect' }
            : broken(reply, [firstHalf(reply)], 'reset')
        break
      case 'truncated-body':
        outcome = broken(reply, [firstHalf(reply)], 'close')
        break
      case 'malformed-json':
        // The reply to a HEAD has none.
        if (reply.body !== '') outcome = { ...reply, body: `${firstHalf(reply)}<` }
        break
      case 'slow-body':
        outcome = broken(reply, slowly(reply.body, effect.ms, clock), 'whole')
        break
    }
  }
  return outcome
}

function broken(
  { status, headers, body }: Reply,
  pieces: AsyncIterable<string> | readonly string[],
  end: 'whole' | 'close' | 'reset',
): Outcome {
  const length = headers['content-length'] ?? String(utf8Length(body))
  const withLength = { ...headers, 'content-length': length }
  const sent = Symbol.asyncIterator in pieces ? pieces : inTurn(pieces)
  return { kind: 'broken-reply', status, headers: withLength, body, pieces: sent, end }
}

async function* inTurn(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

/** The first half of a body; not through the middle of a character. */
function firstHalf({ body }: Reply): string {
  const half = Math.ceil(body.length / 2)
  const isWithinPair = /[\ud800-\udbff]$/.test(body.slice(0, half))
  return body.slice(0, isWithinPair ? half + 1 : half)
}

const slowPieces = 10

/** Gives a body in ten pieces over a duration. */
async function* slowly(body: string, ms: number, clock: Clock): AsyncGenerator<string> {
  const characters = [...body]
  const size = Math.max(1, Math.ceil(characters.length / slowPieces))
  let isClockInUse = true
  for (let start = 0; start < characters.length; start += size) {
    const dueAt = clock.now() + ms / slowPieces
    if (isClockInUse) await clock.wait(ms / slowPieces)
    // A wait ends early only on a clock that was given up, and that nobody can move any more.
    isClockInUse &&= clock.now() >= dueAt
    yield characters.slice(start, start + size).join('')
  }
}
