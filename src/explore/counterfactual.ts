import { formatChoice } from '../contract/gaps.ts'
import type { ApiRequest, Outcome } from '../contract/message.ts'
import { unpromisedGaps } from '../contract/openapi/gap-descriptions.ts'
import { earlierRequests } from '../control/reports/capture-file.ts'
import {
  type ChoiceEffect,
  type Counterfactual,
  type CounterfactualOptions,
  counterfactualOptions,
  replyOf,
} from '../control/reports/counterfactual-report.ts'
import { definedOf } from '../input/record.ts'
import { readInput } from '../input/schema.ts'
import type { Beginning } from '../state/beginning.ts'
import type { Redactor } from '../state/redactor.ts'
import { digestOf } from './digest.ts'
import { knownSteps } from './known-steps.ts'
import { type GapChoice, otherChoices } from './other-choices.ts'
import type { KnownSteps, Step } from './step-record.ts'
import { Turns } from './turns.ts'
import { replayable, World } from './world.ts'

/** What is replayed. */
interface Play {
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
  const usual = await replay.digests()
  const effects: { other: GapChoice; difference: Difference | undefined }[] = []
  for (const other of otherChoices(beginning.gaps)) {
    effects.push({
      other,
      difference: await replay.difference(other, usual, count ? 'all' : 'first'),
    })
  }
  const numbers = effects.flatMap(({ difference }) => difference?.number ?? [])
  const shown = await replay.outcomesOf(new Set(replies ? numbers : []))
  const gaps: Record<string, Record<string, ChoiceEffect>> = {}
  for (const { other, difference } of effects) {
    const choice = String(formatChoice(other.gap, other.choice))
    gaps[other.gap] = { ...gaps[other.gap], [choice]: effectOf(difference, shown) }
  }
  const earlier = known.earlier && earlierRequests.write(known.earlier)
  return {
    exchanges: usual.length,
    ...definedOf({ earlier }),
    gaps,
    unpromised: [...unpromisedGaps],
  }
}

/** Which request gets another reply, and which. */
interface Difference {
  readonly number: number
  readonly outcome: Outcome
  /** How many there are, if they were counted. */
  readonly requests: number | undefined
}

/** A request that was replayed. */
interface Replayed {
  /** How many came before it. */
  readonly place: number
  readonly number: number
  readonly request: ApiRequest
  readonly outcome: Outcome
}

/** A request, and the outcome that it had. */
interface Known {
  readonly method: string
  readonly url: string
  readonly outcome: Outcome
}

function effectOf(
  difference: Difference | undefined,
  shown: ReadonlyMap<number, Known>,
): ChoiceEffect {
  if (difference === undefined) return { matters: false }
  const { number: first, outcome, requests } = difference
  const effect = { matters: true, first, ...definedOf({ requests }) }
  const known = shown.get(first)
  if (known === undefined) return effect
  const { method, url } = known
  const replies = { method, url, before: replyOf(known.outcome), instead: replyOf(outcome) }
  return { ...effect, replies }
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
    await this.#play(undefined, ({ outcome }) => {
      found.push(digestOf(outcome))
      return 'go-on'
    })
    return found
  }

  /** The first request with another outcome than usual, and, if all are looked at, how many there are. */
  async difference(
    other: GapChoice,
    usual: readonly number[],
    which: 'first' | 'all',
  ): Promise<Difference | undefined> {
    let found: Omit<Difference, 'requests'> | undefined
    let requests = 0
    await this.#play(other, ({ place, number, outcome }) => {
      if (digestOf(outcome) === usual[place]) return 'go-on'
      found ??= { number, outcome }
      requests++
      return which === 'first' ? 'stop' : 'go-on'
    })
    return found && { ...found, requests: which === 'all' ? requests : undefined }
  }

  /** The usual outcomes of some requests. */
  async outcomesOf(numbers: ReadonlySet<number>): Promise<ReadonlyMap<number, Known>> {
    const found = new Map<number, Known>()
    if (numbers.size === 0) return found
    await this.#play(undefined, ({ number, outcome, request }) => {
      const { method, url, headers } = request
      const token = headers.authorization?.replace(/^bearer +/i, '')
      const shown = {
        method: this.#redactor.hide(method, token),
        url: this.#redactor.hide(url, token),
      }
      if (numbers.has(number)) found.set(number, { ...shown, outcome })
      return found.size < numbers.size ? 'go-on' : 'stop'
    })
    return found
  }

  async #play(
    other: GapChoice | undefined,
    see: (replayed: Replayed) => 'go-on' | 'stop',
  ): Promise<void> {
    const choices = other === undefined ? {} : { [other.gap]: other.choice }
    if (this.#turns.areDue) await this.#turns.give()
    const world = new World(this.#beginning, choices)
    let place = 0
    for (const step of this.#steps) {
      if (this.#turns.areDue) await this.#turns.give()
      const outcome = await world.take(step)
      if (outcome === undefined || step.kind !== 'request') continue
      const { request, number } = step
      // One that still waits for its answer has none that could have been another.
      if (number === undefined) continue
      if (see({ place, number, request, outcome }) === 'stop') return
      place++
    }
  }
}
