import { type GapSettings, parseGaps } from '../contract/gap-settings.ts'
import { replyOf, type WhatIf } from '../control/reports/counterfactual-report.ts'
import { InputError } from '../input/input-error.ts'
import type { Beginning } from '../state/beginning.ts'
import type { Journal } from '../state/journal/journal.ts'
import { digestOf } from './digest.ts'
import { knownSteps } from './known-steps.ts'
import type { KnownSteps } from './step-record.ts'
import type { Step } from './stretch.ts'
import { Turns } from './turns.ts'
import { replayable, World } from './world.ts'

/** What is replayed, up to which request. */
interface Play {
  readonly beginning: Beginning
  readonly known: KnownSteps
  readonly journal: Journal
  readonly id: number
}

/**
 * Replays what a sandbox was asked up to a request, and that request as it was and under other choices.
 *
 * @param owner Aborts when nobody waits for it any more.
 * @throws {@link InputError} for what is no choice, when the request or all is forgotten, or nobody waits.
 */
export async function whatIf(
  { beginning, known, journal, id }: Play,
  gaps: GapSettings,
  owner: AbortSignal | undefined,
): Promise<WhatIf> {
  parseGaps(gaps)
  const steps = knownSteps(known)
  const place = placeOf(id, journal, steps)
  const asked = steps[place]
  if (asked === undefined) {
    throw new InputError(
      'Cannot ask this again: the journal has only a part of the request, or it was there before the sandbox began anew; use a later one',
    )
  }
  const turns = new Turns(owner)
  const begun = replayable(beginning)
  const outcomeIn = async (world: World, choose: () => void) => {
    for (const step of steps.slice(0, place)) {
      if (turns.areDue) await turns.give()
      await world.take(step)
    }
    choose()
    const outcome = await world.take(asked)
    if (outcome !== undefined) return outcome
    throw new RangeError(`Bug: step ${place} is no request`)
  }
  const world = new World(begun)
  const instead = await outcomeIn(world, () => world.choose(gaps))
  const before = await outcomeIn(new World(begun), () => {})
  return {
    differs: digestOf(before) !== digestOf(instead),
    before: replyOf(before),
    instead: replyOf(instead),
  }
}

/** Finds the step that an exchange came of: clients ask the same again and again, and may do so at the same time. */
function placeOf(id: number, journal: Journal, steps: readonly Step[]): number {
  const { request, at } = journal.entryAfter(id - 1)?.exchange ?? {}
  let later = 0
  for (let next = journal.entryAfter(id); next !== undefined; next = journal.entryAfter(next.id)) {
    if (next.exchange.request === request && next.exchange.at === at) later++
  }
  return steps.findLastIndex(
    (step) =>
      step.kind === 'request' && step.request === request && step.at === at && later-- === 0,
  )
}
