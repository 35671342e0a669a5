import { OncePerOrigin, PerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'
import type { Seen } from '../seen.ts'

/** How many requests may be under way at once without a word. */
const most = 10

/** Many requests of one caller at once (spec 8). */
export const parallelism: Rule = {
  severity: 'info',
  clause: 'spec 8; GitHub REST API, Best practices',
  about: 'One caller had more than ten requests under way at once.',
  advice: 'Limit how many requests are under way at once, so that a 429 can stop the rest.',
  needsKnowledge: false,
  sees: ['parallel'],
  quotesNothing: true,
  watch() {
    const once = new OncePerOrigin()
    /** The latest exchanges of each origin, as a ring. */
    const memories = new PerOrigin<{ ring: Seen[]; next: number }>(() => ({ ring: [], next: 0 }))
    return {
      see(next) {
        const { isParallel, latest } = next.origin
        if (!isParallel) return undefined
        const memory = memories.of(next)
        // Of the first that is answered it isn't known yet that others are under way.
        if (memory.ring.length === 0 && latest !== undefined) memory.next = memory.ring.push(latest)
        const oldest = memory.ring[memory.next]
        memory.ring[memory.next] = next
        memory.next = (memory.next + 1) % most
        const answeredOrder = oldest?.visit.answerOrder ?? 0
        if (answeredOrder < next.visit.startOrder || !once.isFirst(next)) return undefined
        return {
          verdict: `Had more than ${most} requests under way at once.`,
          exchanges: [...memory.ring],
        }
      },
      forget: () => memories.forget(),
    }
  },
}
