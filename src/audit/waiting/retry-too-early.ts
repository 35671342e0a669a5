import type { Rule } from '../rule.ts'
import { requestText } from '../words.ts'
import { doubtOf, type Early, earlyText, FirstEarly } from './early.ts'

/** The same request again, before the time that its refusal told (spec 8). */
export const retryTooEarly: Rule = {
  severity: 'error',
  clause: 'spec 8.2; RFC 9110, 10.2.3',
  about: 'A refused request was sent again before its Retry-After had passed.',
  advice:
    'Wait as long as Retry-After says, whether in seconds or as a date, before you send the request again.',
  needsKnowledge: true,
  sees: ['after refusal'],
  watch() {
    const first = new FirstEarly('retry')
    return {
      see: (next) =>
        first.see(next, (early) => ({
          verdict: `Sent ${requestText(next)} again ${earlyText(early, refusedText(early))}.`,
          exchanges: [early.refusal, next],
          ...doubtOf(early),
        })),
      forget: () => first.forget(),
    }
  },
}

/** A key is refused; who says 503 only can't answer now. */
function refusedText({ refusal: { status = 429 } }: Early): string {
  return status < 500 ? 'it was refused' : `it got ${status}`
}
