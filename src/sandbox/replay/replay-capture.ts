import { defaultGaps, withValues } from '../../mock/api/gaps.ts'
import type { RequestTiming } from '../../mock/log/logged-request.ts'
import { defaultLimits } from '../../mock/state/limits.ts'
import type { ReadCapture, ReadStep, ReadTiming } from '../controls/captures.ts'
import { capturedOutcome, changesBetween, type ResponseChange } from './outcomes.ts'
import { type ReplayConfig, ReplaySandbox } from './replay-sandbox.ts'

/** The first request whose outcome differs from the capture. */
export interface ReplayDifference {
  /** Number of the request, which is its id in the log. */
  readonly number: number
  readonly method: string
  readonly url: string
  readonly changes: readonly ResponseChange[]
}

/** Result of a replay. */
export interface ReplayResult {
  /** Number of replayed requests, including the one that differs. */
  readonly requests: number
  readonly difference: ReplayDifference | undefined
}

/** Options of a replay. */
export interface HowToReplay {
  /** Number of the last request to replay; all are replayed by default. */
  readonly until?: number | undefined
}

/** A request of a capture. */
export type ReadRequest = Extract<ReadStep, { do: 'request' }>

/** Replays a capture up to the first request whose outcome differs from the captured one. */
export async function replayCapture(
  { options, steps }: ReadCapture,
  { until }: HowToReplay = {},
): Promise<ReplayResult> {
  const sandbox = new ReplaySandbox(configOf(options))
  let requests = 0
  for (const step of steps) {
    const outcome = await sandbox.take(step)
    if (step.do === 'control' || outcome === undefined) continue
    requests++
    const changes = changesBetween(step.outcome, capturedOutcome(outcome))
    const { number, request } = step
    if (changes.length > 0) {
      const { method, url } = request
      return { requests, difference: { number, method, url, changes } }
    }
    if (number === until) break
  }
  return { requests, difference: undefined }
}

function configOf({
  seed,
  limits,
  gaps,
  randomSeed = 1,
  rateLimits = 'enforce',
}: ReadCapture['options']): ReplayConfig {
  return {
    seed: { pets: seed?.pets ?? [], keys: seed?.keys ?? [] },
    randomSeed,
    gaps: gaps === undefined ? defaultGaps : withValues(gaps),
    rateLimits,
    limits: limits ?? defaultLimits,
  }
}

/** Returns the timing of a captured request. */
export function timingIn({ start, end, ...rest }: ReadTiming): RequestTiming {
  return {
    ...rest,
    connectedUs: undefined,
    ...{ startOrder: start.sequence, receivedUs: usOf(start.real) },
    ...{ receivedAt: start.host, receivedTurn: start.tick },
    ...{ endOrder: end?.sequence, endedUs: end && usOf(end.real) },
    ...{ respondedAt: end?.host, endedTurn: end?.tick },
  }
}

function usOf(ms: number): number {
  return Math.round(ms * 1000)
}

/** Returns whether a step is the request with a number. */
export function isLast(step: ReadStep, number: number | undefined): boolean {
  return step.do === 'request' && step.number === number
}

/** Returns the steps up to the request with a number, including that request. */
export function stepsUntil(steps: readonly ReadStep[], number: number): ReadStep[] {
  return steps.slice(0, 1 + steps.findIndex((step) => isLast(step, number)))
}
