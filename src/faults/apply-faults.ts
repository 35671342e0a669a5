import type { ApiError } from '../contract/error.ts'
import type { Outcome, Reply } from '../contract/message.ts'
import type { FaultAction, Time } from './fault-kind.ts'

/** What a fault does to one request. */
export interface Strike {
  /** That of the fault. */
  readonly id: number
  /** Its kind. */
  readonly fault: string
  readonly action: FaultAction
  /** How long it makes the answer wait this time. */
  readonly waitMs: number
}

/** The refusal that one of the faults puts in the operation's place. */
export function refusalByFault(strikes: readonly Strike[]): ApiError | undefined {
  for (const { action } of strikes) if (action.step === 'refuse') return action.refusal()
  return undefined
}

/**
 * Lets the faults that strike a request do to its reply what they do; waits are on the sandbox's clock.
 *
 * @param owner Ends the waits when the client leaves.
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
  let outcome: Outcome = reply
  for (const { action } of strikes) {
    if (action.step === 'spoil') outcome = action.spoil(reply, time, owner)
  }
  return outcome
}
