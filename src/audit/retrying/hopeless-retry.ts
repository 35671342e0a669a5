import { isRecord } from '../../input/record.ts'
import type { Exchange } from '../../state/exchange.ts'
import type { Rule } from '../rule.ts'
import { pausesOf, retryMs } from '../seen.ts'
import { requestText } from '../words.ts'

/** How many times of the same refusal are too many. */
const most = 3

/** The statuses that the same request gets again, whenever it is sent. */
const hopeless: readonly (number | undefined)[] = [400, 401, 404, 405, 410, 413, 415, 501]

/** A request that can't succeed, sent again (spec 7). */
export const hopelessRetry: Rule = {
  severity: 'warning',
  clause: 'spec 7; Google AIP-194',
  about:
    'The same request was sent three times and got the same refusal each time; with 401 and pauses of ten seconds at most, this is an error.',
  advice:
    'Sending the same request again gets the same refusal: correct the request, or the key, as the message says.',
  needsKnowledge: true,
  sees: ['third alike'],
  watch() {
    return {
      see(next, whole) {
        const { arrivedStatus: status } = next
        if (!hopeless.includes(status)) return undefined
        const before = next.origin.triesBefore(next)?.list
        // Told at the third try, and not again at each further one.
        if (before === undefined || before.at(-most)?.arrivedStatus === status) return undefined
        const alike = before.slice(-(most - 1))
        const [first] = alike
        if (first === undefined || alike.length < most - 1) return undefined
        if (alike.some((one) => one.arrivedStatus !== status)) return undefined
        // A new pet may be the one that was missing.
        if (status === 404 && next.origin.lastPetOrder > first.visit.startOrder) return undefined
        const all = [...alike, next]
        const pauseMs = Math.max(...pausesOf(all))
        const isLooking = status === 404 && next.operation === 'getPet' && pauseMs > quickMs
        if (isLooking || pauseMs > retryMs) return undefined
        return {
          verdict: `Sent ${requestText(next)} ${most} times, and got ${status} each time${messageOf(whole)}.`,
          exchanges: all,
          ...(status === 401 && pauseMs <= quickMs ? { severity: 'error' } : {}),
        }
      },
    }
  },
}

/**
 * The longest pause after which nobody but the client itself sends a request again: after a longer one it may be a person
 * who opens a page once more, or somebody who looks now and then for a pet, which others may add.
 */
const quickMs = 10_000

/** What a refusal says, after a colon; the reply to a HEAD says it to the journal alone. */
function messageOf({ outcome, refusal }: Exchange): string {
  const message = ('body' in outcome ? messageIn(outcome.body) : undefined) ?? refusal?.message
  return message === undefined ? '' : `: ${message}`
}

function messageIn(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) && typeof value.message === 'string' ? value.message : undefined
  } catch {
    return undefined
  }
}
