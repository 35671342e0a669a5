import { pageLimit } from '../../contract/endpoints.ts'
import { OncePerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'

/** A list that had more pets than its page (spec 4.1). */
export const listCut: Rule = {
  severity: 'info',
  clause: 'spec 4.1',
  about:
    'A list was cut although the client had not asked for a shorter one; the interface has no next page.',
  advice: `There is no next page: set limit (up to ${pageLimit.maximum}), ask for one status at a time, and don't take one list for the whole store.`,
  needsKnowledge: false,
  sees: ['new list'],
  quotesNothing: true,
  watch() {
    const once = new OncePerOrigin()
    return {
      see(next, { total = 0 }) {
        // The shortest page is the first to be looked at closely.
        if (total < 2 || next.arrivedStatus !== 200 || once.isTold(next)) return undefined
        const limit = cutOf(next.url)
        if (limit === undefined || total <= limit || !once.isFirst(next)) return undefined
        return {
          verdict: `Asked for a list, and got ${limit} of the ${total} pets that match.`,
          exchanges: [next],
        }
      },
    }
  },
}

/** Where a list is cut, unless the client has asked for fewer pets than it can have: then it knows. */
function cutOf(url: string): number | undefined {
  const { maximum, default: usual } = pageLimit
  const [, text] = url.includes('limit=') ? (/[?&]limit=(\d+)/.exec(url) ?? []) : []
  if (text === undefined) return usual
  return Number(text) < maximum ? undefined : maximum
}
