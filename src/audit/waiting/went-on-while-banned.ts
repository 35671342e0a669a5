import type { Rule } from '../rule.ts'
import { requestText } from '../words.ts'
import { doubtOf, earlyText, FirstEarly } from './early.ts'

/** A request in the middle of a ban (spec 8). */
export const wentOnWhileBanned: Rule = {
  severity: 'error',
  clause: 'spec 8.3',
  about: 'A request was sent although an earlier reply had said that the key was banned.',
  advice:
    'Stop at a reply with the code key_banned, and send nothing with this key until Retry-After has passed.',
  needsKnowledge: true,
  sees: ['after refusal'],
  watch() {
    const first = new FirstEarly('banned')
    return {
      see: (next) =>
        first.see(next, (early) => ({
          verdict: `Sent ${requestText(next)} with a banned key, ${earlyText(early, 'a reply that said so')}.`,
          exchanges: [early.refusal, next],
          ...doubtOf(early),
        })),
      forget: () => first.forget(),
    }
  },
}
