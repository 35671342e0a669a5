import { type GapSettings, parseGaps } from '../contract/gap-settings.ts'
import type { Outcome } from '../contract/message.ts'
import { replyOf, type WhatIf } from '../control/reports/counterfactual-report.ts'
import { InputError } from '../input/input-error.ts'
import type { Beginning } from '../state/beginning.ts'
import { digestOf } from './digest.ts'
import { knownSteps } from './known-steps.ts'
import type { KnownSteps } from './step-record.ts'
import { Turns } from './turns.ts'
import { replayable, World } from './world.ts'

/** What is replayed, up to which request. */
interface Play {
  readonly beginning: Beginning
  readonly known: KnownSteps
  readonly id: number
}

/**
 * Replays what a sandbox was asked up to a request, and that request as it was and under other choices.
 *
 * @param owner Aborts when nobody waits for it any more.
 * @throws {@link InputError} for what is no choice, when the request or all is forgotten, or nobody waits.
 */
export async function whatIf(
  { beginning, known, id }: Play,
  gaps: GapSettings,
  owner: AbortSignal | undefined,
): Promise<WhatIf> {
  parseGaps(gaps)
  const steps = knownSteps(known)
  const place = steps.findIndex((step) => step.kind === 'request' && step.number === id)
  const asked = steps[place]
  if (asked === undefined) {
    throw new InputError(
      `Cannot ask request ${id} again: it is forgotten, or was asked of another sandbox; use a later one`,
    )
  }
  const turns = new Turns(owner)
  const begun = replayable(beginning)
  const outcome = async (choose: (world: World) => void): Promise<Outcome> => {
    await turns.give()
    const world = new World(begun)
    for (const step of steps.slice(0, place)) {
      if (turns.areDue) await turns.give()
      await world.take(step)
    }
    choose(world)
    const found = await world.take(asked)
    if (found !== undefined) return found
    throw new RangeError(`Bug: step ${place} is no request`)
  }
  const instead = await outcome((world) => world.choose(gaps))
  const before = await outcome(() => {})
  return {
    differs: digestOf(before) !== digestOf(instead),
    before: replyOf(before),
    instead: replyOf(instead),
  }
}
