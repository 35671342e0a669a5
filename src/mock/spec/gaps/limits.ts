import type { Chosen, Gap } from './gap.ts'
import { banned, endOfMinute, exhausted, get, list, listPets, missingPet, ofDay } from './steps.ts'

/** Gaps of rate limits and bans (spec 8). */
export const limitGaps = {
  /** Whether X-RateLimit-Remaining counts down for requests without a valid key. */
  unauthenticatedQuota: {
    spec: '8',
    kind: 'choice',
    choices: ['counted', 'not-counted'],
    about: 'Whether X-RateLimit-Remaining counts down for requests without a valid key.',
    steps: [{ ...listPets, key: null }],
    ask: { ...listPets, key: null, times: 2 },
  },
  /** What a request without a valid key gets once its X-RateLimit-Remaining is used up: still 401, or 429. */
  unauthenticatedLimit: {
    spec: '8',
    kind: 'choice',
    choices: ['unlimited', 'limited'],
    about:
      'What a request without a valid key gets once its X-RateLimit-Remaining is used up: still 401, or 429.',
    steps: [{ ...listPets, key: null }],
    ask: { ...listPets, key: null, times: 62 },
  },
  /**
   * When requests stop counting: at the end of the UTC minute or day, a minute or day after the second of the first
   * request, or each by itself (sliding).
   */
  quotaWindow: {
    spec: '8',
    kind: 'choice',
    choices: ['calendar', 'first-request', 'sliding'],
    about:
      'When requests stop counting: at the end of the UTC minute or day, a minute or day after the second of the first request, or each by itself (sliding).',
    steps: [listPets],
    ask: { ...list({ limit: 1 }), times: 15, pauseMs: 7_000 },
  },
  /** The window that X-RateLimit-* describes; in a 429 for a full window it is always that one. */
  reportedWindow: {
    spec: '8',
    kind: 'choice',
    choices: ['tightest', 'minute', 'day'],
    about:
      'The window that X-RateLimit-* describes; in a 429 for a full window it is always that one.',
    steps: [listPets],
    ask: { ...listPets, times: 2 },
  },
  /** Which requests count: all that are admitted, or only those with a 2xx reply. */
  countedRequests: {
    spec: '8',
    kind: 'choice',
    choices: ['all', 'successful'],
    about: 'Which requests count: all that are admitted, or only those with a 2xx reply.',
    steps: [missingPet],
    ask: { ...missingPet, times: 8 },
  },
  /** Whether a request over a limit, or with a banned key, counts towards the limits. */
  rejectedRequests: {
    spec: '8',
    kind: 'choice',
    choices: ['not-counted', 'counted'],
    about: 'Whether a request over a limit, or with a banned key, counts towards the limits.',
    steps: [ofDay, exhausted, listPets, endOfMinute, listPets],
    ask: { ...list({ limit: 1 }), times: 70 },
  },
  /**
   * What an invalid request gets when its key is over a limit or banned: 429, or its own 400, 404, 405 or 501, which
   * then doesn't count towards a ban.
   */
  errorPrecedence: {
    spec: '7',
    kind: 'choice',
    choices: ['rate-limit', 'request'],
    about:
      "What an invalid request gets when its key is over a limit or banned: 429, or its own 400, 404, 405 or 501, which then doesn't count towards a ban.",
    steps: [exhausted, listPets],
    ask: { ...get('/nothing'), times: 62 },
  },
  /**
   * The form of Retry-After: seconds from now, an HTTP date, milliseconds from now, seconds with a fraction, or a Unix
   * timestamp.
   */
  retryAfterFormat: {
    spec: '8',
    kind: 'choice',
    choices: ['seconds', 'http-date', 'milliseconds', 'fraction', 'unix-time'],
    about:
      'The form of Retry-After: seconds from now, an HTTP date, milliseconds from now, seconds with a fraction, or a Unix timestamp.',
    steps: [exhausted, listPets],
    ask: { ...list({ limit: 1 }), times: 61 },
  },
  /**
   * How exact Retry-After is: the instant from which requests are served, or five seconds later, as cautious services
   * do.
   */
  retryAfterPadding: {
    spec: '8',
    kind: 'choice',
    choices: ['none', '5s'],
    about:
      'How exact Retry-After is: the instant from which requests are served, or five seconds later, as cautious services do.',
    steps: [exhausted, listPets],
    ask: { ...list({ limit: 1 }), times: 70, pauseMs: 850 },
  },
  /** How many refusals in one window are allowed before the next request bans the key. */
  banAfter: {
    spec: '8',
    kind: 'count',
    default: 10,
    plausible: [0, 'never'],
    about: 'How many refusals in one window are allowed before the next request bans the key.',
    steps: [exhausted, listPets],
    ask: { ...list({ limit: 1 }), times: 80 },
  },
  /** How long a ban lasts. */
  banDuration: {
    spec: '8',
    kind: 'duration',
    default: 300_000,
    plausible: [600_000],
    about: 'How long a ban lasts.',
    steps: [exhausted, { ...listPets, times: 20 }],
    ask: { ...list({ limit: 1 }), times: 80 },
  },
  /** The status of replies to a banned key. */
  banStatus: {
    spec: '8',
    kind: 'choice',
    choices: [429, 403],
    about: 'The status of replies to a banned key.',
    steps: [banned, listPets],
    ask: { ...list({ limit: 1 }), times: 80 },
  },
} as const satisfies Record<string, Gap>

type LimitChoices = Chosen<typeof limitGaps>

/** The last second that an HTTP date can express. */
export const lastDateAt: number = Date.UTC(9999, 11, 31, 23, 59, 59)

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
 * Tells a refused client when to come back, rounded up, in the form that the gap says (spec 8).
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
