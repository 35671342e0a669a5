import { defaultGaps, withValues } from '../../mock/api/gaps.ts'
import type { RequestTiming } from '../../mock/log/logged-request.ts'
import { defaultLimits } from '../../mock/state/limits.ts'
import type {
  CapturedOutcome,
  ReadCapture,
  ReadStep,
  ReadTiming,
} from '../../sandbox/controls/reports.ts'
import { capturedOutcome, changesBetween, type ResponseChange, withExpected } from './outcomes.ts'
import { type ReplayConfig, ReplaySandbox } from './replay-sandbox.ts'
import { smallerLists } from './smaller-lists.ts'

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

/** A request of a capture, and its outcome in a replay. */
interface ReplayedRequest {
  readonly step: ReadRequest
  readonly found: CapturedOutcome
  readonly changes: readonly ResponseChange[]
}

/**
 * Replays a capture; returns the requests, and how their outcomes differ from the captured ones.
 *
 * @param isEnough Returns whether to stop after a request; by default `false`.
 */
async function replayed(
  { options, steps }: ReadCapture,
  isEnough: (request: ReplayedRequest) => boolean = () => false,
): Promise<readonly ReplayedRequest[]> {
  const all: ReplayedRequest[] = []
  const sandbox = new ReplaySandbox(configOf(options))
  for (const step of steps) {
    const outcome = await sandbox.take(step)
    if (step.do === 'control' || outcome === undefined) continue
    const found = capturedOutcome(outcome)
    const one = { step, found, changes: changesBetween(step.outcome, found) }
    all.push(one)
    if (isEnough(one)) break
  }
  return all
}

/** Replays a capture, and compares the outcome of each request with the captured one. */
export async function replayCapture(
  capture: ReadCapture,
  { until }: HowToReplay = {},
): Promise<ReplayResult> {
  const isEnough = ({ step, changes }: ReplayedRequest): boolean =>
    changes.length > 0 || step.number === until
  const all = await replayed(capture, isEnough)
  const last = all.at(-1)
  if (last === undefined || last.changes.length === 0) {
    return { requests: all.length, difference: undefined }
  }
  const { step, changes } = last
  const { method, url } = step.request
  return { requests: all.length, difference: { number: step.number, method, url, changes } }
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
    ...{ startOrder: start.sequence, receivedUs: usOf(start.real) },
    ...{ receivedAt: start.host, receivedTurn: start.tick },
    ...{ endOrder: end?.sequence, endedUs: end && usOf(end.real) },
    ...{ respondedAt: end?.host, endedTurn: end?.tick },
  }
}

function usOf(ms: number): number {
  return Math.round(ms * 1000)
}

/** A capture without steps that its first difference doesn't need. */
export interface MinimizedCapture {
  readonly capture: ReadCapture
  /** First difference in a replay of the smaller capture. */
  readonly difference: ReplayDifference
  /** Whether every remaining step is needed; `false` if the search was cut off. */
  readonly isSmallest: boolean
}

/** Maximum number of steps that a search replays, which takes seconds. */
const maxSearchedSteps = 300_000

/**
 * Removes the steps of a capture that the first difference of its replay doesn't need.
 *
 * @param maxSteps Maximum number of steps to replay; replays of the same step count each time.
 */
export async function minimizeCapture(
  capture: ReadCapture,
  difference: ReplayDifference,
  maxSteps: number = maxSearchedSteps,
): Promise<MinimizedCapture> {
  const before = stepsUntil(capture.steps, difference.number)
  const last = before.pop()
  if (last === undefined) throw new RangeError('Cannot find the request')
  const search = smallerLists(before)
  let kept = { ...capture, steps: [...before, last] }
  let taken = 0
  let next = search.next()
  while (!next.done && taken < maxSteps) {
    const smaller = { ...capture, steps: [...next.value, last] }
    taken += smaller.steps.length
    const isShown = await shows(smaller, difference)
    if (isShown) kept = smaller
    next = search.next(isShown)
  }
  const { changes } = difference
  const outcomes = new Map((await replayed(kept)).map((one) => [one.step, one.found]))
  const steps = kept.steps.map((step): ReadStep => {
    const found = step.do === 'request' ? outcomes.get(step) : undefined
    if (step.do === 'control' || found === undefined) return step
    // The last request keeps the expected outcome.
    return { ...step, outcome: step === last ? withExpected(found, step.outcome, changes) : found }
  })
  const minimized = { ...capture, steps }
  const { difference: shown = difference } = await replayCapture(minimized)
  return { capture: minimized, difference: shown, isSmallest: next.done === true }
}

/** Returns whether a step is the request with a number. */
export function isLast(step: ReadStep, number: number | undefined): boolean {
  return step.do === 'request' && step.number === number
}

/** Returns the steps up to the request with a number, including that request. */
export function stepsUntil(steps: readonly ReadStep[], number: number): ReadStep[] {
  return steps.slice(0, 1 + steps.findIndex((step) => isLast(step, number)))
}

/** Returns whether the last request of a capture still shows a difference. */
async function shows(capture: ReadCapture, { changes }: ReplayDifference): Promise<boolean> {
  // Earlier requests, and other fields, may differ because steps were left out.
  const now = (await replayed(capture)).at(-1)?.changes ?? []
  return changes.every(({ field, found }) =>
    now.some((one) => one.field === field && one.found === found),
  )
}
