import type {
  CapturedOutcome,
  CapturedVisit,
  CaptureStep,
  ReadCapture,
} from '../../mock/controls/reports.ts'
import type { RequestTiming } from '../../mock/log/logged-request.ts'
import { defaultGaps, withValues } from '../../mock/spec/gaps.ts'
import { defaultLimits } from '../../mock/state/limits.ts'
import { capturedOutcome, changesBetween, type ResponseChange, withExpected } from './outcomes.ts'
import { smallerLists } from './smaller-lists.ts'
import { type ReplayConfig, ReplaySandbox } from './world.ts'

/** The first request whose outcome is not as it was. */
export interface ReplayDifference {
  /** Its number, which is its id in the journal. */
  readonly number: number
  readonly method: string
  readonly url: string
  readonly changes: readonly ResponseChange[]
}

/** What came of a replay. */
export interface ReplayResult {
  /** How many requests were replayed, the one that differs included. */
  readonly requests: number
  readonly difference: ReplayDifference | undefined
}

/** How to replay. */
export interface HowToReplay {
  /** The number of the last request; all by default. */
  readonly until?: number | undefined
}

/** A request of a capture. */
export type CapturedRequest = Extract<CaptureStep, { do: 'request' }>

/** A request of a capture, and what becomes of it in a replay. */
interface ReplayedRequest {
  readonly step: CapturedRequest
  readonly found: CapturedOutcome
  readonly changes: readonly ResponseChange[]
}

/**
 * Replays a capture; returns the requests, with what differs from their responses in it.
 *
 * @param isEnough Whether a request is the last one; by default none is.
 */
async function replayed(
  { begin, steps }: ReadCapture,
  isEnough: (request: ReplayedRequest) => boolean = () => false,
): Promise<readonly ReplayedRequest[]> {
  const all: ReplayedRequest[] = []
  const world = new ReplaySandbox(beginningOf(begin))
  for (const step of steps) {
    const outcome = await world.take(step)
    if (step.do === 'control' || outcome === undefined) continue
    const found = capturedOutcome(outcome)
    const one = { step, found, changes: changesBetween(step.outcome, found) }
    all.push(one)
    if (isEnough(one)) break
  }
  return all
}

/** Does everything again that a capture has, and compares the outcome of each request with that in the capture. */
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

function beginningOf({
  seed,
  limits,
  gaps,
  randomSeed = 1,
  rateLimits = 'enforce',
}: ReadCapture['begin']): ReplayConfig {
  return {
    seed: { pets: seed?.pets ?? [], keys: seed?.keys ?? [] },
    randomSeed,
    gaps: gaps === undefined ? defaultGaps : withValues(gaps),
    rateLimits,
    limits: limits ?? defaultLimits,
  }
}

/** Returns the timing of a request that a capture has. */
export function timingIn({ received, answered, ...rest }: CapturedVisit): RequestTiming {
  return {
    ...rest,
    ...{ startOrder: received.order, receivedUs: usOf(received.real) },
    ...{ receivedAt: received.host, receivedTurn: received.turn },
    ...{ answerOrder: answered?.order, answeredUs: answered && usOf(answered.real) },
    ...{ answeredAt: answered?.host, answeredTurn: answered?.turn },
  }
}

function usOf(ms: number): number {
  return Math.round(ms * 1000)
}

/** A capture without what its first difference doesn't need. */
export interface MinimizedCapture {
  readonly capture: ReadCapture
  /** Its difference. */
  readonly difference: ReplayDifference
  /** Whether no step can be left out; `false` where the search was cut off. */
  readonly isSmallest: boolean
}

/** How many steps a search takes at most: seconds. */
const mostSearchedSteps = 300_000

/**
 * Finds the fewest steps of a capture that still show the first difference of its replay.
 *
 * @param mostSteps How many steps the search may take, replays of the same step counted each time.
 */
export async function minimizeCapture(
  capture: ReadCapture,
  difference: ReplayDifference,
  mostSteps: number = mostSearchedSteps,
): Promise<MinimizedCapture> {
  const before = stepsUntil(capture.steps, difference.number)
  const last = before.pop()
  if (last === undefined) throw new RangeError('Cannot find the request')
  const search = smallerLists(before)
  let kept = { ...capture, steps: [...before, last] }
  let taken = 0
  let next = search.next()
  while (!next.done && taken < mostSteps) {
    const smaller = { ...capture, steps: [...next.value, last] }
    taken += smaller.steps.length
    const isShown = await shows(smaller, difference)
    if (isShown) kept = smaller
    next = search.next(isShown)
  }
  const { changes } = difference
  const outcomes = new Map((await replayed(kept)).map((one) => [one.step, one.found]))
  const steps = kept.steps.map((step): CaptureStep => {
    const found = step.do === 'request' ? outcomes.get(step) : undefined
    if (step.do === 'control' || found === undefined) return step
    // The last one keeps what was expected.
    return { ...step, outcome: step === last ? withExpected(found, step.outcome, changes) : found }
  })
  const minimized = { ...capture, steps }
  const { difference: shown = difference } = await replayCapture(minimized)
  return { capture: minimized, difference: shown, isSmallest: next.done === true }
}

/** Whether a step is the request with a number. */
export function isLast(step: CaptureStep, number: number | undefined): boolean {
  return step.do === 'request' && step.number === number
}

/** The steps up to a request, by its number. */
export function stepsUntil(steps: readonly CaptureStep[], number: number): CaptureStep[] {
  return steps.slice(0, 1 + steps.findIndex((step) => isLast(step, number)))
}

/** Whether the last request of a capture still shows a difference. */
async function shows(capture: ReadCapture, { changes }: ReplayDifference): Promise<boolean> {
  // Requests before, and other fields, may differ for want of what was left out.
  const now = (await replayed(capture)).at(-1)?.changes ?? []
  return changes.every(({ field, found }) =>
    now.some((one) => one.field === field && one.found === found),
  )
}
