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

/** Content of a file of a run: a capture, or the findings of a report. */
export type Run =
  | { readonly kind: 'capture'; readonly capture: ReadCapture }
  | { readonly kind: 'report'; readonly findings: readonly Finding[] }

/**
 * Reads the JSON of a file for the page that shows a run.
 *
 * @throws {@link InputError} if it is neither a capture nor a report, or if the capture has a later version.
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
 * @throws {@link InputError} if it isn't a capture, or has a later version.
 */
export function readCaptureJson(found: unknown): ReadCapture {
  expectCapture(found)
  return readInput(captureFile, found)
}

/** JSON report, as written by `check` and `findings`. */
const auditReport = object({ findings: list(finding) }, { title: 'report', unknown: 'ignore' })

/** Rejects other documents and later versions, with clearer messages than those of the schema. */
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
 * Creates a sandbox and replays a capture in it; its clock is then frozen at the last step. Its findings cover all
 * requests, including those before a reset.
 *
 * @returns The sandbox, and the number of requests replayed.
 */
export async function playedSandbox(
  { begin, steps, marks }: ReadCapture,
  { until }: HowToReplay = {},
): Promise<{ readonly sandbox: Sandbox; readonly requests: number }> {
  const begun = begin.gaps === undefined ? defaultGaps : withValues(begin.gaps)
  const { limits = sandboxLimits.parse({}), seed } = begin
  const past: SandboxEvent[] = []
  /** Position of the last event of the capture. */
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

/** Maximum number of microtask turns until a request has its response, unless it waits for the clock. */
const maxTurns = 50

async function answer(sandbox: Sandbox, step: CapturedRequest): Promise<void> {
  sandbox.state().requests.assignNextId(step.number)
  const owner = new AbortController()
  const arrived = step.visit && pastRequest(timingIn(step.visit))
  let isAnswered = false
  const answered = sandbox.handle(step.request, owner.signal, arrived).then(() => {
    isAnswered = true
  })
  // A timer for each request would take longer than the request itself.
  for (let turn = 0; turn < maxTurns && !isAnswered; turn++) await undefined
  if (isAnswered) return
  // A request without a response by then waits for the frozen clock.
  await Promise.race([answered, yieldToEventLoop()])
  owner.abort()
  await answered
}

/** Creates an empty sandbox that returns the findings of a report. */
export function sandboxWithFindings(findings: readonly Finding[]): Sandbox {
  const numbers = findings.flatMap(({ requests }) => requests)
  const checked = numbers.reduce((most, number) => Math.max(most, number), 0)
  const clock = { now: undefined, mode: 'frozen', speed: 1 } as const
  return sandboxOf(
    { ...sandboxOptions.parse({}), seed: { pets: [], keys: [] }, clock },
    new SharedMemory(),
    { result: { findings, requests: checked } },
  )
}
