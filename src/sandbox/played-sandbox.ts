import { defaultGaps, withValues } from '../mock/api/gaps.ts'
import { yieldToEventLoop } from '../mock/api/real-time.ts'
import { InputError } from '../mock/input/input-error.ts'
import { definedOf, isRecord } from '../mock/input/record.ts'
import { readInput } from '../mock/input/schema.ts'
import {
  defaultMaxRequests,
  inOrder,
  pastRequest,
  type SandboxEvent,
} from '../mock/log/request-log.ts'
import { SharedMemory } from '../mock/log/shared-memory.ts'
import { sandboxLimits } from '../mock/state/limits.ts'
import { captureFile, captureVersion, type ReadCapture } from './controls/captures.ts'
import { type HowToReplay, isLast, type ReadRequest, timingIn } from './replay/replay-capture.ts'
import { GapOverrides } from './replay/replay-sandbox.ts'
import { type Sandbox, sandboxOf } from './sandbox.ts'

/** Other documents of the package by a property that only they have: what they are, and what reads them. */
const otherDocuments: readonly (readonly [property: string, what: string, reader: string])[] = [
  ['log', 'a HAR file', 'calibrate reads it'],
  ['petstoreSandbox', 'a snapshot', 'snapshot restore reads it'],
  ['clauses', 'a report of calibrate', 'calibrate --baseline reads it'],
  ['findings', 'a report', 'check --baseline reads one of check'],
  ['pets', 'a seed', '--seed-file reads it'],
]

/**
 * Reads the JSON of a capture.
 *
 * @throws {@link InputError} if it isn't a capture, with what it is and what reads it, or has a later version.
 */
export function readCaptureJson(found: unknown): ReadCapture {
  const version = isRecord(found) ? found.petstoreCapture : undefined
  if (version === undefined) {
    const other = otherDocuments.find(([property]) => isRecord(found) && property in found)
    const what = other === undefined ? 'not a capture' : `${other[1]}, not a capture; ${other[2]}`
    throw new InputError(
      `Cannot read the capture: the file is ${what}; use a file that the command capture saved`,
    )
  }
  if (typeof version === 'number' && version > captureVersion) {
    throw new InputError(
      `Cannot read the capture: it has version ${version}, and this program reads version ${captureVersion}; use the petstore-sandbox that wrote it, or a newer one`,
      ['petstoreCapture'],
    )
  }
  return readInput(captureFile, found)
}

/** Returns the numbers of the requests of a capture, in order. */
export function requestNumbers({ steps }: ReadCapture): readonly number[] {
  return steps.flatMap((step) => (step.do === 'request' ? step.number : []))
}

/**
 * Creates a sandbox and replays a capture in it; its clock is then frozen at the last step. Its findings cover all
 * requests, including those before a reset.
 *
 * @returns The sandbox, and the number of requests replayed.
 */
export async function playedSandbox(
  { options, steps, changes }: ReadCapture,
  { until }: HowToReplay = {},
): Promise<{ readonly sandbox: Sandbox; readonly requests: number }> {
  const startGaps = options.gaps === undefined ? defaultGaps : withValues(options.gaps)
  const { limits = sandboxLimits.parse({}), seed } = options
  const past: SandboxEvent[] = []
  /** Position of the last event of the capture. */
  let end = Number.POSITIVE_INFINITY
  const isLater = (one: SandboxEvent): boolean =>
    ('mark' in one ? one.mark.sequence : one.startOrder) > end
  const sandbox = sandboxOf(
    {
      ...options,
      limits,
      seed: { pets: [], keys: [], ...definedOf(seed ?? {}) },
      gaps: startGaps,
      clock: { now: steps[0]?.at ?? 0, mode: 'frozen', speed: 1 },
      maxRequests: Math.max(defaultMaxRequests, steps.length),
    },
    new SharedMemory(options.limits),
    () => [...inOrder(past), ...sandbox.state().requests.past().filter(isLater)],
  )
  sandbox.state().requests.watch((event) => {
    const isOver = end < Number.POSITIVE_INFINITY
    if (!isOver && (changes === undefined || !('mark' in event))) past.push(event)
  })
  const tried = new GapOverrides({}, startGaps)
  let requests = 0
  let last = 0
  let client = new AbortController()
  for (const step of steps) {
    tried.enter(step, sandbox)
    if (step.do === 'request') {
      // One for each request would take as long as the request itself.
      if (client.signal.aborted) client = new AbortController()
      await runRequest(sandbox, step, client)
      requests++
      last = Math.max(last, step.timing?.end?.sequence ?? step.timing?.start.sequence ?? 0)
    }
    if (isLast(step, until)) break
  }
  if (changes !== undefined) {
    const made = until === undefined ? changes : changes.filter((mark) => mark.sequence < last)
    past.push(...made.map((mark) => ({ mark })))
    const { requests: log } = sandbox.state()
    const begunAnew = made.findLast(({ kind }) => kind === 'reset' || kind === 'restored')
    log.continueFrom(
      Math.max(last, made.at(-1)?.sequence ?? 0),
      made.filter((mark) => mark.sequence >= (begunAnew?.sequence ?? 0)),
    )
  }
  end = sandbox.state().requests.lastOrder
  return { sandbox, requests }
}

/** Maximum number of microtask turns until a request has its response, unless it waits for the clock. */
const maxTurns = 50

async function runRequest(
  sandbox: Sandbox,
  step: ReadRequest,
  client: AbortController,
): Promise<void> {
  sandbox.state().requests.assignNextId(step.number)
  const arrived = step.timing && pastRequest(timingIn(step.timing))
  let isComplete = false
  const ended = sandbox.handle(step.request, client.signal, arrived).then(() => {
    isComplete = true
  })
  // A timer for each request would take longer than the request itself.
  for (let turn = 0; turn < maxTurns && !isComplete; turn++) await undefined
  if (isComplete) return
  // A request without a response by then waits for the frozen clock.
  await Promise.race([ended, yieldToEventLoop()])
  client.abort()
  await ended
}
