import {
  type CapturedRequest,
  type HowToReplay,
  isLast,
  timingIn,
} from '../../checks/replay/replay-capture.ts'
import { TriedChoices } from '../../checks/replay/world.ts'
import { captureFile, captureVersion, type ReadCapture } from '../../mock/controls/reports.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { definedOf, isRecord } from '../../mock/input/record.ts'
import { readInput } from '../../mock/input/schema.ts'
import { SharedMemory } from '../../mock/log/byte-budget.ts'
import {
  defaultMaxRequests,
  inOrder,
  pastRequest,
  type SandboxEvent,
} from '../../mock/log/request-log.ts'
import { type Sandbox, sandboxOf } from '../../mock/sandbox.ts'
import { defaultGaps, withChoices } from '../../mock/spec/gaps.ts'
import { toJson } from '../../mock/spec/json.ts'
import { yieldToEventLoop } from '../../mock/spec/real-time.ts'
import { sandboxLimits } from '../../mock/state/limits.ts'
import { expectPlace, readJsonFile, writeFile } from '../files.ts'

/**
 * Reads a file of `capture`.
 *
 * @throws {@link CliError} for a file that can't be read, or is not a capture, or one of a later version.
 */
export async function readCapture(file: string): Promise<ReadCapture> {
  return await readJsonFile(file, (found) => {
    expectCapture(found)
    return readInput(captureFile, found)
  })
}

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
  { until, other = {} }: HowToReplay,
): Promise<{ readonly sandbox: Sandbox; readonly exchanges: number }> {
  const begun = begin.gaps === undefined ? defaultGaps : withChoices(begin.gaps)
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
      gaps: { ...begun, ...other },
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
  const tried = new TriedChoices(other, begun)
  let exchanges = 0
  let order = 0
  for (const step of steps) {
    tried.enter(step, sandbox)
    if (step.do === 'request') {
      await answer(sandbox, step)
      exchanges++
      order = Math.max(order, step.visit?.answered?.order ?? step.visit?.received.order ?? 0)
    }
    if (isLast(step, until)) break
  }
  if (marks !== undefined) {
    const made = until === undefined ? marks : marks.filter((mark) => mark.order < order)
    past.push(...made.map((mark) => ({ mark })))
    const { requests } = sandbox.state()
    const begunAnew = made.findLast(({ kind }) => kind === 'reset' || kind === 'restored')
    requests.continueFrom(
      Math.max(order, made.at(-1)?.order ?? 0),
      made.filter((mark) => mark.order >= (begunAnew?.order ?? 0)),
    )
  }
  end = sandbox.state().requests.lastOrder
  return { sandbox, exchanges }
}

async function answer(sandbox: Sandbox, step: CapturedRequest): Promise<void> {
  sandbox.state().requests.assignNextId(step.number)
  const owner = new AbortController()
  const arrived = step.visit && pastRequest(timingIn(step.visit))
  const answered = sandbox.handle(step.request, owner.signal, arrived)
  // What is not answered by then waits for a clock that stands still.
  await Promise.race([answered, yieldToEventLoop()])
  owner.abort()
  await answered
}

/**
 * Checks, before anything is captured, that there will be a place for it; returns what writes the capture at the end.
 *
 * @throws {@link CliError} when the file can't be written.
 */
export function captureAtEnd(file: string, sandbox: Sandbox): () => Promise<void> {
  expectPlace(file)
  return async () => writeFile(file, `${toJson(await sandbox.capture())}\n`, 0o644)
}
