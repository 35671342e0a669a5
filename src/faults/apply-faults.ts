import type { ApiError } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import type { Outcome, Reply } from '../contract/message.ts'
import type { FaultAction, Time } from './fault-kind.ts'
import { TimedSpoiler } from './spoil.ts'

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
 * The refusal by which a fault replaces the operation.
 *
 * @param now Unix milliseconds.
 */
export function refusalByFault(
  strikes: readonly Strike[],
  now: number,
  gaps: GapChoices,
): ApiError | undefined {
  for (const { action } of strikes) if (action.step === 'refuse') return action.refusal(now, gaps)
  return undefined
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
