import type { Rule } from '../rule.ts'
import { lostText } from './unsafe-retry-duplicated.ts'
import { watchUnsureCreates } from './unsure-creates.ts'

/** A pet that was sent again without a look, and by luck not added twice (spec 4.2). */
export const unsafeRetry: Rule = {
  severity: 'warning',
  clause: 'spec 4.2; RFC 9110, 9.2.2',
  about:
    'A pet was sent again after its first answer was lost; only by luck was it not added twice.',
  advice:
    'After a 5xx or a lost answer to POST /pets, check with GET /pets whether the pet was added before you send it again.',
  needsKnowledge: true,
  needsOneTask: true,
  sees: ['lost', 'after loss'],
  watch: () =>
    watchUnsureCreates(({ first, again }) => {
      if (first.petId !== undefined && again.petId !== undefined) return undefined
      return {
        verdict: `Sent POST /pets again without checking whether the pet was added: ${lostText(first)}, so it may have been.`,
        exchanges: [first, again],
      }
    }),
}
