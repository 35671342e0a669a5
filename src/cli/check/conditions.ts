import type { RuleName } from '../../checks/audit/rules.ts'
import type { OperationName } from '../../mock/api/endpoints.ts'
import type { Configuration } from '../../mock/api/gaps/configuration.ts'
import { namesOf } from '../../mock/input/record.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** Facts about the run that a condition is set up for. */
export interface ConditionSetup {
  /** Operation that fails, for a condition of operations. */
  readonly operation: OperationName | undefined
  /** Number of requests that the suite sends when nothing fails. */
  readonly requests: number
}

/** Failure condition: gap values and a change of the sandbox. The suite runs under it, and its client has to cope. */
export interface Condition {
  /** Condition in one sentence. */
  readonly description: string
  readonly spec: string
  /** Whether it concerns the whole suite, or each operation that the suite calls. */
  readonly per: 'suite' | 'operation'
  /** Number of times that the suite runs at once, with the same sandbox. */
  readonly copies: number
  /** Operation without which the condition shows nothing. */
  readonly needs: OperationName | undefined
  /** Gap values of the run. */
  readonly gaps: Configuration
  /** Sets it up; called again after each reset by the suite. */
  set(sandbox: Sandbox, setup: ConditionSetup): void
  /** Returns whether the client has encountered the condition in a request. */
  isMet(entry: RequestView): boolean
  /** Called when the client has encountered it for the first time. */
  afterwards?(sandbox: Sandbox): void
  /** Whether a good client passes all tests; elsewhere tests may fail, since only their author knows what to expect. */
  readonly mustPass: boolean
  /** Whether a good client may still be waiting when the time of the run is over. */
  readonly mayBeLong: boolean
  /** Time that a run may take beyond the usual limit, in milliseconds. */
  readonly moreMs: number
  /** Rules whose findings the condition itself causes. */
  readonly expected: readonly RuleName[]
  /** Whether a request never gets a response, so that the run shows how long the client waits. */
  readonly isSilent: boolean
  /** Advice if the suite doesn't pass. */
  readonly advice: string
}

/** Values that most conditions share. */
const common = {
  per: 'suite',
  copies: 1,
  needs: undefined,
  gaps: [],
  mustPass: false,
  mayBeLong: false,
  moreMs: 0,
  isSilent: false,
  expected: [],
} as const

const dayMs = 86_400_000

/** Time of day two seconds before the end of a minute, at noon. */
const lateInMinuteMs = dayMs / 2 + 58_000

/** Maximum time for the wait after a short limit, with retries, in milliseconds. */
const moreForWaits = 10_000

/** Maximum time for retries with backoff, in milliseconds. */
const moreForRetries = 10_000

/** Maximum time for the limit that a client sets itself, in milliseconds. */
const moreForSilence = 5_000

/** Maximum time of all responses of the condition `slow` together, in milliseconds. */
const slowResponsesMs = 15_000

/** Time by which the service's clock is behind, in milliseconds. */
const behindMs = 600_000

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
 * @param lateMs Milliseconds by which the sandbox's clock is behind.
 */
function waitNearMinuteEnd(sandbox: Sandbox, lateMs = 0): void {
  sandbox.clock.freeze()
  sandbox.clock.set(today(sandbox) + lateInMinuteMs - lateMs)
}

/** Exhausts the minute quota of all keys two seconds before its end. */
function endMinuteSoon(sandbox: Sandbox, lateMs = 0): void {
  waitNearMinuteEnd(sandbox, lateMs)
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
  spec: '8.2',
  isMet: isLimited,
  afterwards: (sandbox: Sandbox) => sandbox.clock.resume(),
  moreMs: moreForWaits,
  advice: 'Wait as long as Retry-After says, then send the request again.',
} as const

const ofOperation = { ...common, per: 'operation', isMet: isApplied } as const

const sunset = {
  ...common,
  spec: '4.3',
  needs: 'getPet',
  isMet: ({ operation }: RequestView) => operation === 'getPet',
  mustPass: true,
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
  'day-limit': {
    ...common,
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
    set: shareMinute,
    mayBeLong: true,
    advice: 'Share one limiter between all processes that use a key, or give each its own key.',
  },
  banned: {
    ...common,
    description: 'The key is banned for five minutes, or as long as the gap banDuration says.',
    spec: '8.3',
    set: (sandbox) => sandbox.scenario('banned'),
    isMet: isLimited,
    mayBeLong: true,
    advice: 'Send nothing with a banned key until Retry-After has passed, and tell the caller why.',
  },
  'key-expired': {
    ...common,
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
    moreMs: moreForSilence,
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
  slow: {
    ...common,
    description: 'The first five responses take one to three seconds each.',
    spec: '4',
    set: (sandbox) => sandbox.faults.add({ fault: 'latency', ms: ['1s', '3s'], times: 5 }),
    isMet: isApplied,
    mustPass: true,
    moreMs: slowResponsesMs,
    advice: 'Allow several seconds for a response, and send nothing twice meanwhile.',
  },
  'clock-behind': {
    ...shortLimit,
    description: "Like minute-limit, but the service's clock is ten minutes behind.",
    advice: 'Take the wait from Retry-After, which needs no clock, not from X-RateLimit-Reset.',
    set: (sandbox) => endMinuteSoon(sandbox, behindMs),
  },
  'sunset-eve': {
    ...sunset,
    description: 'It is 4 December 2030, the last day of GET /v1/pets/{petId}.',
    set: onDay(-1),
  },
  'sunset-day': {
    ...sunset,
    description: 'It is noon on 5 December 2030, the day on which GET /v1/pets/{petId} is removed.',
    set: onDay(0),
  },
  'large-ids': {
    ...common,
    description: 'New pets get odd ids above 2^53, which a double cannot hold.',
    spec: '2',
    needs: 'createPet',
    gaps: [{ gap: 'idSequence', value: 'large' }],
    set() {},
    isMet: ({ decision: { petId } }) =>
      petId !== undefined && BigInt(petId) > Number.MAX_SAFE_INTEGER,
    mustPass: true,
    advice: 'Read ids as 64-bit integers, or as text: a double rounds them to another pet.',
  },
} as const satisfies Readonly<Record<string, Condition>>

/** Name of a failure condition. */
export type ConditionName = keyof typeof rows

/** Failure conditions, by name. */
export const conditions: Readonly<Record<ConditionName, Condition>> = rows

/** Names of the failure conditions, in the order in which they run. */
export const conditionNames: readonly ConditionName[] = namesOf(rows)
