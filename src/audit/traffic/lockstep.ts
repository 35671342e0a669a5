import type { Rule } from '../rule.ts'
import { isBefore, type Seen } from '../seen.ts'

/** How many clients tell a crowd. */
const crowd = 5

/** Within which real time they come back. */
const withinMs = 50

/** How many clients are kept. */
const keptClients = 1_000

/** Clients that come back at the same moment (spec 8). */
export const lockstep: Rule = {
  severity: 'info',
  clause: 'spec 8.2; IETF draft RateLimit header fields, Resource Exhaustion',
  about: 'At least five refused clients came back at the same moment.',
  advice: 'Add some jitter to the wait, so that clients refused together come back one by one.',
  needsKnowledge: false,
  sees: ['told to wait', 'after any refusal'],
  quotesNothing: true,
  watch() {
    const refused = new Map<string, Seen>()
    let returned: Seen[] = []
    return {
      see(next) {
        if (refused.size === 0 && next.retryAt === undefined) return undefined
        const client = `${next.origin.caller} ${next.visit.connection}`
        const refusal = refused.get(client)
        if (next.retryAt !== undefined) {
          refused.set(client, next)
          if (refused.size > keptClients) refused.clear()
          return undefined
        }
        if (refusal?.retryAt === undefined) return undefined
        refused.delete(client)
        if (isBefore(refusal.retryAt, refusal, next)) return undefined
        const { received } = next.visit
        returned = [...returned, next].filter((one) => received - one.visit.received <= withinMs)
        if (returned.length < crowd) return undefined
        const [first] = returned
        const exchanges = returned
        returned = []
        const ms = Math.round(received - (first?.visit.received ?? received))
        return { verdict: `${crowd} refused clients came back within ${ms} ms.`, exchanges }
      },
      forget() {
        refused.clear()
        returned = []
      },
    }
  },
}
