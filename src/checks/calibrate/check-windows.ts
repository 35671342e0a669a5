import { plans, windowsMs } from '../../mock/api/plans.ts'
import type { Evidence } from './evidence.ts'
import {
  elapsed,
  forgottenIn,
  type Group,
  isCounted,
  isMoved,
  isOfWindow,
  isRejection,
  isSameWindow,
  mayBeFull,
  minDate,
  pairsOf,
  provesFixedReset,
  type Report,
  windowsIn,
} from './quota-reports.ts'
import { neighboursIn } from './read-archives.ts'

const seconds = { minute: windowsMs.minute / 1000, day: windowsMs.day / 1000 } as const

/** Maximum difference of two instants that is due to rounding, in seconds. */
const roundings = 2

/** Compares the windows of all clients with one another, and each client's responses with its earlier ones. */
export function checkWindows(groups: readonly Group[], evidence: Evidence): void {
  for (const { isUnauthenticated, reports } of groups) {
    checkReported(reports.filter(isOfWindow), evidence)
    checkRemaining(reports, evidence)
    checkCounts(reports, evidence)
    for (const one of reports) {
      if ((one.date ?? 0) >= minDate) evidence.only('resetUnit', [one.resetUnit], one)
    }
    if (isUnauthenticated) checkUnauthenticated(reports, evidence)
  }
  checkBeginnings(groups, evidence)
}

function checkReported(reports: readonly Report[], evidence: Evidence): void {
  for (const one of reports) {
    if (one.window !== 'day') continue
    // With more requests left than the plan has for a minute, the minute is tighter.
    const isLoose = Object.values(plans).some(
      (plan) => plan !== 'custom' && plan.day === one.limit && one.remaining > plan.minute,
    )
    evidence.only('reportedWindow', isLoose ? ['day'] : ['tightest', 'day'], one)
  }
  for (const [one, next] of pairsOf(reports)) {
    const isTighter = one.window === 'day' && next.window === 'minute' && next.reset < one.reset
    if (isTighter) evidence.only('reportedWindow', ['tightest'], one, next)
  }
}

/** Finds when windows begin and end; a token bucket fits no value of the gap. */
function checkBeginnings(groups: readonly Group[], evidence: Evidence): void {
  const lists = groups.map(({ reports }) => reports.filter(isOfWindow))
  const pairs = lists.flatMap((reports) => pairsOf(reports))
  const tokens = lists.flatMap((reports) => tokensIn(reports))
  if (tokens.length > 0) {
    evidence.fitsNone('quotaWindow', tokens)
    return
  }
  const renewed = pairs.filter(([one, next]) => isRenewed(one, next))
  const reports = lists.flat()
  const [off, otherwise] = phasesIn(
    reports.filter(({ window }) => window !== 'day'),
    seconds.minute,
  )
  // Windows that all end at the same second, which isn't the calendar's, may fit no value.
  if (off === undefined || otherwise !== undefined) {
    for (const pair of renewed) evidence.only('quotaWindow', ['calendar', 'first-request'], pair)
  }
  const proofs = lists.flatMap((reports) => wholeWindowsIn(reports))
  if (proofs.length + renewed.length === 0) return
  for (const [one, next] of pairs) {
    if (isMoved(one, next)) evidence.only('quotaWindow', ['sliding'], one, next)
  }
  for (const window of ['minute', 'day'] as const) {
    const phases = phasesIn(
      reports.filter((one) => one.window === window),
      seconds[window],
    )
    // Windows of the calendar don't end at different seconds.
    if (phases.length > 1) evidence.only('quotaWindow', ['first-request', 'sliding'], phases)
  }
  checkStarts(lists, evidence)
}

/** Returns responses that show new tokens in a bucket: more remain, though no window can have ended. */
function tokensIn(reports: readonly Report[]): Report[] {
  let first: Report | undefined
  return pairsOf(reports).flatMap(([one, next]) => {
    if (first?.limit !== one.limit || one.remaining >= one.limit - 1) {
      first = one.remaining >= one.limit - 1 ? one : first?.limit === one.limit ? first : undefined
    }
    if (first === undefined || first.limit !== next.limit) return []
    const isSoon = elapsed(first, next).most < 57 && Math.abs(next.reset - one.reset) < 50
    return isSoon && next.remaining - one.remaining >= 2 ? [one, next] : []
  })
}

/** Whether a window has begun anew although the request before would still be in a sliding one. */
function isRenewed(one: Report, next: Report): boolean {
  return (
    one.status < 300 &&
    next.status < 300 &&
    one.limit === next.limit &&
    next.remaining === next.limit - 1 &&
    next.reset - one.reset >= seconds[one.window ?? 'minute'] - 3 &&
    elapsed(one, next).most <= 50
  )
}

/** Minimum number of requests that each use one although a token would have come, which show that there are none. */
const minDue = 8

/** Returns responses that show that no tokens are added: the reset stays, or each request uses one for long enough. */
function wholeWindowsIn(reports: readonly Report[]): Report[] {
  const fixed = windowsIn(reports).flatMap((window) => {
    const [first] = window
    return first === undefined ? [] : window.filter((one) => provesFixedReset(first, one))
  })
  let [first, last]: (Report | undefined)[] = []
  let due = 0
  const steady = pairsOf(reports).flatMap(([one, next]) => {
    const isStep = one.limit === next.limit && one.remaining - next.remaining === 1
    // What looks like a copy from a cache may be a request whose token was added at once.
    const isNext = one === last && next.place === one.place + 1
    if (!isStep || !isNext) first = undefined
    if (isStep && first === undefined && one.remaining === one.limit - 1) [first, due] = [one, 0]
    last = next
    // However many came in a pause, other clients may have used all but one.
    due += Math.min(1, (elapsed(one, next).least * one.limit) / 60)
    if (first === undefined || due < minDue) return []
    return elapsed(first, next).most < 57 ? [next] : []
  })
  return [...fixed, ...steady]
}

/** Returns two responses whose windows end at different seconds, neither the calendar's; one if all end alike. */
function phasesIn(reports: readonly Report[], period: number): readonly Report[] {
  const phase = ({ reset }: Report): number => reset % period
  const isOff = (one: Report): boolean => distance(phase(one), 0, period) > 1
  const off = reports.filter((one) => isCounted(one) && isOff(one))
  const [first] = off
  const other = off.find((one) => first && distance(phase(one), phase(first), period) > 4)
  return [first, other].flatMap((one) => one ?? [])
}

function distance(one: number, other: number, period: number): number {
  const apart = Math.abs(one - other) % period
  return Math.min(apart, period - apart)
}

/** Checks whether windows end at a fixed time after their first request, or with the calendar. */
function checkStarts(lists: readonly (readonly Report[])[], evidence: Evidence): void {
  const starts = lists.flatMap((reports) =>
    reports.filter(({ date, status, isAlone, limit, remaining, window }) => {
      const isFirst = status < 300 && isAlone && date !== undefined && remaining === limit - 1
      return isFirst && window === 'minute'
    }),
  )
  const leftOf = ({ reset, date = reset }: Report): number => reset - date
  const isOther = ([one, next]: [Report, Report]): boolean =>
    Math.abs(leftOf(next) - leftOf(one)) > 7
  const [pair] = neighboursIn(starts).filter(isOther)
  const ends = [...new Set(starts.map(({ reset }) => reset))]
  if (pair === undefined || ends.length < 3) return
  const phases = ends.map((end) => end % 60)
  if (phases.every((phase) => distance(phase, 0, 60) <= 1)) {
    evidence.only('quotaWindow', ['calendar'], pair)
  } else if (phases.every((phase) => distance(phase, phases[0] ?? 0, 60) <= roundings)) {
    evidence.fitsNone('quotaWindow', starts)
  }
}

/** Checks that the number of remaining requests never goes up within a window. */
function checkRemaining(reports: readonly Report[], evidence: Evidence): void {
  const sure = reports.filter((one) => one.isAlone && isOfWindow(one))
  for (const window of windowsIn(sure)) {
    let least = Number.POSITIVE_INFINITY
    window.forEach((report, index) => {
      const { remaining } = report
      // A value is wrong if the next two are above it and fit those before.
      const [next = report, later] = window.slice(index + 1, index + 3)
      const maxBack = (until: Report): number => forgottenIn(window[0] ?? report, until)
      const isOdd =
        later !== undefined &&
        Math.max(next.remaining, later.remaining) <= least &&
        Math.min(next.remaining, later.remaining) - remaining > maxBack(later)
      if (isOdd || remaining - least > maxBack(report)) {
        evidence.check('8', report, 'X-RateLimit-Remaining goes up within a window')
      } else least = Math.min(least, remaining)
    })
  }
}

/** Number of requests of each kind that have to count alike before no other client can have sent them. */
const minAlike = 6

/** Finds in each window the responses beyond the limit, and the requests that didn't count. */
function checkCounts(reports: readonly Report[], evidence: Evidence): void {
  const limited = reports.filter((one) => one.status === 429 && mayBeFull(one))
  for (const one of limited) evidence.check('8.1', one, undefined)
  // A key that never got a 2xx may be invalid, and have a quota of another kind.
  if (!reports.some(({ status }) => status < 300)) return
  const counted: Record<'rejected' | 'served', Report[]> = { rejected: [], served: [] }
  let isShared = false
  const pairs = pairsOf(reports).filter(([prev, cur]) => isSameWindow(prev, cur))
  const proofs = new Map<string, Report[]>()
  for (const [prev, cur] of pairs) {
    if (cur.status === 401 || isRejection(cur)) continue
    const first = reports.find((one) => isSameWindow(one, cur)) ?? cur
    const isProved = (what: string): Report[] => {
      const name = `${what} ${cur.limit} ${cur.reset}`
      const all = [...(proofs.get(name) ?? []), prev, cur]
      proofs.set(name, all)
      return all.length / 2 > forgottenIn(first, cur) ? all : []
    }
    const isClients = cur.status >= 400 && cur.status < 500
    const isFull = prev.remaining === 0 && (prev.status < 300 || prev.status === 429)
    if (isFull && cur.remaining === 0) {
      const all = isClients || cur.status < 300 ? isProved(isClients ? 'order' : 'beyond') : []
      // A service that enforces no limit hasn't decided what comes first.
      if (all.length > 0 && isClients && limited.length > 0)
        evidence.only('errorPrecedence', ['request'], all)
      else if (all.length > 0 && !isClients)
        evidence.check('8.1', cur, 'a request beyond the limit succeeds')
    }
    if (isRejection(prev) || mayBeFull(prev)) continue
    const used = prev.remaining - cur.remaining
    if (isClients && used === 0) {
      const all = isProved('uncounted')
      if (all.length > 0) evidence.only('countedRequests', ['successful'], all)
    }
    if (used !== 1) isShared = true
    else if (isClients) counted.rejected.push(cur)
    else if (cur.status < 300) counted.served.push(cur)
  }
  const { rejected, served } = counted
  if (!isShared && rejected.length >= minAlike && served.length >= minAlike) {
    evidence.only('countedRequests', ['all'], rejected)
  }
}

function checkUnauthenticated(reports: readonly Report[], evidence: Evidence): void {
  for (const one of reports) {
    if (one.remaining < one.limit) evidence.only('unauthenticatedQuota', ['counted'], one)
  }
  for (const [prev, cur] of pairsOf(reports)) {
    if (!isSameWindow(prev, cur) || cur.remaining < cur.limit) continue
    const refunded = { unauthenticatedQuota: 'counted', countedRequests: 'successful' }
    evidence.add([{ unauthenticatedQuota: 'not-counted' }, refunded], prev, cur)
  }
}
