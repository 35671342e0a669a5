import { type Finding, finding } from '../checks/audit/finding.ts'
import {
  type CapturedRequest,
  type HowToReplay,
  isLast,
  timingIn,
} from '../checks/replay/replay-capture.ts'
import { GapOverrides } from '../checks/replay/world.ts'
import { captureFile, captureVersion, type ReadCapture } from './controls/reports.ts'
import { InputError } from './input/input-error.ts'
import { list, object } from './input/object.ts'
import { definedOf, isRecord } from './input/record.ts'
import { readInput } from './input/schema.ts'
import { SharedMemory } from './log/byte-budget.ts'
import { defaultMaxRequests, inOrder, pastRequest, type SandboxEvent } from './log/request-log.ts'
import { type Sandbox, sandboxOf } from './sandbox.ts'
import { defaultGaps, withValues } from './spec/gaps.ts'
import { yieldToEventLoop } from './spec/real-time.ts'
import { sandboxOptions } from './state/beginning.ts'
import { sandboxLimits } from './state/limits.ts'

/** A run that a file has: a capture, or the findings of a report. */
export type Run =
  | { readonly kind: 'capture'; readonly capture: ReadCapture }
  | { readonly kind: 'report'; readonly findings: readonly Finding[] }

/**
 * Reads the JSON of a file that the page of a run shows.
 *
 * @throws {@link InputError} if it is neither a capture nor a report, or a capture of a later version.
 */
export function readRun(found: unknown): Run {
  if (isRecord(found) && 'petstoreCapture' in found) {
    return { kind: 'capture', capture: readCaptureJson(found) }
  }
  if (isRecord(found) && 'findings' in found) {
    return { kind: 'report', findings: readInput(auditReport, found).findings }
  }
  if (isRecord(found) && isRecord(found.log)) {
    throw new InputError(
      'Cannot show the file: a HAR file has no state to step through; use a capture, or compare the file with the spec in the console',
    )
  }
  throw new InputError(
    'Cannot show the file: it is neither a capture nor a report with findings; use a file of the command capture, or of --report json=FILE',
  )
}

/**
 * Reads the JSON of a capture.
 *
 * @throws {@link InputError} if it isn't a capture, or is one of a later version.
 */
export function readCaptureJson(found: unknown): ReadCapture {
  expectCapture(found)
  return readInput(captureFile, found)
}

/** A report as JSON, as `check` and `findings` write it. */
const auditReport = object({ findings: list(finding) }, { title: 'report', unknown: 'ignore' })

/** Tells other documents, and captures to come, from captures with a mistake. */
function expectCapture(found: unknown): void {
  const version = isRecord(found) ? found.petstoreCapture : undefined
  if (version === undefined) {
    throw new InputError(
      'Cannot replay the file: it is not a capture; use a file that the command capture saved',
    )
  }
  if (typeof version === 'number' && version > captureVersion) {
    throw new InputError(
      `Cannot replay the file: it is a capture of version ${version}, and this program reads version ${captureVersion}; use the petstore-sandbox that wrote it, or a newer one`,
      ['petstoreCapture'],
    )
  }
}

/**
 * Makes a sandbox, and does to it what a capture has; its clock then stands still at the last step. Its clients are judged
 * by all that they did, over resets, too.
 *
 * @returns The sandbox, and how many requests it has answered.
 */
export async function playedSandbox(
  { begin, steps, marks }: ReadCapture,
  { until }: HowToReplay = {},
): Promise<{ readonly sandbox: Sandbox; readonly requests: number }> {
  const begun = begin.gaps === undefined ? defaultGaps : withValues(begin.gaps)
  const { limits = sandboxLimits.parse({}), seed } = begin
  const past: SandboxEvent[] = []
  /** Where what the capture has ends. */
  let end = Number.POSITIVE_INFINITY
  const isLater = (one: SandboxEvent): boolean =>
    ('mark' in one ? one.mark.order : one.startOrder) > end
  const sandbox = sandboxOf(
    {
      ...begin,
      limits,
      seed: { pets: [], keys: [], ...definedOf(seed ?? {}) },
      gaps: begun,
      clock: { now: steps[0]?.at ?? 0, mode: 'frozen', speed: 1 },
      maxRequests: Math.max(defaultMaxRequests, steps.length),
    },
    new SharedMemory(begin.limits),
    { past: () => [...inOrder(past), ...sandbox.state().requests.past().filter(isLater)] },
  )
  sandbox.state().requests.watch((event) => {
    const isOver = end < Number.POSITIVE_INFINITY
    if (!isOver && (marks === undefined || !('mark' in event))) past.push(event)
  })
  const tried = new GapOverrides({}, begun)
  let requests = 0
  let order = 0
  for (const step of steps) {
    tried.enter(step, sandbox)
    if (step.do === 'request') {
      await answer(sandbox, step)
      requests++
      order = Math.max(order, step.visit?.answered?.order ?? step.visit?.received.order ?? 0)
    }
    if (isLast(step, until)) break
  }
  if (marks !== undefined) {
    const made = until === undefined ? marks : marks.filter((mark) => mark.order < order)
    past.push(...made.map((mark) => ({ mark })))
    const { requests: log } = sandbox.state()
    const begunAnew = made.findLast(({ kind }) => kind === 'reset' || kind === 'restored')
    log.continueFrom(
      Math.max(order, made.at(-1)?.order ?? 0),
      made.filter((mark) => mark.order >= (begunAnew?.order ?? 0)),
    )
  }
  end = sandbox.state().requests.lastOrder
  return { sandbox, requests }
}

/** Number of turns of promises within which a request is answered, unless it waits for the clock. */
const maxTurns = 50

async function answer(sandbox: Sandbox, step: CapturedRequest): Promise<void> {
  sandbox.state().requests.assignNextId(step.number)
  const owner = new AbortController()
  const arrived = step.visit && pastRequest(timingIn(step.visit))
  let isAnswered = false
  const answered = sandbox.handle(step.request, owner.signal, arrived).then(() => {
    isAnswered = true
  })
  // A timer for each request would take longer than the requests.
  for (let turn = 0; turn < maxTurns && !isAnswered; turn++) await undefined
  if (isAnswered) return
  // What gets no response by then waits for a clock that stands still.
  await Promise.race([answered, yieldToEventLoop()])
  owner.abort()
  await answered
}

/** Makes a sandbox that has the findings of a report and nothing else. */
export function sandboxWithFindings(findings: readonly Finding[]): Sandbox {
  const numbers = findings.flatMap(({ requests }) => requests)
  const judged = numbers.reduce((most, number) => Math.max(most, number), 0)
  const clock = { now: undefined, mode: 'frozen', speed: 1 } as const
  return sandboxOf(
    { ...sandboxOptions.parse({}), seed: { pets: [], keys: [] }, clock },
    new SharedMemory(),
    { judgement: { findings, requests: judged } },
  )
}
