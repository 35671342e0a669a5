import type { Limits } from '../plans.ts'
import type { Chosen, Gap } from './gap.ts'
import {
  advance,
  banned,
  exhausted,
  get,
  leave,
  list,
  listPets,
  missingPet,
  ofDay,
} from './steps.ts'

/** Gaps of rate limits and bans (spec 8). */
export const limitGaps = {
  unauthenticatedQuota: {
    spec: '8',
    kind: 'enum',
    values: ['counted', 'not-counted'],
    summary: 'Whether X-RateLimit-Remaining counts down for requests without a valid key.',
    steps: [{ ...listPets, key: null }],
    ask: { ...listPets, key: null, times: 2 },
  },
  quotaWindow: {
    spec: '8',
    kind: 'enum',
    values: ['calendar', 'first-request', 'sliding'],
    summary:
      'The end of a quota: with the UTC minute or day, a minute or day after the second of the first request, or for each request by itself (sliding).',
    steps: [listPets],
    ask: { ...list({ limit: 1 }), times: 15, pauseMs: 7_000 },
  },
  reportedWindow: {
    spec: '8',
    kind: 'enum',
    values: ['tightest', 'minute', 'day'],
    summary: 'The window that X-RateLimit-* describes; a 429 always describes the exhausted one.',
    steps: [listPets],
    ask: { ...listPets, times: 2 },
  },
  resetUnit: {
    spec: '8',
    kind: 'enum',
    values: ['seconds', 'milliseconds'],
    summary: 'The unit of the Unix timestamp in X-RateLimit-Reset.',
    steps: [listPets],
  },
  countedRequests: {
    spec: '8',
    kind: 'enum',
    values: ['all', 'successful'],
    summary: 'The requests that count: all that do not get 429, or only those with a 2xx response.',
    steps: [missingPet],
    ask: { ...missingPet, times: 8 },
  },
  rejectedRequests: {
    spec: '8',
    kind: 'enum',
    values: ['not-counted', 'counted'],
    summary: 'Whether a request over a limit, or with a banned key, counts towards the limits.',
    steps: [ofDay, exhausted, listPets, advance('1m'), listPets],
    ask: null,
  },
  rejectsAt: {
    spec: '8',
    kind: 'enum',
    values: ['zero-left', 'earlier'],
    summary:
      'Number of remaining requests at which more are rejected: zero, or a tenth of the limit, as with a limit on bursts.',
    steps: [leave(6), listPets],
    ask: null,
  },
  errorPrecedence: {
    spec: '7',
    kind: 'enum',
    values: ['rate-limit', 'request'],
    summary:
      "The response to an invalid request whose key is over a limit or banned: 429, or its own 400, 404, 405 or 501, which then doesn't count towards a ban.",
    steps: [exhausted, listPets],
    ask: { ...get('/nothing'), times: 62 },
  },
  retryAfterFormat: {
    spec: '8',
    kind: 'enum',
    values: ['seconds', 'http-date', 'milliseconds', 'fraction', 'unix-time'],
    summary:
      'The form of Retry-After: seconds from now, an HTTP date, milliseconds from now, seconds with a fraction, or a Unix timestamp.',
    steps: [exhausted, listPets],
    ask: { ...list({ limit: 1 }), times: 61 },
  },
  retryAfterPadding: {
    spec: '8',
    kind: 'enum',
    values: ['none', '5s'],
    summary:
      'The precision of Retry-After: the instant from which requests succeed, or five seconds later, as with cautious services.',
    steps: [exhausted, listPets],
    ask: null,
  },
  banAfter: {
    spec: '8',
    kind: 'count',
    default: 10,
    plausible: [0, 'never'],
    summary: 'Number of 429 responses that a key may get in one window; the next request bans it.',
    steps: [exhausted, listPets],
    ask: { ...list({ limit: 1 }), times: 80 },
  },
  banDuration: {
    spec: '8',
    kind: 'duration',
    default: 300_000,
    plausible: [600_000],
    summary: 'The duration of a ban.',
    steps: [exhausted, { ...listPets, times: 20 }],
    ask: { ...list({ limit: 1 }), times: 80 },
  },
  banStatus: {
    spec: '8',
    kind: 'enum',
    values: [429, 403, 418],
    summary: 'The status of responses to a banned key.',
    steps: [banned, listPets],
    ask: { ...list({ limit: 1 }), times: 80 },
  },
} as const satisfies Record<string, Gap>

type LimitChoices = Chosen<typeof limitGaps>

/** Writes an instant as `X-RateLimit-Reset`, rounded up (spec 8). */
export function resetText(resetAt: number, { resetUnit }: LimitChoices): string {
  return String(Math.ceil(resetUnit === 'seconds' ? resetAt / 1000 : resetAt))
}

/** The last second that an HTTP date can express. */
export const lastDateAt: number = Date.UTC(9999, 11, 31, 23, 59, 59)

/**
 * Returns the numbers of requests from which on others are rejected: all, or all but a tenth (spec 8).
 */
export function rejectionLimits(
  limits: Limits,
  { rejectsAt }: Pick<LimitChoices, 'rejectsAt'>,
): Limits {
  if (rejectsAt === 'zero-left') return limits
  return { minute: Math.ceil(limits.minute * 0.9), day: Math.ceil(limits.day * 0.9) }
}

/** The padding of `Retry-After`. */
const paddingMs = 5_000

/** Returns the instant that `Retry-After` names for a key that is active again at `resetAt`. */
export function retryTime(resetAt: number, { retryAfterPadding }: LimitChoices): number {
  return retryAfterPadding === '5s' ? resetAt + paddingMs : resetAt
}

/** Writes an instant as `Retry-After`, from another instant on, both in Unix milliseconds. */
const retryAfterTexts: {
  readonly [Format in LimitChoices['retryAfterFormat']]: (retryAt: number, now: number) => string
} = {
  seconds: (retryAt, now) => `${Math.ceil((retryAt - now) / 1000)}`,
  'http-date': (retryAt) =>
    new Date(Math.min(Math.ceil(retryAt / 1000) * 1000, lastDateAt)).toUTCString(),
  milliseconds: (retryAt, now) => `${Math.ceil(retryAt - now)}`,
  fraction: (retryAt, now) => (Math.ceil(retryAt - now) / 1000).toFixed(3),
  'unix-time': (retryAt) => `${Math.ceil(retryAt / 1000)}`,
}

/**
 * Returns the time to retry and its `retry-after` header, rounded up to a second, in the form of the gap
 * `retryAfterFormat` (spec 8).
 *
 * @param retryAt Unix milliseconds, as is `now`.
 */
export function retryAfter(
  retryAt: number,
  { retryAfterFormat }: LimitChoices,
  now: number,
): { readonly retryAt: number; readonly headers: { readonly 'retry-after': string } } {
  const text = retryAfterTexts[retryAfterFormat](retryAt, now)
  return { retryAt, headers: { 'retry-after': text } }
}
