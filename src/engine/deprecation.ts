import { basePath, sunsetOf } from '../contract/endpoints.ts'
import type { GapChoices } from '../contract/gaps.ts'
import type { Headers } from '../contract/message.ts'
import type { Operation } from '../operations/operation.ts'

const noHeaders: Headers = {}

/**
 * Returns the headers that announce an operation's removal: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * a `Link` to its successor; none for an operation that stays (spec 4.3, 9).
 */
export function deprecationHeaders(
  { deprecated }: Operation,
  status: number,
  gaps: GapChoices,
): Headers {
  if (deprecated === undefined || gaps.deprecationHeaders === 'none') return noHeaders
  if (status >= 300 && gaps.deprecationOn === 'success') return noHeaders
  const since = Math.floor(gaps.deprecatedSince / 1000)
  return {
    deprecation: gaps.deprecationHeaders === 'draft' ? 'true' : `@${since}`,
    sunset: sunsetOf(deprecated, gaps).sunset,
    link: `<${basePath}${deprecated.successor}>; rel="successor-version"`,
  }
}
