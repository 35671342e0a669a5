import type { Chosen, Gap } from './gap.ts'
import { banned, exhausted, get, list, listPets, missingPet } from './steps.ts'

/** Gaps of rate limits and bans (spec 8). */
export const limitGaps = {
  /** Whether X-RateLimit-Remaining counts down for requests without a valid key. */
  unauthenticatedQuota: {
    spec: '8',
    kind: 'choice',
    choices: ['counted', 'not-counted'],
    summary: 'Whether X-RateLimit-Remaining counts down for requests without a valid key.',
    steps: [{ ...listPets, key: null }],
    ask: { ...listPets, key: null, times: 2 },
  },
  /** What a request without a valid key gets once its X-RateLimit-Remaining is 0: still 401, or 429. */
  unauthenticatedLimit: {
    spec: '8',
    kind: 'choice',
    choices: ['unlimited', 'limited'],
    summary:
      'What a request without a valid key gets once its X-RateLimit-Remaining is 0: still 401, or 429.',
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
    summary:
      'When requests stop counting: at the end of the UTC minute or day, a minute or day after the second of the first request, or each by itself (sliding).',
    steps: [listPets],
    ask: { ...list({ limit: 1 }), times: 15, pauseMs: 7_000 },
  },
  /** The window that X-RateLimit-* describes; a 429 always describes the exhausted one. */
  reportedWindow: {
    spec: '8',
    kind: 'choice',
    choices: ['tightest', 'minute', 'day'],
    summary: 'The window that X-RateLimit-* describes; a 429 always describes the exhausted one.',
    steps: [listPets],
    ask: { ...listPets, times: 2 },
  },
  /** Which requests count: all that do not get 429, or only those with a 2xx response. */
  countedRequests: {
    spec: '8',
    kind: 'choice',
    choices: ['all', 'successful'],
    summary: 'Which requests count: all that do not get 429, or only those with a 2xx response.',
    steps: [missingPet],
    ask: { ...missingPet, times: 8 },
  },
  /**
   * What an invalid request gets when its key is over a limit or banned: 429, or its own 400, 404, 405 or 501, which
   * then doesn't count towards a ban.
   */
  errorPrecedence: {
    spec: '7',
    kind: 'choice',
    choices: ['rate-limit', 'request'],
    summary:
      "What an invalid request gets when its key is over a limit or banned: 429, or its own 400, 404, 405 or 501, which then doesn't count towards a ban.",
    steps: [exhausted, listPets],
    ask: { ...get('/nothing'), times: 62 },
  },
  /** The form of Retry-After: seconds from now, or an HTTP date. */
  retryAfterFormat: {
    spec: '8',
    kind: 'choice',
    choices: ['seconds', 'http-date'],
    summary: 'The form of Retry-After: seconds from now, or an HTTP date.',
    steps: [exhausted, listPets],
    ask: { ...list({ limit: 1 }), times: 61 },
  },
  /**
   * How exact Retry-After is: the instant from which requests succeed, or five seconds later, as with cautious services.
   */
  retryAfterPadding: {
    spec: '8',
    kind: 'choice',
    choices: ['none', '5s'],
    summary:
      'How exact Retry-After is: the instant from which requests succeed, or five seconds later, as with cautious services.',
    steps: [exhausted, listPets],
    ask: { ...list({ limit: 1 }), times: 70, pauseMs: 850 },
  },
  /** Number of 429 responses that a key may get in one window; the next request bans it. */
  banAfter: {
    spec: '8',
    kind: 'count',
    default: 10,
    plausible: [0, 'never'],
    summary: 'Number of 429 responses that a key may get in one window; the next request bans it.',
    steps: [exhausted, listPets],
    ask: { ...list({ limit: 1 }), times: 80 },
  },
  /** How long a ban lasts. */
  banDuration: {
    spec: '8',
    kind: 'duration',
    default: 300_000,
    plausible: [600_000],
    summary: 'How long a ban lasts.',
    steps: [exhausted, { ...listPets, times: 20 }],
    ask: { ...list({ limit: 1 }), times: 80 },
  },
  /** The status of responses to a banned key. */
  banStatus: {
    spec: '8',
    kind: 'choice',
    choices: [429, 403],
    summary: 'The status of responses to a banned key.',
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
  const seconds = Math.ceil((retryAt - now) / 1000)
  const dateAt = Math.min(Math.ceil(retryAt / 1000) * 1000, lastDateAt)
  const text = retryAfterFormat === 'seconds' ? `${seconds}` : new Date(dateAt).toUTCString()
  return { retryAt, headers: { 'retry-after': text } }
}
