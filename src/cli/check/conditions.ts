import { maxRejections, maxTries } from '../../checks/audit/retrying.ts'
import type { RuleName } from '../../checks/audit/rules.ts'
import type { OperationName } from '../../mock/api/endpoints.ts'
import type { Configuration } from '../../mock/api/gaps/configuration.ts'
import { namesOf } from '../../mock/input/record.ts'
import { type ConditionEffect, effects } from '../../sandbox/conditions.ts'

/** Failure condition: gap values and a change of the sandbox. The suite runs under it, and its client has to cope. */
export interface Condition extends ConditionEffect {
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
  /** Whether a good client passes all tests; elsewhere tests may fail, since only their author knows what to expect. */
  readonly mustPass: boolean
  /** Whether a good client may still be waiting when the time of the run is over. */
  readonly mayBeLong: boolean
  /** Time that a run may take beyond the usual limit, in milliseconds. */
  readonly moreMs: number
  /** Whether each request fails, so that a run may take this time for each of the first {@link mostRetried}. */
  readonly isLasting: boolean
  /** Rules whose findings the condition itself causes. */
  readonly expected: readonly RuleName[]
  /** Number of times that a request is sent in vain, as a multiple of the suite's own, that breaks a rule. */
  readonly repeats:
    | { readonly rule: RuleName; readonly times: number; readonly grade: 'fix' | 'review' }
    | undefined
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
  isLasting: false,
  isSilent: false,
  expected: [],
  repeats: undefined,
} as const

/** Maximum time for the wait after a short limit, with retries, in milliseconds. */
const moreForWaits = 10_000

/** Maximum time for the retries of a request, with backoff, in milliseconds. */
const moreForRetries = 10_000

/** Number of requests whose retries are waited for; a suite that sends more may take longer, however good its client. */
export const mostRetried = 6

/** Maximum time for the limit that a client sets itself, in milliseconds. */
const moreForSilence = 5_000

/** Maximum time of all responses of the condition `slow` together, in milliseconds. */
const slowResponsesMs = 15_000

/** Windows begin with minutes and days, so that their ends are known. */
const calendar: Configuration = [{ gap: 'quotaWindow', value: 'calendar' }]

/** Values of a condition with a limit that resets after two seconds. */
const shortLimit = {
  ...common,
  gaps: calendar,
  spec: '8.2',
  moreMs: moreForWaits,
  advice: 'Wait as long as Retry-After says, then send the request again.',
} as const

const ofOperation = { ...common, per: 'operation' } as const

const sunset = {
  ...common,
  spec: '4.3',
  needs: 'getPet',
  mustPass: true,
  expected: ['removed-operation', 'deprecated-operation'],
  advice: 'Switch to its successor, GET /v1/pets, before 5 December 2030.',
} as const

const rows = {
  'minute-limit': {
    ...shortLimit,
    ...effects['minute-limit'],
    description:
      'The minute is exhausted; Retry-After is two seconds; then requests succeed again.',
  },
  'day-limit': {
    ...common,
    ...effects['day-limit'],
    description: 'The day is exhausted; Retry-After is twelve hours.',
    spec: '8.2',
    gaps: calendar,
    advice: 'Tell the caller when the wait is too long, and stop sending until it is over.',
  },
  'shared-key': {
    ...shortLimit,
    ...effects['shared-key'],
    description:
      'The suite runs three times at once with one key, whose minute has room for half of that; Retry-After is two seconds.',
    copies: 3,
    mayBeLong: true,
    advice: 'Share one limiter between all processes that use a key, or give each its own key.',
  },
  banned: {
    ...common,
    ...effects.banned,
    description: 'The key is banned for five minutes, or as long as the gap banDuration says.',
    spec: '8.3',
    mayBeLong: true,
    advice: 'Send nothing with a banned key until Retry-After has passed, and tell the caller why.',
  },
  'key-expired': {
    ...common,
    ...effects['key-expired'],
    description: 'The key has expired: every request gets 401.',
    spec: '5',
    repeats: { rule: 'retried-permanent-error', times: maxRejections, grade: 'fix' },
    advice: 'Treat 401 as final: ask for another key, and stop using this one.',
  },
  outage: {
    ...ofOperation,
    ...effects.outage,
    description: 'Every request to the operation gets 503.',
    spec: '7',
    moreMs: moreForRetries,
    isLasting: true,
    repeats: { rule: 'endless-retries', times: maxTries, grade: 'review' },
    advice: 'Stop after a few tries, each after a longer wait, and tell the caller.',
  },
  'retry-after': {
    ...ofOperation,
    ...effects['retry-after'],
    description: 'The first two requests get 503; Retry-After is two seconds each time.',
    spec: '7',
    moreMs: moreForWaits,
    advice: 'Wait as long as Retry-After says, after 503 too, then send the request again.',
  },
  'lost-response': {
    ...ofOperation,
    ...effects['lost-response'],
    description: 'The first request takes effect, but its response is lost.',
    spec: '4',
    advice: 'Retry a GET; check before you retry a POST, since it may have taken effect.',
  },
  'late-list': {
    ...common,
    ...effects['late-list'],
    description:
      'The response to the first POST /v1/pets is lost; GET /v1/pets lists a new pet two seconds later.',
    spec: '4.1',
    needs: 'createPet',
    gaps: [{ gap: 'newPetListed', value: 2_000 }],
    moreMs: moreForWaits,
    advice:
      'Look several times, for some seconds, before you add a pet again: a list may show it late.',
  },
  'no-response': {
    ...ofOperation,
    ...effects['no-response'],
    description: 'The first request gets no response.',
    spec: '4',
    isSilent: true,
    moreMs: moreForSilence,
    advice: 'Set a time limit for each request, such as AbortSignal.timeout(5_000).',
  },
  'invalid-json': {
    ...ofOperation,
    ...effects['invalid-json'],
    description: 'The first response is not valid JSON.',
    spec: '4',
    advice: 'Catch what the parser throws, and tell the caller that the response was unreadable.',
  },
  slow: {
    ...common,
    ...effects.slow,
    description: 'The first five responses take one to three seconds each.',
    spec: '4',
    mustPass: true,
    moreMs: slowResponsesMs,
    advice: 'Allow several seconds for a response, and send nothing twice meanwhile.',
  },
  'clock-behind': {
    ...shortLimit,
    ...effects['clock-behind'],
    description: "Like minute-limit, but the service's clock is ten minutes behind.",
    advice: 'Take the wait from Retry-After, which needs no clock, not from X-RateLimit-Reset.',
  },
  'sunset-eve': {
    ...sunset,
    ...effects['sunset-eve'],
    description: 'It is 4 December 2030, the last day of GET /v1/pets/{petId}.',
  },
  'sunset-day': {
    ...sunset,
    ...effects['sunset-day'],
    description: 'It is noon on 5 December 2030, the day on which GET /v1/pets/{petId} is removed.',
  },
  'large-ids': {
    ...common,
    ...effects['large-ids'],
    description: 'New pets get odd ids above 2^53, which a double cannot hold.',
    spec: '2',
    needs: 'createPet',
    gaps: [{ gap: 'idSequence', value: 'large' }],
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
