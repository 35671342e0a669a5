import { type GapSettings, parseGaps } from '../contract/gap-settings.ts'
import { formatChoice } from '../contract/gaps.ts'
import type { Outcome } from '../contract/message.ts'
import { unpromisedGaps } from '../contract/openapi/gap-descriptions.ts'
import {
  type ChoiceEffect,
  type Counterfactual,
  type CounterfactualOptions,
  counterfactualOptions,
  earlierRequests,
  replyOf,
  type WhatIf,
} from '../control/reports.ts'
import { InputError } from '../input/input-error.ts'
import { definedOf } from '../input/record.ts'
import { readInput } from '../input/schema.ts'
import type { Beginning } from '../state/beginning.ts'
import type { Redactor } from '../state/redactor.ts'
import { type GapChoice, otherChoices } from './choices.ts'
import { digestOf } from './digest.ts'
import { type KnownSteps, knownSteps, type Step } from './step-record.ts'
import { replayable, Turns, World } from './world.ts'

/** What is replayed. */
export interface Play {
  readonly beginning: Beginning
  readonly known: KnownSteps
}

/**
 * Replays what a sandbox was asked, once for each other choice at each gap, and says which of them change any reply.
 *
 * @param owner Aborts when nobody waits for it any more.
 * @throws {@link InputError} when all is forgotten, or nobody waits.
 */
export async function counterfactual(
  { beginning, known }: Play,
  options: CounterfactualOptions,
  owner: AbortSignal | undefined,
): Promise<Counterfactual> {
  const { replies, count } = readInput(counterfactualOptions, options, 'counterfactual')
  const replay = new Replay(beginning, knownSteps(known), owner)
  const baseline = await replay.digests()
  const effects: { other: GapChoice; difference: Difference | undefined }[] = []
  for (const other of otherChoices(beginning.gaps)) {
    const difference = await replay.difference(other, baseline, count ? 'all' : 'first')
    effects.push({ other, difference })
  }
  const numbers = effects.flatMap(({ difference }) => difference?.number ?? [])
  const shown = await replay.shown(new Set(replies ? numbers : []))
  const gaps: Record<string, Record<string, ChoiceEffect>> = {}
  for (const { other, difference } of effects) {
    const choice = String(formatChoice(other.gap, other.choice))
    gaps[other.gap] = { ...gaps[other.gap], [choice]: effectOf(difference, shown) }
  }
  const earlier = known.earlier && earlierRequests.write(known.earlier)
  return {
    exchanges: baseline.length,
    ...definedOf({ earlier }),
    gaps,
    unpromised: [...unpromisedGaps],
  }
}

/** Which request gets another reply, which, and, if they were counted, how many do. */
interface Difference {
  readonly number: number
  readonly outcome: Outcome
  readonly requests: number | undefined
}

/** A request as it is shown, and its reply at the baseline choices. */
type Shown = Pick<NonNullable<ChoiceEffect['replies']>, 'method' | 'url' | 'before'>

function effectOf(
  difference: Difference | undefined,
  shown: ReadonlyMap<number, Shown>,
): ChoiceEffect {
  if (difference === undefined) return { matters: false }
  const { number: first, outcome, requests } = difference
  const known = shown.get(first)
  const replies = known && { ...known, instead: replyOf(outcome) }
  return { matters: true, first, ...definedOf({ requests, replies }) }
}

/** Takes worlds through the same steps, a slice of time at once. */
class Replay {
  readonly #beginning: Beginning
  readonly #steps: readonly Step[]
  readonly #turns: Turns
  readonly #redactor: Redactor

  constructor(beginning: Beginning, steps: readonly Step[], owner: AbortSignal | undefined) {
    this.#beginning = replayable(beginning)
    this.#redactor = beginning.redactor
    this.#steps = steps
    this.#turns = new Turns(owner)
  }

  /** A digest of each outcome. */
  async digests(): Promise<readonly number[]> {
    const found: number[] = []
    for await (const { outcome } of this.#play()) found.push(digestOf(outcome))
    return found
  }

  /** The first request with another outcome than at the baseline, and, if all are looked at, how many there are. */
  async difference(
    other: GapChoice,
    baseline: readonly number[],
    which: 'first' | 'all',
  ): Promise<Difference | undefined> {
    let found: Omit<Difference, 'requests'> | undefined
    let requests = 0
    let place = 0
    for await (const { number, outcome } of this.#play(other)) {
      if (digestOf(outcome) === baseline[place++]) continue
      found ??= { number, outcome }
      requests++
      if (which === 'first') break
    }
    return found && { ...found, requests: which === 'all' ? requests : undefined }
  }

  /** Some requests, with their replies at the baseline choices. */
  async shown(numbers: ReadonlySet<number>): Promise<ReadonlyMap<number, Shown>> {
    const found = new Map<number, Shown>()
    if (numbers.size === 0) return found
    for await (const { number, request, outcome } of this.#play()) {
      if (!numbers.has(number)) continue
      const token = request.headers.authorization?.replace(/^bearer +/i, '')
      const [method, url] = [request.method, request.url].map((text) =>
        this.#redactor.hide(text, token),
      )
      found.set(number, { method: `${method}`, url: `${url}`, before: replyOf(outcome) })
      if (found.size === numbers.size) break
    }
    return found
  }

  /** Replays all, under another choice if one is given; gives the requests that were answered. */
  async *#play(other?: GapChoice) {
    if (this.#turns.areDue) await this.#turns.give()
    const world = new World(this.#beginning, other && { [other.gap]: other.choice })
    for (const step of this.#steps) {
      if (this.#turns.areDue) await this.#turns.give()
      const outcome = await world.take(step)
      if (outcome === undefined || step.kind !== 'request') continue
      const { request, number } = step
      // One that still waits for its answer has none that could have been another.
      if (number !== undefined) yield { number, request, outcome }
    }
  }
}

/**
 * Replays what a sandbox was asked up to a request, and that request as it was and under other choices.
 *
 * @param owner Aborts when nobody waits for it any more.
 * @throws {@link InputError} for what is no choice, when the request or all is forgotten, or nobody waits.
 */
export async function whatIf(
  { beginning, known, id }: Play & { readonly id: number },
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
