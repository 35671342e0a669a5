import { withChoices } from '../../contract/gap-settings.ts'
import { defaultGaps, type GapChoices } from '../../contract/gaps.ts'
import { changingControls } from '../../control/access.ts'
import type {
  CapturedOutcome,
  CapturedVisit,
  CaptureStep,
  ReadCapture,
} from '../../control/reports.ts'
import { InputError } from '../../input/input-error.ts'
import { definedOf } from '../../input/record.ts'
import { show } from '../../input/show.ts'
import type { Beginning } from '../../state/beginning.ts'
import type { VisitFacts } from '../../state/exchange.ts'
import { defaultLimits, SharedMemory } from '../../state/limits.ts'
import { Redactor } from '../../state/redactor.ts'
import { smallerLists } from '../smaller-lists.ts'
import type { Step } from '../step-record.ts'
import { replayable, World } from '../world.ts'
import { capturedOutcome, digested } from './make-capture.ts'

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
  const baseline = other === undefined ? undefined : worldOf(capture)
  let exchanges = 0
  let isOver = false
  for (const step of capture.steps) {
    if (isOver) break
    isOver = isLast(step, until)
    const outcome = await world.take(stepOf(step))
    const usual = await baseline?.take(stepOf(step))
    if (step.do === 'control' || outcome === undefined) continue
    exchanges++
    const expected = usual === undefined ? step.outcome : capturedOutcome(usual)
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
async function outcomesOf(capture: ReadCapture): Promise<readonly CapturedOutcome[]> {
  const world = worldOf(capture)
  const found: CapturedOutcome[] = []
  for (const step of capture.steps) {
    const outcome = await world.take(stepOf(step))
    if (outcome !== undefined) found.push(capturedOutcome(outcome))
  }
  return found
}

/** Compares what became of a request with what was to, of which a capture may have only a digest. */
function changesFrom(expected: CapturedOutcome, found: CapturedOutcome): ReplyChange[] {
  const isDigest = expected.bodyDigest !== undefined
  return changesBetween(expected, isDigest ? digested(found) : found)
}

/** A part of a reply that is not as it was. */
export interface ReplyChange {
  /** Such as `status`, `body` or `headers.date`. */
  readonly field: string
  /** `undefined` for none, as is what was found. */
  readonly expected: string | undefined
  readonly found: string | undefined
}

/** Compares what became of a request, status, headers and body, with what was to become of it. */
export function changesBetween(expected: CapturedOutcome, found: CapturedOutcome): ReplyChange[] {
  const [old, other] = [fieldsOf(expected), fieldsOf(found)]
  const fields = [...new Set([...old.keys(), ...other.keys()])]
  return fields
    .filter((field) => old.get(field) !== other.get(field))
    .map((field) => ({ field, expected: old.get(field), found: other.get(field) }))
}

/** A map, since a header may be called `constructor`. */
function fieldsOf({
  kind,
  status,
  headers = {},
  body,
  bodyDigest,
}: CapturedOutcome): ReadonlyMap<string, string> {
  const fields = new Map<string, string>([['kind', kind]])
  if (status !== undefined) fields.set('status', String(status))
  for (const [name, value] of Object.entries(headers)) fields.set(headerPrefix + name, value)
  if (body !== undefined) fields.set('body', body)
  if (bodyDigest !== undefined) fields.set('digest of the body', String(bodyDigest))
  return fields
}

const headerPrefix = 'headers.'

/** Puts what was to become of a request in the place of what did, in some fields. */
function withExpected(
  found: CapturedOutcome,
  expected: CapturedOutcome,
  changes: readonly ReplyChange[],
): CapturedOutcome {
  const names = new Set(changes.map(({ field }) => field))
  const from = (field: string): CapturedOutcome => (names.has(field) ? expected : found)
  const isDigest = names.has('digest of the body')
  const headers = new Map(Object.entries(found.headers ?? {}))
  for (const { field, expected: value } of changes) {
    if (!field.startsWith(headerPrefix)) continue
    const name = field.slice(headerPrefix.length)
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  }
  return {
    kind: from('kind').kind,
    status: from('status').status,
    headers: expected.headers === undefined ? undefined : Object.fromEntries(headers),
    body: isDigest ? undefined : from('body').body,
    bodyDigest: isDigest ? expected.bodyDigest : undefined,
  }
}

/** Makes a world that begins as a capture does, if need be under other choices at some gaps. */
function worldOf({ begin }: ReadCapture, other?: Partial<GapChoices>): World {
  return new World(replayable(beginningOf(begin)), other)
}

/**
 * Gives a step of a capture as a world takes it.
 *
 * @throws {@link InputError} for a control that no capture has.
 */
export function stepOf(step: CaptureStep): Step {
  const { at } = step
  if (step.do === 'control') {
    const { name, given } = step
    if (!changingControls.some((one) => one === name)) {
      throw new InputError(
        `Cannot replay the control ${show(name)}: no such control; use one of ${changingControls.join(', ')}`,
      )
    }
    return { kind: 'control', at, name, given }
  }
  const { unreadable, ...request } = step.request
  return {
    kind: 'request',
    at,
    request: { ...request, ...definedOf({ unreadable }) },
    number: step.number,
    visit: step.visit && visitFactsOf(step.visit),
  }
}

function beginningOf({
  seed,
  limits,
  gaps,
  randomSeed = 1,
  rateLimit = 'enforced',
}: ReadCapture['begin']): Beginning {
  return {
    seed: { pets: seed?.pets ?? [], keys: seed?.keys ?? [] },
    randomSeed,
    gaps: gaps === undefined ? defaultGaps : withChoices(gaps),
    clock: { now: 0, mode: 'frozen', scale: 1 },
    rateLimit,
    journalSize: 0,
    redactor: new Redactor(),
    secrets: new Set(),
    memory: new SharedMemory(),
    limits: limits ?? defaultLimits,
  }
}

/** Gives what is known of a visit that a capture has. */
export function visitFactsOf({ received, answered, ...rest }: CapturedVisit): VisitFacts {
  return {
    ...rest,
    ...{ startOrder: received.order, received: received.real },
    ...{ receivedAt: received.host, receivedTurn: received.turn },
    ...{ answerOrder: answered?.order, answered: answered?.real },
    ...{ answeredAt: answered?.host, answeredTurn: answered?.turn },
  }
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
 * @param how As the replay that has shown it.
 * @param mostSteps How many steps the search may take, replays of the same step counted each time.
 * @throws {@link InputError} as the replay does.
 */
export async function minimizeCapture(
  capture: ReadCapture,
  difference: ReplayDifference,
  { other }: HowToReplay,
  mostSteps: number = mostSearchedSteps,
): Promise<MinimizedCapture> {
  const before = stepsUntil(capture.steps, difference.number)
  const last = before.pop()
  if (last === undefined || last.do !== 'request') throw new RangeError('Cannot find the request')
  const shows =
    other === undefined
      ? (steps: readonly CaptureStep[]) => showsChanges(capture, steps, difference.changes)
      : (steps: readonly CaptureStep[]) => showsChoice(capture, steps, difference.changes, other)
  const search = smallerLists(before)
  let steps: readonly CaptureStep[] = before
  let taken = 0
  let next = search.next()
  while (!next.done && taken < mostSteps) {
    const { value } = next
    taken += value.length + 1
    const isShown = await shows([...value, last])
    if (isShown) steps = value
    next = search.next(isShown)
  }
  const kept = { ...capture, steps: [...steps, last] }
  const minimized = withOutcomes(
    kept,
    await outcomesOf(kept),
    other === undefined ? difference.changes : [],
  )
  const { difference: shown = difference } = await replayCapture(minimized, { other })
  return { capture: minimized, difference: shown, isSmallest: next.done === true }
}

/** The steps up to a request, by its number. */
export function stepsUntil(steps: readonly CaptureStep[], number: number): CaptureStep[] {
  return steps.slice(0, 1 + steps.findIndex((step) => isLast(step, number)))
}

/** Whether the last request differs under other choices in the same fields, and none before does. */
async function showsChoice(
  capture: ReadCapture,
  steps: readonly CaptureStep[],
  changes: readonly ReplyChange[],
  other: Partial<GapChoices>,
): Promise<boolean> {
  const { difference } = await replayCapture({ ...capture, steps: [...steps] }, { other })
  const last = steps.at(-1)
  const isLastOne =
    last !== undefined && difference !== undefined && isLast(last, difference.number)
  return isLastOne && namesOf(difference.changes) === namesOf(changes)
}

function namesOf(changes: readonly ReplyChange[]): string {
  return changes.map(({ field }) => field).join('\n')
}

/** Whether the last request still gets what it should not; other fields may differ for want of what was left out. */
async function showsChanges(
  capture: ReadCapture,
  steps: readonly CaptureStep[],
  changes: readonly ReplyChange[],
): Promise<boolean> {
  const [last, found] = [steps.at(-1), (await outcomesOf({ ...capture, steps: [...steps] })).at(-1)]
  if (last?.do !== 'request' || found === undefined) return false
  const now = changesFrom(last.outcome, found)
  return changes.every(({ field, found: wrong }) =>
    now.some((one) => one.field === field && one.found === wrong),
  )
}

/** @param changes What the last outcome keeps of what was expected. */
function withOutcomes(
  capture: ReadCapture,
  outcomes: readonly CapturedOutcome[],
  changes: readonly ReplyChange[],
): ReadCapture {
  let index = 0
  const steps = capture.steps.map((step, at): CaptureStep => {
    const found = step.do === 'request' ? outcomes[index++] : undefined
    if (step.do === 'control' || found === undefined) return step
    const isLast = at === capture.steps.length - 1
    return { ...step, outcome: isLast ? withExpected(found, step.outcome, changes) : found }
  })
  return { ...capture, steps }
}
