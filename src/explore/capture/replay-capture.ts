import type { GapChoices } from '../../contract/gaps.ts'
import type {
  CapturedOutcome,
  CaptureStep,
  ReadCapture,
} from '../../control/reports/capture-file.ts'
import { stepOf, worldOf } from './capture-world.ts'
import { capturedOutcome, digested } from './make-capture.ts'
import { changesBetween, type ReplyChange } from './reply-change.ts'

/** The first request whose outcome is not as it was. */
export interface ReplayDifference {
  /** Its number, which is its id in the journal. */
  readonly number: number
  readonly method: string
  readonly url: string
  readonly changes: readonly ReplyChange[]
}

/** What came of a replay. */
export interface ReplayResult {
  /** How many requests were replayed, the one that differs included. */
  readonly exchanges: number
  readonly difference: ReplayDifference | undefined
}

/** How to replay. */
export interface HowToReplay {
  /** The number of the last request; all by default. */
  readonly until?: number | undefined
  /** Other choices at some gaps: then it is these that are compared with the capture's own. */
  readonly other?: Partial<GapChoices> | undefined
}

/**
 * Does everything again that a capture has, and compares what becomes of each request: with what became of it, or, under
 * other choices, with what becomes of it under the capture's own.
 *
 * @throws {@link InputError} for a control that no capture has.
 */
export async function replayCapture(
  capture: ReadCapture,
  { until, other }: HowToReplay = {},
): Promise<ReplayResult> {
  const world = worldOf(capture, other)
  const usual = other === undefined ? undefined : worldOf(capture)
  let exchanges = 0
  let isOver = false
  for (const step of capture.steps) {
    if (isOver) break
    isOver = isLast(step, until)
    const outcome = await world.take(stepOf(step))
    const usually = await usual?.take(stepOf(step))
    if (step.do === 'control' || outcome === undefined) continue
    exchanges++
    const expected = usually === undefined ? step.outcome : capturedOutcome(usually)
    const changes = changesFrom(expected, capturedOutcome(outcome))
    const { method, url } = step.request
    if (changes.length > 0) {
      return { exchanges, difference: { number: step.number, method, url, changes } }
    }
  }
  return { exchanges, difference: undefined }
}

/** Whether a step is the request with a number. */
export function isLast(step: CaptureStep, number: number | undefined): boolean {
  return step.do === 'request' && step.number === number
}

/** Gives what becomes of each request of a capture. */
export async function outcomesOf(capture: ReadCapture): Promise<readonly CapturedOutcome[]> {
  const world = worldOf(capture)
  const found: CapturedOutcome[] = []
  for (const step of capture.steps) {
    const outcome = await world.take(stepOf(step))
    if (outcome !== undefined) found.push(capturedOutcome(outcome))
  }
  return found
}

/** Compares what became of a request with what was to, of which a capture may have only a digest. */
export function changesFrom(expected: CapturedOutcome, found: CapturedOutcome): ReplyChange[] {
  const isDigest = expected.bodyDigest !== undefined
  return changesBetween(expected, isDigest ? digested(found) : found)
}
