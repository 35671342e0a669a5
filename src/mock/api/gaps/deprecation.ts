import { basePath, type Deprecation, sunsetOf } from '../endpoints.ts'
import type { Chosen, Gap } from './gap.ts'
import { afterRemoval, getPet } from './steps.ts'

/** Gaps of the removal of `GET /pets/{petId}` (spec 4.3, 9). */
export const deprecationGaps = {
  deprecatedSince: {
    spec: '4.3',
    kind: 'instant',
    default: Date.UTC(2025, 11, 5),
    plausible: [Date.UTC(2025, 11, 4)],
    operations: ['getPet'],
    summary: 'The instant in the Deprecation header of GET /pets/{petId}.',
    steps: [getPet],
  },
  deprecationHeaders: {
    spec: '9',
    kind: 'enum',
    values: ['standard', 'draft', 'none'],
    operations: ['getPet'],
    summary:
      'The headers that announce the deprecation: those of RFC 9745 and 8594, those of the older draft, or none.',
    steps: [getPet],
  },
  afterSunset: {
    spec: '4.3',
    kind: 'enum',
    values: ['not-found', 'gone', 'keep'],
    operations: ['getPet'],
    summary: 'GET /pets/{petId} from 5 December 2030 on: 404, 410, or unchanged.',
    steps: [afterRemoval, getPet],
  },
  sunsetTime: {
    spec: '4.3',
    kind: 'enum',
    values: ['start-of-day', 'end-of-day'],
    operations: ['getPet'],
    summary:
      'The time on 5 December 2030 at which GET /pets/{petId} is removed: the start of the day, in UTC, or its last second.',
    steps: [getPet],
  },
} as const satisfies Record<string, Gap>

/**
 * Returns the headers that announce an operation's removal: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link`
 * to its successor (spec 4.3, 9).
 */
export function deprecationHeaders(
  deprecated: Deprecation,
  gaps: Chosen<typeof deprecationGaps>,
): Readonly<Record<string, string>> | undefined {
  if (gaps.deprecationHeaders === 'none') return undefined
  const since = Math.floor(gaps.deprecatedSince / 1000)
  return {
    deprecation: gaps.deprecationHeaders === 'draft' ? 'true' : `@${since}`,
    sunset: new Date(sunsetOf(deprecated, gaps.sunsetTime)).toUTCString(),
    link: `<${basePath}${deprecated.successor}>; rel="successor-version"`,
  }
}
