import type { Configuration } from '../../checks/replay/choices.ts'
import type { OperationName } from '../../mock/api/endpoints.ts'
import { namesOf } from '../../mock/input/record.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** Subjects of failure conditions. */
export const subjects = {
  limits: 'limits and keys',
  faults: 'faults',
  time: 'time and the sunset',
  pets: 'pets',
} as const

type Subject = keyof typeof subjects

/** Grade of a condition under which the suite doesn't pass: a failure was expected, or it needs a review. */
export type Weight = 'info' | 'review'

/** Facts about the run that a condition is set up for. */
export interface ConditionSetup {
  /** Operation that fails, for a condition of operations. */
  readonly operation: OperationName | undefined
  /** Number of requests that the suite sends when nothing fails. */
  readonly requests: number
}

/** Failure condition: the suite runs under it, and its client has to cope. */
export interface Condition {
  readonly subject: Subject
  /** Condition in one sentence. */
  readonly description: string
  readonly spec: string
  /** Whether it concerns the whole suite, or each operation that the suite calls. */
  readonly per: 'suite' | 'operation'
  /** Number of times that the suite runs at once, with the same sandbox. */
  readonly copies: number
  /** The operation without which the condition shows nothing; or requests of pages of other origins. */
  readonly needs: OperationName | 'any' | 'page'
  /** Gap values of the run. */
  readonly gaps: Configuration
  /** Sets it up; called again after each reset by the suite. */
  set(sandbox: Sandbox, setup: ConditionSetup): void
  /** Returns whether the client has encountered the condition in a request. */
  isMet(entry: RequestView): boolean
  /** Called when the client has encountered it for the first time. */
  afterwards?(sandbox: Sandbox): void
  /** Grade if tests fail. */
  readonly red: Weight
  /**
   * Control: a condition that is the same but for one thing. If the control fails too, a failure here proves nothing
   * about the thing.
   */
  readonly repeats: string | undefined
  /** Grade if the suite exceeds its time limit. */
  readonly slow: Weight
  /** Time that a run may take beyond the usual limit, in milliseconds. */
  readonly moreMs: number
  /** Rules whose findings the condition itself causes. */
  readonly expected: readonly string[]
  /** Rules whose findings count here, although they are only information elsewhere. */
  readonly proves: readonly string[]
  /** Whether a request never gets a response, so that the run shows how long the client waits. */
  readonly isSilent: boolean
  /** Whether a good client passes all tests, so that it shares a run with others of this kind until one fails. */
  readonly isHarmless: boolean
  /** Conditions that show all that this one could show, if a client has no complaint under them. */
  readonly impliedBy: readonly string[]
  /** Conditions under one of which a client has to retry a request before this one can show more than they do. */
  readonly afterRetry: readonly string[]
  /** Advice if the suite doesn't pass. */
  readonly advice: string
}

/** Values that most conditions share. */
const common = {
  per: 'suite',
  copies: 1,
  needs: 'any',
  gaps: [],
  red: 'info',
  slow: 'review',
  moreMs: 0,
  repeats: undefined,
  isSilent: false,
  isHarmless: false,
  impliedBy: [],
  afterRetry: [],
  expected: [],
  proves: [],
} as const

const dayMs = 86_400_000

/** Time of day two seconds before the end of a minute, at noon. */
const lateInMinuteMs = dayMs / 2 + 58_000

/** Maximum time for the wait after a short limit, with retries, in milliseconds. */
const moreForWaits = 10_000

/** Maximum time for retries with backoff, in milliseconds. */
const moreForRetries = 10_000

/** Maximum time of all responses of the condition `slow` together, in milliseconds. */
const slowResponsesMs = 15_000

/** Difference of the clocks in the conditions with skewed clocks, in milliseconds. */
const apartMs = 600_000

/** Noon of the day on which `getPet` is removed (spec 4.3). */
const sunsetNoonAt = Date.UTC(2030, 11, 5, 12)

/** Returns the beginning of the sandbox's day. */
function today(sandbox: Sandbox): number {
  const now = sandbox.clock.now()
  return now - (now % dayMs)
}

/** Returns whether a request was rejected because of its quota or a ban. */
export function isLimited({ decision: { code } }: RequestView): boolean {
  return code === 'rate_limit_exceeded' || code === 'key_banned'
}

function isApplied({ faults }: RequestView): boolean {
  return faults.length > 0
}

/**
 * Freezes the clock two seconds before the end of a minute, until the client has encountered the limit.
 *
 * @param shiftMs Milliseconds by which the sandbox's clock is ahead of the client's.
 */
function waitNearMinuteEnd(sandbox: Sandbox, shiftMs = 0): void {
  sandbox.clock.freeze()
  sandbox.clock.set(today(sandbox) + lateInMinuteMs + shiftMs)
}

/** Exhausts the minute quota of all keys two seconds before its end. */
function endMinuteSoon(sandbox: Sandbox, shiftMs = 0): void {
  waitNearMinuteEnd(sandbox, shiftMs)
  sandbox.scenario('minute-exhausted')
}

/** Leaves each key a minute quota for one and a half runs of the suite. */
function shareMinute(sandbox: Sandbox, { requests }: ConditionSetup): void {
  waitNearMinuteEnd(sandbox)
  for (const { key, minute } of sandbox.keys.list()) {
    const remaining = Math.min(Math.ceil(requests * 1.5), minute.limit)
    sandbox.keys.setRemaining(key, { minute: remaining })
  }
}

/** Returns a function that sets the clock to a day, counted from that of the sunset. */
const onDay =
  (days: number) =>
  (sandbox: Sandbox): void =>
    sandbox.clock.set(sunsetNoonAt + days * dayMs)

/** Windows begin with minutes and days, so that their ends are known. */
const calendar: Configuration = [{ gap: 'quotaWindow', value: 'calendar' }]

/** Values of a condition with a limit that resets after two seconds. */
const shortLimit = {
  ...common,
  gaps: calendar,
  subject: 'limits',
  spec: '8.2',
  isMet: isLimited,
  afterwards: (sandbox: Sandbox) => sandbox.clock.resume(),
  moreMs: moreForWaits,
  advice: 'Wait as long as Retry-After says, then send the request again.',
} as const

const ofOperation = { ...common, subject: 'faults', per: 'operation', isMet: isApplied } as const

const skewed = {
  ...shortLimit,
  subject: 'time',
  red: 'review',
  repeats: 'minute-limit',
  // A client that doesn't retry after a limit doesn't depend on skewed clocks.
  afterRetry: ['minute-limit'],
  advice: 'Take the wait from Retry-After, which needs no clock, not from X-RateLimit-Reset.',
} as const

/** Values of a condition whose service writes another unit, or hides it. */
const units = {
  ...shortLimit,
  repeats: 'minute-limit',
  // A client that doesn't come back after a limit reads no wait.
  afterRetry: ['minute-limit'],
  set: (sandbox: Sandbox) => endMinuteSoon(sandbox),
} as const

const sunset = {
  ...common,
  subject: 'time',
  spec: '4.3',
  needs: 'getPet',
  isMet: ({ operation }: RequestView) => operation === 'getPet',
  red: 'review',
  expected: ['removed-operation', 'deprecated-operation'],
  advice: 'Switch to its successor, GET /v1/pets, before 5 December 2030.',
} as const

const rows = {
  'minute-limit': {
    ...shortLimit,
    description:
      'The minute is exhausted; Retry-After is two seconds; then requests succeed again.',
    set: (sandbox) => endMinuteSoon(sandbox),
  },
  'retry-after-ms': {
    ...units,
    description:
      'Like minute-limit, but Retry-After is in milliseconds: 2000 means two seconds, and not half an hour.',
    spec: '8.5',
    gaps: [...calendar, { gap: 'retryAfterFormat', value: 'milliseconds' }],
    proves: ['retry-after-misread'],
    advice:
      'Compare Retry-After with X-RateLimit-Reset before you take it for seconds, and limit every wait.',
  },
  'reset-ms': {
    ...units,
    description: 'Like minute-limit, but X-RateLimit-Reset is a Unix timestamp in milliseconds.',
    red: 'review',
    spec: '8',
    gaps: [...calendar, { gap: 'resetUnit', value: 'milliseconds' }],
    advice: 'Take the wait from Retry-After; a timestamp above 100,000,000,000 is in milliseconds.',
  },
  'hidden-headers': {
    ...units,
    description:
      "Like minute-limit, but pages of other origins can't read Retry-After and X-RateLimit-*.",
    red: 'review',
    spec: '8',
    needs: 'page',
    gaps: [...calendar, { gap: 'exposedHeaders', value: 'none' }],
    isMet: (entry) => isLimited(entry) && entry.request.headers.origin !== undefined,
    advice: "If a page can't read Retry-After, wait for a time of its own, and longer each time.",
  },
  'day-limit': {
    ...common,
    subject: 'limits',
    description: 'The day is exhausted; Retry-After is twelve hours.',
    spec: '8.2',
    gaps: calendar,
    set(sandbox) {
      sandbox.clock.set(today(sandbox) + dayMs / 2)
      sandbox.scenario('day-exhausted')
    },
    isMet: isLimited,
    advice: 'Tell the caller when the wait is too long, and stop sending until it is over.',
  },
  'shared-key': {
    ...shortLimit,
    description:
      'The suite runs three times at once with one key, whose minute has room for half of that; Retry-After is two seconds.',
    copies: 3,
    afterRetry: ['minute-limit'],
    set: shareMinute,
    slow: 'info',
    advice: 'Share one limiter between all processes that use a key, or give each its own key.',
  },
  banned: {
    ...common,
    subject: 'limits',
    description: 'The key is banned for five minutes, or as long as the gap banDuration says.',
    spec: '8.3',
    set: (sandbox) => sandbox.scenario('banned'),
    isMet: isLimited,
    slow: 'info',
    advice: 'Send nothing with a banned key until Retry-After has passed, and tell the caller why.',
  },
  'key-expired': {
    ...common,
    subject: 'limits',
    description: 'The key has expired: every request gets 401.',
    spec: '5',
    set: (sandbox) => sandbox.scenario('key-expired'),
    isMet: ({ decision: { code } }) => code === 'unauthorized',
    advice: 'Treat 401 as final: ask for another key, and stop using this one.',
  },
  outage: {
    ...ofOperation,
    description: 'Every request to the operation gets 503.',
    spec: '7',
    set: (sandbox, { operation }) =>
      sandbox.faults.add({ fault: 'status', status: 503, operation }),
    moreMs: moreForRetries,
    advice: 'Stop after a few tries, each after a longer wait, and tell the caller.',
  },
  'retry-after': {
    ...ofOperation,
    description: 'The first two requests get 503; Retry-After is two seconds each time.',
    spec: '7',
    set: (sandbox, { operation }) =>
      sandbox.faults.add({ fault: 'status', status: 503, retryAfter: '2s', operation, times: 2 }),
    moreMs: moreForWaits,
    advice: 'Wait as long as Retry-After says, after 503 too, then send the request again.',
  },
  'lost-response': {
    ...ofOperation,
    description: 'The first request takes effect, but its response is lost.',
    spec: '4',
    set: (sandbox, { operation }) =>
      sandbox.faults.add({ fault: 'disconnect', operation, times: 1 }),
    advice: 'Retry a GET; check before you retry a POST, since it may have taken effect.',
  },
  'late-list': {
    ...common,
    subject: 'faults',
    description:
      'The response to the first POST /v1/pets is lost; GET /v1/pets lists a new pet two seconds later.',
    spec: '4.1',
    needs: 'createPet',
    gaps: [{ gap: 'newPetListed', value: 2_000 }],
    set: (sandbox) => sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 }),
    isMet: isApplied,
    moreMs: moreForWaits,
    advice:
      'Look several times, for some seconds, before you add a pet again: a list may show it late.',
  },
  'no-response': {
    ...ofOperation,
    description: 'The first request gets no response.',
    spec: '4',
    set: (sandbox, { operation }) => sandbox.faults.add({ fault: 'timeout', operation, times: 1 }),
    isSilent: true,
    advice: 'Set a time limit for each request, such as AbortSignal.timeout(5_000).',
  },
  'invalid-json': {
    ...ofOperation,
    description: 'The first response is not valid JSON.',
    spec: '4',
    set: (sandbox, { operation }) =>
      sandbox.faults.add({ fault: 'malformed-json', operation, times: 1 }),
    advice: 'Catch what the parser throws, and tell the caller that the response was unreadable.',
  },
  flaky: {
    ...common,
    subject: 'faults',
    description: 'One request in five gets 503, one in twenty is cut off.',
    spec: '7',
    impliedBy: ['outage', 'retry-after', 'lost-response'],
    set: (sandbox) => sandbox.scenario('flaky'),
    isMet: isApplied,
    moreMs: moreForRetries,
    advice: 'Retry a GET with backoff; check before you retry a POST.',
  },
  slow: {
    ...common,
    subject: 'faults',
    description: 'The first five responses take one to three seconds each.',
    spec: '4',
    set: (sandbox) => sandbox.faults.add({ fault: 'latency', ms: ['1s', '3s'], times: 5 }),
    isMet: isApplied,
    red: 'review',
    isHarmless: true,
    moreMs: slowResponsesMs,
    advice: 'Allow several seconds for a response, and send nothing twice meanwhile.',
  },
  'clock-ahead': {
    ...skewed,
    description: "Like minute-limit, but the service's clock is ten minutes ahead.",
    set: (sandbox) => endMinuteSoon(sandbox, apartMs),
  },
  'clock-behind': {
    ...skewed,
    description: "Like minute-limit, but the service's clock is ten minutes behind.",
    set: (sandbox) => endMinuteSoon(sandbox, -apartMs),
  },
  'sunset-eve': {
    ...sunset,
    description: 'It is 4 December 2030, the last day of GET /v1/pets/{petId}.',
    isHarmless: true,
    set: onDay(-1),
  },
  'sunset-day': {
    ...sunset,
    description: 'It is noon on 5 December 2030, the day on which GET /v1/pets/{petId} is removed.',
    // A client that copes with a removed operation also copes with the day of its removal.
    impliedBy: ['sunset-after'],
    set: onDay(0),
  },
  'sunset-after': {
    ...sunset,
    description: 'It is 6 December 2030: GET /v1/pets/{petId} is gone.',
    set: onDay(1),
  },
  'large-ids': {
    ...common,
    subject: 'pets',
    description: 'New pets get odd ids above 2^53, which a double cannot hold.',
    spec: '2',
    needs: 'createPet',
    gaps: [{ gap: 'idSequence', value: 'large' }],
    set() {},
    isMet: ({ decision: { petId } }) =>
      petId !== undefined && BigInt(petId) > Number.MAX_SAFE_INTEGER,
    red: 'review',
    isHarmless: true,
    advice: 'Read ids as 64-bit integers, or as text: a double rounds them to another pet.',
  },
} as const satisfies Readonly<Record<string, Condition>>

/** Name of a failure condition. */
export type ConditionName = keyof typeof rows

/** Failure conditions, by name. */
export const conditions: Readonly<Record<ConditionName, Condition>> = rows

/** Names of the failure conditions, in the order in which they run. */
export const conditionNames: readonly ConditionName[] = namesOf(rows)
