import { otherValues } from '../../mock/api/gaps/configuration.ts'
import {
  formatValue,
  type GapSettings,
  type GapValues,
  unpromisedGaps,
} from '../../mock/api/gaps.ts'
import type { Outcome } from '../../mock/api/message.ts'
import { Breaks } from '../../mock/api/real-time.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { definedOf, namesOf } from '../../mock/input/record.ts'
import type { Output } from '../../mock/input/schema.ts'
import type { KnownSteps, RecordedRequest } from '../../mock/log/recording.ts'
import type { SandboxConfig } from '../../mock/state/beginning.ts'
import { droppedRequests, responseOf } from '../controls/captures.ts'
import type { WhatIf, WhatIfResult, whatIfOptions } from '../controls/what-if.ts'
import { capturedOutcome, changesBetween } from './outcomes.ts'
import { ReplaySandbox } from './replay-sandbox.ts'

/** History of a sandbox: how it began, and the steps in its log. */
export interface Play {
  readonly beginning: SandboxConfig
  readonly known: KnownSteps
}

/** A request that got a response, and its outcome in a replay. */
interface Replayed {
  readonly number: number
  readonly request: RecordedRequest['request']
  readonly outcome: Outcome
}

/** Gap values that a replay uses in place of those in force. */
type OtherValues = Partial<GapValues>

/** Replays with other values, or with those in force; yields the requests to compare. */
type Replay = (breaks: Breaks, other?: OtherValues) => AsyncIterable<Replayed>

/**
 * Replays the requests of a sandbox with other gap values, and compares the responses.
 *
 * @param signal Aborts when the caller has disconnected.
 * @throws {@link InputError} if the log no longer has a request, or if the caller has disconnected.
 */
export async function whatIf(
  play: Play,
  { gaps, request, responses, count }: Output<typeof whatIfOptions>,
  signal: AbortSignal | undefined,
): Promise<WhatIf> {
  const { beginning, known } = play
  const breaks = new Breaks(signal)
  const replay = request === undefined ? wholeOf(play) : replayOf(play, request)
  const before: Replayed[] = []
  for await (const one of replay(breaks)) before.push(one)
  const alternatives: readonly OtherValues[] =
    gaps === undefined
      ? otherValues(beginning.gaps).map(({ gap, value }) => ({ [gap]: value }))
      : [definedOf(gaps)]
  const resultOf = async (other: OtherValues): Promise<WhatIfResult> => {
    let first: { readonly actual: Replayed; readonly alternative: Outcome } | undefined
    const ids: number[] = []
    let place = 0
    for await (const { outcome: alternative } of replay(breaks, other)) {
      const actual = before[place++]
      if (actual === undefined || isSame(actual.outcome, alternative)) continue
      first ??= { actual, alternative }
      ids.push(actual.number)
      if (!count) break
    }
    const set = settingsOf(other)
    if (first === undefined) return { gaps: set, changesResponse: false }
    return {
      gaps: set,
      changesResponse: true,
      firstRequest: first.actual.number,
      ...(count ? { count: ids.length, ids: ids.slice(0, 5) } : {}),
      ...(responses ? { responses: shown(first.actual, first.alternative, beginning) } : {}),
    }
  }
  const results: WhatIfResult[] = []
  for (const other of alternatives) results.push(await resultOf(other))
  const dropped = known.dropped && droppedRequests.encode(known.dropped)
  return {
    requests: before.length,
    ...definedOf({ dropped }),
    results,
    unpromised: [...unpromisedGaps],
  }
}

/** Formats gap values as settings. */
function settingsOf(values: OtherValues): GapSettings {
  const set = namesOf(values).flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [[name, formatValue(name, value)]]
  })
  return Object.fromEntries(set)
}

/** Replays all steps with the other values. */
function wholeOf({ beginning, known }: Play): Replay {
  return async function* (breaks, other) {
    await breaks.take()
    const sandbox = new ReplaySandbox(beginning, other)
    for (const step of known.steps) {
      await breaks.take()
      const outcome = await sandbox.take(step)
      if (outcome === undefined || step.do !== 'request') continue
      const { request, id } = step
      // A request that still waits has no response to compare.
      if (id !== 0) yield { number: id, request, outcome }
    }
  }
}

/**
 * Replays the steps before a request unchanged, and the request with the other values.
 *
 * @throws {@link InputError} if the log no longer has the request.
 */
function replayOf({ beginning, known: { steps } }: Play, id: number): Replay {
  const place = steps.findIndex((step) => step.do === 'request' && step.id === id)
  const step = steps[place]
  if (step?.do !== 'request') {
    throw new InputError(
      `Cannot replay request ${id}: what came before it is no longer in the log; use a later one`,
      ['request'],
    )
  }
  return async function* (breaks, other = {}) {
    const sandbox = new ReplaySandbox(beginning)
    for (const earlier of steps.slice(0, place)) {
      await breaks.take()
      await sandbox.take(earlier)
    }
    await breaks.take()
    sandbox.choose(settingsOf(other))
    const outcome = await sandbox.take(step)
    if (outcome !== undefined) yield { number: id, request: step.request, outcome }
  }
}

function isSame(one: Outcome, other: Outcome): boolean {
  return changesBetween(capturedOutcome(one), capturedOutcome(other)).length === 0
}

/** Returns a request without its keys, its response, and the alternative. */
function shown({ request, outcome }: Replayed, alternative: Outcome, { redactor }: SandboxConfig) {
  const token = request.headers.authorization?.replace(/^bearer +/i, '')
  return {
    method: redactor.hide(request.method, token),
    url: redactor.hide(request.url, token),
    actual: responseOf(outcome),
    alternative: responseOf(alternative),
  }
}
