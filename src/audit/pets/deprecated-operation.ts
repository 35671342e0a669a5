import { endpoints } from '../../contract/endpoints.ts'
import { OncePerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'
import { spanText } from '../words.ts'

const { sunsetAt } = endpoints.getPet.deprecated

/** A call of an operation that says that it is deprecated (spec 4.3). */
export const deprecatedOperation: Rule = {
  severity: 'warning',
  clause: 'spec 4.3; RFC 9745; RFC 8594',
  about: 'A deprecated operation was called.',
  advice: 'Use GET /pets with the status filter instead, before the day in the Sunset header.',
  needsKnowledge: false,
  sees: ['new get'],
  quotesNothing: true,
  watch() {
    const once = new OncePerOrigin()
    return {
      see(next, { outcome, operation, at }) {
        if (operation !== 'getPet' || once.isTold(next) || !('headers' in outcome)) return undefined
        if (outcome.headers.deprecation === undefined || at >= sunsetAt) return undefined
        if (!once.isFirst(next)) return undefined
        const left = spanText(sunsetAt - at)
        return {
          verdict: `Called GET /pets/{petId}, which will be removed on 5 December 2030: in ${left} by the sandbox's clock.`,
          exchanges: [next],
        }
      },
    }
  },
}
