import { windowsMs } from '../../mock/api/plans.ts'
import { wholeText } from '../../mock/input/input-error.ts'
import { spanText } from '../../mock/input/values.ts'
import { type RequestFacts, requestText } from './facts.ts'
import { intervalBetween, isBefore, isPaced, pollMs, waitedMs } from './request-relations.ts'
import type { Found, Rule, RuleState } from './rule.ts'

/** Rules about traffic: polling, parallel requests, connections. */
export const trafficRules = {
  'polling-over-quota': {
    severity: 'warning',
    source: 'spec 8, Rate limits by plan',
    summary: "A request was polled more often than the key's plan allows in a minute or a day.",
    advice: 'Poll no more often than the limits allow, or move to a plan with higher limits.',
    createState: watchPollsBeyondPlan,
  },
  'synchronized-retries': {
    severity: 'info',
    source: 'spec 8.2; IETF draft RateLimit header fields, Resource Exhaustion',
    summary: 'At least five rejected clients came back at the same moment.',
    advice: 'Add some jitter to the wait, so that clients rejected together come back one by one.',
    createState: () => checkLockstep,
  },
  'too-many-parallel-requests': {
    severity: 'info',
    source: 'spec 8; GitHub REST API, Best practices',
    summary: 'One client had more than ten requests under way at once.',
    advice: 'Limit how many requests are under way at once, so that a 429 can stop the rest.',
    oncePerClient: true,
    createState: watchParallelism,
  },
  'missing-user-agent': {
    severity: 'info',
    source: 'RFC 9110, 10.1.5',
    summary: 'A request over HTTP had no User-Agent header.',
    advice:
      "Send the client's name and version in User-Agent, so that its requests can be told apart.",
    oncePerClient: true,
    createState:
      () =>
      (next, { request }) => {
        const { adapter } = next.timing
        const isOverHttp = adapter === 'server' || adapter === 'express'
        if (!isOverHttp || request.headers['user-agent'] !== undefined) return undefined
        return { message: 'Sent a request without the header User-Agent.', requests: [next] }
      },
  },
  'connection-per-request': {
    severity: 'info',
    source: 'RFC 9112, 9.3',
    summary: 'Twenty requests in a row each opened a new connection.',
    advice:
      'Keep connections open and reuse them, for instance with one agent or session for all requests.',
    oncePerClient: true,
    createState: watchConnectionPerRequest,
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
  return (next, { token }, { limitsOf }) => {
    if (next.operation !== 'listPets' && next.operation !== 'getPet') return undefined
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
    const limits = limitsOf(token)
    if (limits === undefined || !isRegular(intervals, mean)) return undefined
    const minute = windowsMs.minute / mean
    const day = windowsMs.day / mean
    if (minute <= limits.minute && day <= limits.day) return undefined
    polls.delete(next.url)
    const window = minute > limits.minute ? 'minute' : 'day'
    const rate = wholeText(Math.round(window === 'minute' ? minute : day))
    const limit = wholeText(limits[window])
    return {
      message: `Polled ${requestText(next)} every ${spanText(mean)}: ${rate} a ${window}; the key's limit is ${limit}, one every ${spanText(windowsMs[window] / limits[window])}.`,
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

/** Number of clients that come back together in a finding. */
const crowd = 5

/** Real time within which the clients come back, in milliseconds. */
const withinMs = 50

/** Maximum number of rejected clients kept. */
const keptClients = 1_000

function checkLockstep(next: RequestFacts): Found | undefined {
  const { all, number } = next.client
  const client = `${number} ${next.timing.connection}`
  if (next.retryAt !== undefined) {
    if (all.rejected.size >= keptClients) all.rejected.clear()
    all.rejected.set(client, next)
    return undefined
  }
  const rejection = all.rejected.get(client)
  if (rejection?.retryAt === undefined) return undefined
  all.rejected.delete(client)
  if (isBefore(rejection.retryAt, rejection, next)) return undefined
  const { receivedUs } = next.timing
  const isRecent = (one: RequestFacts) => receivedUs - one.timing.receivedUs <= withinMs * 1000
  all.returned = [...all.returned, next].filter(isRecent)
  const requests = all.returned
  if (requests.length < crowd) return undefined
  all.returned = []
  const ms = Math.round((receivedUs - (requests[0]?.timing.receivedUs ?? receivedUs)) / 1000)
  return { message: `${crowd} rejected clients came back within ${ms} ms.`, requests }
}

/** Maximum number of requests in flight without a finding. */
const maxAtOnce = 10

function watchParallelism(): RuleState {
  let latest: readonly RequestFacts[] = []
  return (next) => {
    const [oldest] = latest.length < maxAtOnce ? [] : latest
    latest = [...latest, next].slice(-maxAtOnce)
    if (oldest === undefined) return undefined
    const { endOrder = Number.POSITIVE_INFINITY } = oldest.timing
    if (endOrder < next.timing.startOrder) return undefined
    const message = `Had more than ${maxAtOnce} requests under way at once.`
    return { message, requests: latest }
  }
}

/** Number of consecutive new connections in a finding. */
const maxConnections = 20

/** Minimum duration of such a row, in real milliseconds: a pool opens its connections faster. */
const rowMs = 2_000

/** Maximum pause after which a client could have reused its connection, in milliseconds. */
const pauseMs = 5_000

function watchConnectionPerRequest(): RuleState {
  /** Latest consecutive requests that each came over a new connection. */
  let row: readonly RequestFacts[] = []
  /** Arrival of the first of these requests, in microseconds. */
  let began = 0
  /** Number of the newest connection; a connection with a lower number has been used before. */
  let newest = 0
  return (next) => {
    const { connection, receivedUs } = next.timing
    if (connection === undefined) return undefined
    if (connection <= newest) {
      row = []
      return undefined
    }
    newest = connection
    const last = row.at(-1)
    const isNext = last !== undefined && isSoonAfter(last, next)
    row = isNext ? [...row, next].slice(-maxConnections) : [next]
    if (!isNext) began = receivedUs
    if (row.length < maxConnections || receivedUs - began < rowMs * 1000) return undefined
    return {
      message: `Sent ${maxConnections} requests in a row, each on a new connection.`,
      requests: row,
    }
  }
}

function isSoonAfter({ timing }: RequestFacts, next: RequestFacts): boolean {
  const { startOrder, receivedUs } = next.timing
  return (
    (timing.endOrder ?? startOrder) < startOrder &&
    receivedUs - (timing.endedUs ?? 0) < pauseMs * 1000
  )
}
