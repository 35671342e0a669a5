import { PerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'
import { isAfter, isBefore, type Seen, waitedMs } from '../seen.ts'
import { requestText, spanText } from '../words.ts'
import { byDateText, isByDate } from './early.ts'

/** A request that could only be refused, since the reply before it had said that none is left (spec 8). */
export const spentLastAndWentOn: Rule = {
  severity: 'warning',
  clause: 'spec 8; IETF draft RateLimit header fields, section 5',
  about: 'After a reply with X-RateLimit-Remaining: 0, a request was sent before the reset.',
  advice:
    'Read X-RateLimit-Remaining: at 0, send nothing more until the instant in X-RateLimit-Reset.',
  needsKnowledge: true,
  sees: ['told to wait', 'spent'],
  watch() {
    const memories = new PerOrigin<{ last: Seen | undefined }>(() => ({ last: undefined }))
    return {
      see(next) {
        const { code, quota } = next
        if (code === undefined) {
          if (quota.remaining === 0 && next.visit.delivery === 'delivered') {
            memories.of(next).last = next
          }
          return undefined
        }
        if (code !== 'rate_limit_exceeded' || next.retryAt === undefined) return undefined
        const memory = memories.find(next)
        const last = memory?.last
        if (memory === undefined || last === undefined) return undefined
        const isOfSame = last.quota.window === quota.window
        if (!isOfSame || !isAfter(last, next) || !isBefore(last.quota.resetAt, last, next)) {
          return undefined
        }
        memory.last = undefined
        const { resetAt } = last.quota
        const by = isByDate(resetAt, last, next) ? `, ${byDateText(resetAt, last)}` : ''
        return {
          verdict: `Sent ${requestText(next)} ${spanText(waitedMs(last, next))} after a reply with X-RateLimit-Remaining: 0, whose reset was ${spanText(resetAt - last.endedAt)} away${by}: it could only be refused.`,
          exchanges: [last, next],
        }
      },
      forget: () => memories.forget(),
    }
  },
}
