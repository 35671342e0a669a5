import { basePath, type Deprecation, sunsetOf } from '../endpoints.ts'
import type { Chosen, Gap } from './gap.ts'
import { afterRemoval, getPet, missingPet } from './steps.ts'

/** Gaps of the removal of `GET /pets/{petId}` (spec 4.3, 9). */
export const deprecationGaps = {
  /** The instant in the Deprecation header of GET /pets/{petId}. */
  deprecatedSince: {
    spec: '4.3',
    kind: 'instant',
    default: Date.UTC(2025, 11, 5),
    plausible: [Date.UTC(2025, 11, 4)],
    operations: ['getPet'],
    about: 'The instant in the Deprecation header of GET /pets/{petId}.',
    steps: [getPet],
  },
  /** How responses announce the deprecation: by RFC 9745 and 8594, by the older draft, or not at all. */
  deprecationHeaders: {
    spec: '9',
    kind: 'choice',
    choices: ['standard', 'draft', 'none'],
    operations: ['getPet'],
    about:
      'How responses announce the deprecation: by RFC 9745 and 8594, by the older draft, or not at all.',
    steps: [getPet],
  },
  /** Which responses of a deprecated operation announce its removal: all, or only those with 2xx. */
  deprecationScope: {
    spec: '9',
    kind: 'choice',
    choices: ['all', 'successful'],
    operations: ['getPet'],
    about:
      'Which responses of a deprecated operation announce its removal: all, or only those with 2xx.',
    steps: [missingPet],
  },
  /** GET /pets/{petId} from 5 December 2030 on: 404, 410, or unchanged. */
  afterSunset: {
    spec: '4.3',
    kind: 'choice',
    choices: ['not-found', 'gone', 'keep'],
    operations: ['getPet'],
    about: 'GET /pets/{petId} from 5 December 2030 on: 404, 410, or unchanged.',
    steps: [afterRemoval, getPet],
  },
  /** When GET /pets/{petId} is removed on 5 December 2030: at the start of the day, in UTC, or in its last second. */
  sunsetTime: {
    spec: '4.3',
    kind: 'choice',
    choices: ['start-of-day', 'end-of-day'],
    operations: ['getPet'],
    about:
      'When GET /pets/{petId} is removed on 5 December 2030: at the start of the day, in UTC, or in its last second.',
    steps: [getPet],
  },
} as const satisfies Record<string, Gap>

/**
 * Returns the headers that announce an operation's removal: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * a `Link` to its successor (spec 4.3, 9).
 *
 * @param status The status of the response.
 */
export function deprecationHeaders(
  deprecated: Deprecation,
  status: number,
  gaps: Chosen<typeof deprecationGaps>,
): Readonly<Record<string, string>> | undefined {
  if (gaps.deprecationHeaders === 'none') return undefined
  if (status >= 300 && gaps.deprecationScope === 'successful') return undefined
  const since = Math.floor(gaps.deprecatedSince / 1000)
  return {
    deprecation: gaps.deprecationHeaders === 'draft' ? 'true' : `@${since}`,
    sunset: new Date(sunsetOf(deprecated, gaps.sunsetTime)).toUTCString(),
    link: `<${basePath}${deprecated.successor}>; rel="successor-version"`,
  }
}
