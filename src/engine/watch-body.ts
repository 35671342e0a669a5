import { type Outcome, utf8Length } from '../contract/message.ts'
import type { Clock } from '../state/clock.ts'
import type { SentBody } from '../state/exchange.ts'

/** Lets the journal know how much of a body in pieces is sent, and when it ends. */
export function watchBody(outcome: Outcome, sent: SentBody, clock: Clock): Outcome {
  if (outcome.kind !== 'broken-reply') return outcome
  return { ...outcome, pieces: watched(outcome.pieces, sent, clock) }
}

async function* watched(
  pieces: AsyncIterable<string>,
  sent: SentBody,
  clock: Clock,
): AsyncGenerator<string> {
  let bytes = 0
  try {
    for await (const piece of pieces) {
      yield piece
      // The next one is asked for when this one is on its way.
      bytes += utf8Length(piece)
    }
  } finally {
    sent.end = { bytes, at: clock.now() }
  }
}
