import { isRecord } from '../../input/record.ts'
import type { Exchange } from '../../state/journal/exchange.ts'
import type { Rule } from '../rule.ts'
import { type Seen, waitedMs } from '../seen.ts'
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
    'The same request was sent three times and got the same refusal each time; with 401, this is an error.',
  advice:
    'Sending the same request again gets the same refusal: correct the request, or the key, as the message says.',
  needsKnowledge: true,
  sees: ['third alike'],
  watch() {
    return {
      see(next, whole) {
        const { status } = next
        if (!hopeless.includes(status)) return undefined
        const before = next.origin.triesBefore(next)?.list
        // Told at the third try, and not again at each further one.
        if (before === undefined || before.at(-most)?.status === status) return undefined
        const alike = before.slice(-(most - 1))
        const [first] = alike
        if (first === undefined || alike.length < most - 1) return undefined
        if (alike.some((one) => one.status !== status)) return undefined
        // A new pet may be the one that was missing.
        if (status === 404 && next.origin.lastPetOrder > first.visit.startOrder) return undefined
        if (status === 404 && next.operation === 'getPet' && isPoll([...alike, next]))
          return undefined
        return {
          verdict: `Sent ${requestText(next)} ${most} times, and got ${status} each time${messageOf(whole)}.`,
          exchanges: [...alike, next],
          ...(status === 401 ? { severity: 'error' } : {}),
        }
      },
    }
  },
}

/** The longest pause after which a pet is asked for again, and not looked for now and then. */
const retryMs = 10_000

/** Whether somebody looks now and then whether a pet has come, which others may add. */
function isPoll(tries: readonly Seen[]): boolean {
  return tries.some((one, index) => {
    const former = tries[index - 1]
    return former !== undefined && waitedMs(former, one) > retryMs
  })
}

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
