import { basePath } from '../contract/endpoints.ts'
import type { GapChoices } from '../contract/gaps.ts'
import type { Headers } from '../contract/message.ts'
import type { Operation } from '../operations/operation.ts'

const none: Headers = {}

/**
 * Gives the headers that announce an operation's removal (spec 4.3, 9): `Deprecation` (RFC 9745),
 * `Sunset` (RFC 8594) and a `Link` to what to use instead; none for an operation that stays.
 */
export function deprecationHeaders({ deprecated }: Operation, gaps: GapChoices): Headers {
  if (deprecated === undefined || gaps.deprecationHeaders === 'none') return none
  const since = Math.floor(gaps.deprecatedSince / 1000)
  return {
    deprecation: gaps.deprecationHeaders === 'draft' ? 'true' : `@${since}`,
    sunset: deprecated.sunset,
    link: `<${basePath}${deprecated.successor}>; rel="successor-version"`,
  }
}
