import type { Rule } from '../rule.ts'
import type { Seen } from '../seen.ts'
import { requestText } from '../words.ts'
import { doubtOf, earlyText, FirstEarly } from './early.ts'

/** Another request while the key is refused (spec 8). */
export const requestWhileLimited: Rule = {
  severity: 'warning',
  clause: 'spec 8.3',
  about: 'After a 429, another request was sent before its Retry-After had passed.',
  advice:
    'The limit applies to the key, not to a single request: hold back all requests with this key until Retry-After has passed.',
  needsKnowledge: true,
  sees: ['after refusal'],
  watch() {
    const first = new FirstEarly('other')
    return {
      see: (next) =>
        first.see(next, (early) => ({
          verdict: `Sent ${otherText(next, early.refusal)} ${earlyText(early, `${requestText(early.refusal)} was refused`)}.`,
          exchanges: [early.refusal, next],
          ...doubtOf(early),
        })),
      forget: () => first.forget(),
    }
  },
}

/** Tells a request from one that is called the same. */
function otherText(next: Seen, refusal: Seen): string {
  const text = requestText(next)
  return text === requestText(refusal) ? `another ${text}` : text
}
