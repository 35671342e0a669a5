import {
  type ChoiceEffect,
  type Counterfactual,
  type CounterfactualOptions,
  counterfactualOptions,
  earlierRequests,
  replyOf,
  type WhatIf,
} from '../../mock/controls/reports.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { definedOf } from '../../mock/input/record.ts'
import { readInput } from '../../mock/input/schema.ts'
import type { KnownSteps, RequestStep } from '../../mock/log/recording.ts'
import {
  formatValue,
  type GapChoices,
  type GapSettings,
  unpromisedGaps,
} from '../../mock/spec/gaps.ts'
import type { Outcome } from '../../mock/spec/message.ts'
import { Breaks } from '../../mock/spec/real-time.ts'
import type { SandboxConfig } from '../../mock/state/beginning.ts'
import { otherChoices } from './choices.ts'
import { capturedOutcome, changesBetween } from './outcomes.ts'
import { World } from './world.ts'

/** What is replayed. */
export interface Play {
  readonly beginning: SandboxConfig
  readonly known: KnownSteps
}

/** A request that was answered, and what becomes of it in a replay. */
interface Replayed {
  readonly number: number
  readonly request: RequestStep['request']
  readonly outcome: Outcome
}

/** Replays all, under another choice if one is given; returns the requests that were answered. */
async function* replayed(
  { beginning, known }: Play,
  breaks: Breaks,
  other?: Partial<GapChoices>,
): AsyncGenerator<Replayed> {
  await breaks.take()
  const world = new World(beginning, other)
  for (const step of known.steps) {
    await breaks.take()
    const outcome = await world.take(step)
    if (outcome === undefined || step.do !== 'request') continue
    const { request, number } = step
    // One that still waits for its answer has none that could have been another.
    if (number !== undefined) yield { number, request, outcome }
  }
}

/**
 * Replays what a sandbox was asked, once for each other choice at each gap, and says which of them change any reply.
 *
 * @param owner Aborts when nobody waits for it any more.
 * @throws {@link InputError} when nobody waits.
 */
export async function counterfactual(
  play: Play,
  options: CounterfactualOptions,
  owner: AbortSignal | undefined,
): Promise<Counterfactual> {
  const { replies, count } = readInput(counterfactualOptions, options, 'counterfactual')
  const { beginning, known } = play
  const breaks = new Breaks(owner)
  const baseline: Replayed[] = []
  for await (const one of replayed(play, breaks)) baseline.push(one)
  const effectOf = async (other: Partial<GapChoices>): Promise<ChoiceEffect> => {
    let first: { readonly before: Replayed; readonly instead: Outcome } | undefined
    const ids: number[] = []
    let place = 0
    for await (const { outcome } of replayed(play, breaks, other)) {
      const before = baseline[place++]
      if (before === undefined || isSame(before.outcome, outcome)) continue
      first ??= { before, instead: outcome }
      ids.push(before.number)
      if (!count) break
    }
    if (first === undefined) return { matters: false }
    return {
      matters: true,
      first: first.before.number,
      ...(count ? { requests: ids.length, ids: ids.slice(0, 5) } : {}),
      ...(replies ? { replies: shown(first.before, first.instead, beginning) } : {}),
    }
  }
  const gaps: Record<string, Record<string, ChoiceEffect>> = {}
  for (const { gap, choice } of otherChoices(beginning.gaps)) {
    const effect = await effectOf({ [gap]: choice })
    gaps[gap] = { ...gaps[gap], [String(formatValue(gap, choice))]: effect }
  }
  const earlier = known.earlier && earlierRequests.encode(known.earlier)
  return {
    exchanges: baseline.length,
    ...definedOf({ earlier }),
    gaps,
    unpromised: [...unpromisedGaps],
  }
}

function isSame(one: Outcome, other: Outcome): boolean {
  return changesBetween(capturedOutcome(one), capturedOutcome(other)).length === 0
}

/** A request without the keys in it, its reply, and the other one. */
function shown({ request, outcome }: Replayed, instead: Outcome, { redactor }: SandboxConfig) {
  const token = request.headers.authorization?.replace(/^bearer +/i, '')
  return {
    method: redactor.hide(request.method, token),
    url: redactor.hide(request.url, token),
    before: replyOf(outcome),
    instead: replyOf(instead),
  }
}

/**
 * Replays what a sandbox was asked up to a request, and that request as it was and under other choices.
 *
 * @param owner Aborts when nobody waits for it any more.
 * @throws {@link InputError} for what is no choice, when the request is forgotten, or nobody waits.
 */
export async function whatIf(
  { beginning, known: { steps }, id }: Play & { readonly id: number },
  gaps: GapSettings,
  owner: AbortSignal | undefined,
): Promise<WhatIf> {
  const place = steps.findIndex((step) => step.do === 'request' && step.number === id)
  const asked = steps[place]
  if (asked === undefined) {
    throw new InputError(
      `Cannot ask request ${id} again: it is forgotten, or was asked of another sandbox; use a later one`,
    )
  }
  const breaks = new Breaks(owner)
  const outcome = async (choices: GapSettings): Promise<Outcome> => {
    const world = new World(beginning)
    for (const step of steps.slice(0, place)) {
      await breaks.take()
      await world.take(step)
    }
    await breaks.take()
    world.choose(choices)
    const found = await world.take(asked)
    if (found !== undefined) return found
    throw new RangeError(`Bug: step ${place} is not a request`)
  }
  const instead = await outcome(gaps)
  const before = await outcome({})
  return {
    differs: !isSame(before, instead),
    before: replyOf(before),
    instead: replyOf(instead),
  }
}
