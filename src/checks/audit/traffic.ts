import { windowsMs } from '../../mock/api/plans.ts'
import { wholeText } from '../../mock/input/input-error.ts'
import { spanText } from '../../mock/input/values.ts'
import { operationText, type RequestFacts } from './facts.ts'
import { intervalBetween, isPaced, pollMs, waitedMs } from './request-relations.ts'
import type { Rule, RuleState } from './rule.ts'

/** Rules about traffic: polling and parallel requests. */
export const trafficRules = {
  'polling-over-quota': {
    severity: 'warning',
    source: 'spec 8, Rate limits by plan',
    summary: "A request was polled more often than the key's plan allows in a minute or a day.",
    advice: 'Poll no more often than the limits allow, or move to a plan with higher limits.',
    createState: watchPollsBeyondPlan,
  },
  'too-many-parallel-requests': {
    severity: 'info',
    source: 'spec 8; GitHub REST API, Best practices',
    summary: 'One client had more than ten requests under way at once.',
    advice: 'Limit how many requests are under way at once, so that a 429 can stop the rest.',
    oncePerClient: true,
    createState: watchParallelism,
  },
} as const satisfies Record<string, Rule>

/** Number of repeated requests that make a poll. */
const turns = 10

/** Maximum number of polled URLs kept per client. */
const keptUrls = 16

interface Poll {
  readonly first: RequestFacts
  last: RequestFacts
  /** Times between the starts of consecutive requests, in milliseconds. */
  intervals: number[]
}

function watchPollsBeyondPlan(): RuleState {
  const polls = new Map<string, Poll>()
  return (next, { limitsOf }) => {
    if (next.result.operation !== 'listPets' && next.result.operation !== 'getPet') return undefined
    const { previous } = next.client
    // A request after a failure is a retry, and one after a reset is paced by the service.
    if (previous === undefined || !isServed(previous) || !isServed(next)) return undefined
    if (waitedMs(previous, next) < pollMs || isPaced(previous, next)) return undefined
    const known = polls.get(next.url)
    // If another request was last, the one in between wasn't part of the poll.
    const poll = known?.last === previous ? known : { first: previous, last: next, intervals: [] }
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
    const limits = limitsOf(next.result.token)
    if (limits === undefined || !isRegular(intervals, mean)) return undefined
    const minute = windowsMs.minute / mean
    const day = windowsMs.day / mean
    if (minute <= limits.minute && day <= limits.day) return undefined
    polls.delete(next.url)
    const window = minute > limits.minute ? 'minute' : 'day'
    const rate = wholeText(Math.round(window === 'minute' ? minute : day))
    const limit = wholeText(limits[window])
    return {
      message: `Polled ${operationText(next.logged)} every ${spanText(mean)}: ${rate} a ${window}; the key's limit is ${limit}, one every ${spanText(windowsMs[window] / limits[window])}.`,
      requests: [first, next],
    }
  }
}

function isServed({ arrivedStatus }: RequestFacts): boolean {
  return arrivedStatus !== undefined && arrivedStatus < 300
}

/** Returns whether the standard deviation of intervals is less than a tenth of their mean. */
function isRegular(intervals: readonly number[], mean: number): boolean {
  const variance = intervals.reduce((sum, one) => sum + (one - mean) ** 2, 0) / intervals.length
  return Math.sqrt(variance) < mean * 0.1
}

/** Maximum number of requests in flight without a finding. */
const maxAtOnce = 10

function watchParallelism(): RuleState {
  let latest: readonly RequestFacts[] = []
  return (next) => {
    const [oldest] = latest.length < maxAtOnce ? [] : latest
    latest = [...latest, next].slice(-maxAtOnce)
    if (oldest === undefined) return undefined
    const { endOrder = Number.POSITIVE_INFINITY } = oldest.logged
    if (endOrder < next.logged.startOrder) return undefined
    const message = `Had more than ${maxAtOnce} requests under way at once.`
    return { message, requests: latest }
  }
}
