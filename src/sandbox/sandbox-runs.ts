import { type Finding, finding } from '../checks/audit/finding.ts'
import {
  type HowToReplay,
  isLast,
  type ReadRequest,
  timingIn,
} from '../checks/replay/replay-capture.ts'
import { GapOverrides } from '../checks/replay/replay-sandbox.ts'
import { defaultGaps, withValues } from '../mock/api/gaps.ts'
import { headersFrom } from '../mock/api/http.ts'
import { utf8Length } from '../mock/api/message.ts'
import { yieldToEventLoop } from '../mock/api/real-time.ts'
import { InputError } from '../mock/input/input-error.ts'
import { list, object, optional, view } from '../mock/input/object.ts'
import { definedOf, isRecord } from '../mock/input/record.ts'
import { type Output, readInput, readPart } from '../mock/input/schema.ts'
import { custom, formatInstant, instant, integer, number, string } from '../mock/input/values.ts'
import { SharedMemory } from '../mock/log/byte-budget.ts'
import {
  defaultMaxRequests,
  inOrder,
  pastRequest,
  type SandboxEvent,
} from '../mock/log/request-log.ts'
import { type RequestView, requestView } from '../mock/log/request-view.ts'
import { sandboxOptions } from '../mock/state/beginning.ts'
import { sandboxLimits } from '../mock/state/limits.ts'
import { creator } from './controls/har.ts'
import { captureFile, captureVersion, type ReadCapture } from './controls/reports.ts'
import { type RecordedData, type Sandbox, sandboxOf } from './sandbox.ts'

/** Content of a file of a run: a capture, the requests of a HAR file, or the findings of a report. */
export type Run =
  | { readonly kind: 'capture'; readonly capture: ReadCapture }
  | { readonly kind: 'har'; readonly requests: readonly RequestView[] }
  | { readonly kind: 'report'; readonly findings: readonly Finding[] }

/**
 * Reads the JSON of a file for the page that shows a run.
 *
 * @throws {@link InputError} if it is none of these files, or if it has a later version.
 */
export function readRun(found: unknown): Run {
  if (isRecord(found) && 'petstoreCapture' in found) {
    return { kind: 'capture', capture: readCaptureJson(found) }
  }
  if (isRecord(found) && 'findings' in found) {
    return { kind: 'report', findings: readInput(auditReport, found).findings }
  }
  if (isRecord(found) && isRecord(found.log)) return { kind: 'har', requests: readHar(found.log) }
  throw new InputError(
    "Cannot show the file: it isn't a capture, a HAR file or a report with findings; use a file of capture, of requests --har, or of --report json=FILE",
  )
}

/** Returns the numbers of the steps of a run: the ids of its requests, or the places of a report's findings. */
export function stepsOf(run: Run): readonly number[] {
  switch (run.kind) {
    case 'capture':
      return run.capture.steps.flatMap((step) => (step.do === 'request' ? step.number : []))
    case 'har':
      return run.requests.map(({ id }) => id)
    case 'report':
      return run.findings.map((_, index) => index + 1)
  }
}

/**
 * Creates a sandbox that shows a run as it was after a step. A HAR file and a report contain no state, so that their
 * sandbox is empty, except for the requests or the findings up to the step.
 *
 * @param step Number of the step; by default the last one.
 */
export async function sandboxAt(run: Run, step = stepsOf(run).at(-1)): Promise<Sandbox> {
  switch (run.kind) {
    case 'capture':
      return (await playedSandbox(run.capture, { until: step })).sandbox
    case 'har':
      return sandboxWithRequests(run.requests.filter(({ id }) => id <= (step ?? 0)))
    case 'report':
      return sandboxWithFindings(run.findings.slice(0, step))
  }
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

const harHeaders = list(view({ name: string, value: string }))

/** An entry of a HAR file; custom fields contain the rest of the request. */
const harEntry = view({
  startedDateTime: instant,
  comment: string,
  timings: view({ wait: number('a duration in milliseconds', { minimum: 0, maximum: 1e15 }) }),
  request: view({
    method: string,
    url: string,
    headers: harHeaders,
    bodySize: integer(0, 1e15),
    postData: optional(view({ text: string })),
  }),
  response: view({
    status: integer(-1, 599),
    headers: harHeaders,
    content: view({ size: integer(0, 1e15), text: string }),
  }),
})

/**
 * Reads the requests of a HAR file, in the order of their ids.
 *
 * @throws {@link InputError} for a HAR file that no sandbox wrote.
 */
function readHar({ creator: by, entries }: Readonly<Record<string, unknown>>): RequestView[] {
  if (!isRecord(by) || by.name !== creator.name) {
    throw new InputError(
      'Cannot show the file: it is a HAR file of another program; use one of petstore-sandbox, or compare the file with the spec in the console',
    )
  }
  const all = list(custom('an entry of a HAR file', isRecord))
  const parse = (found: unknown): RequestView[] =>
    all.parse(found).map((entry, index) => readPart(index, () => viewOf(entry)))
  const views = readInput({ parse }, entries, 'log.entries')
  const byId = new Map(views.map((one) => [one.id, one]))
  return [...byId.values()].sort((one, other) => one.id - other.id)
}

/** Returns the request of an entry as the request log showed it. */
function viewOf(entry: Readonly<Record<string, unknown>>): RequestView {
  const { startedDateTime, comment, timings, request, response } = harEntry.parse(entry)
  const own = Object.entries(entry).filter(([name]) => name.startsWith('_'))
  const { outcome, ...facts } = Object.fromEntries(
    own.map(([name, value]) => [name.slice(1), value]),
  )
  const { status, content } = response
  const shownResponse = { status, ...headersAndBody(response.headers, content.text, content.size) }
  return requestView.parse({
    ...facts,
    at: formatInstant(startedDateTime),
    durationMs: timings.wait,
    why: comment,
    request: {
      method: request.method,
      url: request.url.replace(/^https?:\/\/[^/]+(?:\/sandboxes\/[^/]+(?=\/))?/, ''),
      ...headersAndBody(request.headers, request.postData?.text ?? '', request.bodySize),
    },
    outcome: { ...(status < 0 ? {} : shownResponse), ...(isRecord(outcome) ? outcome : {}) },
  })
}

function headersAndBody(headers: Output<typeof harHeaders>, body: string, bytes: number) {
  return {
    headers: headersFrom(headers.flatMap(({ name, value }) => [name, value])),
    body,
    ...(bytes === utf8Length(body) ? {} : { bodyBytes: bytes }),
  }
}

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
    { past: () => [...inOrder(past), ...sandbox.state().requests.past().filter(isLater)] },
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

/** Creates an empty sandbox that returns the findings of a report. */
function sandboxWithFindings(findings: readonly Finding[]): Sandbox {
  const numbers = findings.flatMap(({ requests }) => requests)
  const checked = numbers.reduce((most, number) => Math.max(most, number), 0)
  return emptySandbox({}, { result: { findings, requests: checked } })
}

/** Creates an empty sandbox whose request log contains the requests of a HAR file. */
function sandboxWithRequests(requests: readonly RequestView[]): Sandbox {
  const last = requests.at(-1)
  const sandbox = emptySandbox({
    now: last && Date.parse(last.at),
    maxRequests: Math.max(defaultMaxRequests, requests.length),
  })
  const list = [...requests]
  sandbox.state().requests.restore({ lastId: last?.id ?? 0, list, changes: [] })
  return sandbox
}

function emptySandbox(
  { now, ...options }: { readonly now?: number | undefined; readonly maxRequests?: number },
  shown: RecordedData = {},
): Sandbox {
  const clock = { now, mode: 'frozen', speed: 1 } as const
  return sandboxOf(
    { ...sandboxOptions.parse({}), ...options, seed: { pets: [], keys: [] }, clock },
    new SharedMemory(),
    shown,
  )
}
