import { windowsMs } from '../../contract/plans.ts'
import { PerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'
import { intervalBetween, isPaced, pollMs, type Seen, waitedMs } from '../seen.ts'
import { countText, requestText, spanText } from '../words.ts'

/** How many of the same request tell a poll. */
const turns = 10

/** How many polled URLs are kept for each origin. */
const keptUrls = 16

interface Poll {
  readonly first: Seen
  last: Seen
  /** From the start of each to the start of the next, in milliseconds. */
  intervals: number[]
}

/** A poll that no plan of its key lasts for (spec 8). */
export const pollsBeyondPlan: Rule = {
  severity: 'warning',
  clause: 'spec 8, Rate limits by plan',
  about: "A request was polled more often than the key's plan allows in a minute or a day.",
  advice: 'Poll no more often than the limits allow, or move to a plan with higher limits.',
  needsKnowledge: false,
  sees: ['again after a pause'],
  watch() {
    const memories = new PerOrigin<Map<string, Poll>>(() => new Map())
    return {
      see(next, { token }, keys) {
        if (next.operation !== 'listPets' && next.operation !== 'getPet') return undefined
        const { previous } = next.origin
        // What comes after a failure is a retry, and what comes after a reset is paced by the service.
        if (previous === undefined || !isServed(previous) || !isServed(next)) return undefined
        if (waitedMs(previous, next) < pollMs || isPaced(previous, next)) return undefined
        const polls = memories.of(next)
        const known = polls.get(next.url)
        // If it is another one that was last, there was one in between that is no turn of a poll.
        const poll =
          known?.last === previous ? known : { first: previous, last: next, intervals: [] }
        if (poll !== known) {
          if (polls.size >= keptUrls) polls.clear()
          polls.set(next.url, poll)
        }
        poll.last = next
        poll.intervals.push(intervalBetween(previous, next))
        if (poll.intervals.length < turns - 1) return undefined
        const { first, intervals } = poll
        poll.intervals = intervals.slice(1)
        const mean = intervals.reduce((sum, one) => sum + one, 0) / intervals.length
        const limits = keys.limitsOf(token)
        if (limits === undefined || !isRegular(intervals, mean)) return undefined
        const minute = windowsMs.minute / mean
        const day = windowsMs.day / mean
        if (minute <= limits.minute && day <= limits.day) return undefined
        polls.delete(next.url)
        const window = minute > limits.minute ? 'minute' : 'day'
        const rate = countText(Math.round(window === 'minute' ? minute : day))
        const limit = countText(limits[window])
        return {
          verdict: `Polled ${requestText(next)} every ${spanText(mean)}: ${rate} a ${window}; the key's limit is ${limit}, one every ${spanText(windowsMs[window] / limits[window])}.`,
          exchanges: [first, next],
        }
      },
      forget: () => memories.forget(),
    }
  },
}

function isServed({ arrivedStatus }: Seen): boolean {
  return arrivedStatus !== undefined && arrivedStatus < 300
}

/** Whether intervals differ from their mean by less than a tenth. */
function isRegular(intervals: readonly number[], mean: number): boolean {
  const variance = intervals.reduce((sum, one) => sum + (one - mean) ** 2, 0) / intervals.length
  return Math.sqrt(variance) < mean * 0.1
}
