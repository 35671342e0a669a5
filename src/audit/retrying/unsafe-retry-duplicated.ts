import type { Rule } from '../rule.ts'
import type { Seen } from '../seen.ts'
import { watchUnsureCreates } from './unsure-creates.ts'

/** A pet that was added twice (spec 4.2). */
export const unsafeRetryDuplicated: Rule = {
  severity: 'error',
  clause: 'spec 4.2; RFC 9110, 9.2.2',
  about: 'A pet was sent again after its first answer was lost, and was added twice.',
  advice:
    'After a lost or broken answer to POST /pets, check with GET /pets whether the pet was added before you send it again.',
  needsKnowledge: true,
  needsOneTask: true,
  sees: ['lost', 'after loss'],
  watch: () =>
    watchUnsureCreates(({ first, again }) => {
      if (first.petId === undefined || again.petId === undefined) return undefined
      return {
        verdict: `The pet was added twice, as ${first.petId} and ${again.petId}: ${lostText(first)}, the pet was not.`,
        exchanges: [first, again],
      }
    }),
}

/** Says what became of the first answer. */
export function lostText({ status, isSpoilt, visit }: Seen): string {
  if (visit.delivery === 'left') return 'the client gave up before the first answer'
  if (status === undefined || visit.delivery !== 'delivered') return 'the first answer was lost'
  return isSpoilt ? 'the first answer was not valid JSON' : `the first answer was ${status}`
}
