import { OncePerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'

/** A call of an operation after its removal (spec 4.3). */
export const removedOperation: Rule = {
  severity: 'error',
  clause: 'spec 4.3; RFC 8594',
  about: 'An operation was called after its removal.',
  advice: 'Use GET /pets with the status filter in place of GET /pets/{petId}.',
  needsKnowledge: false,
  sees: ['refused'],
  quotesNothing: true,
  watch() {
    const once = new OncePerOrigin()
    return {
      see(next, { refusal }) {
        if (refusal?.gap !== 'afterSunset' || !once.isFirst(next)) return undefined
        return {
          verdict: `Called GET /pets/{petId} after 5 December 2030, when it was removed, and got ${next.status ?? 'no reply'}.`,
          exchanges: [next],
        }
      },
    }
  },
}
