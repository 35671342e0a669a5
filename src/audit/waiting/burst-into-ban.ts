import type { Rule } from '../rule.ts'
import type { Seen } from '../seen.ts'
import { watchBans } from './bans.ts'

/** How many refusals at once are more than any reasonable number of requests under way. */
const burst = 10

/** So many requests at once that the key was banned before the first 429 could be read (spec 8). */
export const burstIntoBan: Rule = {
  severity: 'warning',
  clause: 'spec 8.3',
  about: 'A burst of requests, without a pause after the first 429, got the key banned.',
  advice:
    'Stop at the first 429, even in a loop, and limit how many requests are under way at once, so that a 429 can stop the rest.',
  needsKnowledge: false,
  sees: ['told to wait', 'after refusal'],
  watch: () =>
    watchBans(({ refusals, count, isBurst, byDate }) => {
      if (!isBurst || count < burst) return undefined
      const [first] = refusals
      return {
        verdict: `Sent a burst without a pause: ${count} requests over the limit of ${first?.quota.limit} per ${first?.quota.window} were refused, and the key was banned${byDate}.`,
        exchanges: refusals,
        // Workers of their own that each stopped at their first refusal look the same.
        ...(hasOneEach(refusals) ? { needsOneClient: true } : {}),
      }
    }),
}

/** Whether each request came over a connection of its own. */
function hasOneEach(requests: readonly Seen[]): boolean {
  const connections = new Set(requests.map(({ visit }) => visit.connection))
  return !connections.has(undefined) && connections.size === requests.length
}
