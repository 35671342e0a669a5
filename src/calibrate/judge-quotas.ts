import { plans, windowsMs } from '../contract/plans.ts'
import { grouped, isRecord, namesOf } from '../input/record.ts'
import { formatDuration } from '../input/values.ts'
import type { Findings } from './findings.ts'
import { type History, neighboursIn, plain, recordOf, type Seen, wholeIn } from './read-archives.ts'

/** A reply with what its headers say of a quota, in Unix seconds. */
interface Report extends Seen {
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  /** `Retry-After` in seconds; `NaN` in any other form. */
  readonly after: number
  /** Whether nothing else of this caller was under way, so that its place among the others is sure. */
  readonly isAlone: boolean
}

/** The replies to one caller, in their order. */
interface Group {
  /** Whether all of them were refused for the lack of a valid key. */
  readonly isStranger: boolean
  /** Whether requests may be missing, since they got no reply. */
  readonly isLossy: boolean
  readonly reports: readonly Report[]
}

const minute = windowsMs.minute / 1000
const day = windowsMs.day / 1000

/**
 * Compares the replies to each caller with one another, in as far as their order is sure.
 *
 * @returns How far `Date` may be ahead, in seconds.
 */
export function judgeQuotas(history: History, findings: Findings): Span {
  const groups = groupsOf(history)
  for (const { isStranger, reports } of groups) {
    judgeWindows(reports.filter(isOfWindow), findings)
    judgeStarts(reports, findings)
    judgeRemaining(reports, findings)
    judgePairs(reports, findings)
    if (isStranger) judgeStrangers(reports, findings)
  }
  const reports = groups.flatMap((group) => group.reports)
  judgeRetryAfter(reports, findings)
  const skew = judgeSkew(reports, findings)
  judgeBans(groups, skew, findings)
  return skew
}

function groupsOf({ exchanges, lost }: History): Group[] {
  const nobody = (seen: Seen): boolean =>
    seen.isAuthorizationKnown && seen.requestHeaders.authorization === undefined
  // Requests without a key have one quota together.
  const callers = grouped(exchanges, (seen) => seen.caller ?? (nobody(seen) ? '' : undefined))
  return [...callers].flatMap(([caller, list]): Group[] => {
    if (caller === undefined) return []
    const isLossy = lost.some((one) => one.caller === undefined || one.caller === caller)
    const reports = reportsOf(list)
    const refused = reports.filter(({ status }) => status === 401)
    const served = reports.filter(({ status }) => status < 300)
    const isHolder = caller !== '' && refused.length === 0
    if (isHolder) return [{ isStranger: false, isLossy, reports }]
    const strange = { isStranger: true, isLossy, reports: refused }
    // Of a key that was valid for a time only, it is not known which usage other replies speak of.
    return caller === '' ? [strange] : [strange, { isStranger: false, isLossy, reports: served }]
  })
}

function reportsOf(list: readonly Seen[]): Report[] {
  let latestEnd = Number.NEGATIVE_INFINITY
  return list.flatMap((seen, index) => {
    const next = list[index + 1]
    const isAlone = latestEnd <= seen.startAt && (next === undefined || seen.endAt <= next.startAt)
    latestEnd = Math.max(latestEnd, seen.endAt)
    const figure = (name: string): number => wholeIn(seen.headers[`x-ratelimit-${name}`])
    const [limit, remaining, reset] = [figure('limit'), figure('remaining'), figure('reset')]
    if (!seen.isJudged || Number.isNaN(limit + remaining + reset)) return []
    return [
      { ...seen, limit, remaining, reset, after: wholeIn(seen.headers['retry-after']), isAlone },
    ]
  })
}

function isRefusal({ status }: Report): boolean {
  return status === 429 || status === 403
}

/** Whether the headers describe a window, and not what a request beyond a limit waits for: that may be a ban. */
function isOfWindow(one: Report): boolean {
  return !isRefusal(one) && (one.status < 400 || one.status === 401 || one.remaining > 0)
}

function isSameWindow(one: Report, other: Report): boolean {
  return one.limit === other.limit && one.reset === other.reset
}

/** Whether a reply speaks of the day: its window ends later than any minute. */
function isOfDay({ reset, date = reset }: Report): boolean {
  return reset - date > minute + 1
}

/** Replies that surely follow one another. */
function pairsOf(group: readonly Report[]): [Report, Report][] {
  return neighboursIn(group).filter(
    ([prev, cur]) => prev.isAlone && cur.isAlone && (prev.date ?? 0) <= (cur.date ?? 0),
  )
}

function judgeWindows(group: readonly Report[], findings: Findings): void {
  for (const one of group) {
    const isOnGrid = one.reset % (isOfDay(one) ? day : minute) === 0
    if (!isOnGrid) findings.only('quotaWindow', ['first-request', 'sliding'], one)
    if (isOfDay(one)) findings.only('reportedWindow', ['tightest', 'day'], one)
  }
  for (const [one, next] of pairsOf(group)) {
    const apart = next.reset - one.reset
    const length = isOfDay(one) && isOfDay(next) ? day : minute
    const isMoved = one.limit === next.limit && apart > 0 && apart < length
    if (isMoved) findings.only('quotaWindow', ['sliding'], one, next)
    const isTighter = isOfDay(one) && apart < 0 && next.limit !== one.limit
    if (isTighter) findings.only('reportedWindow', ['tightest'], one, next)
  }
  const counted = group.filter(({ status, isAlone }) => status < 300 && isAlone)
  counted.forEach((one, index) => {
    // A sliding window still has what was counted within the last minute.
    const forgotten = counted[index - (one.limit - one.remaining)]
    if (forgotten?.limit !== one.limit) return
    const apart = (one.date ?? 0) - (forgotten.date ?? 0)
    if (apart < 0 || apart > minute - 3) return
    findings.only('quotaWindow', ['calendar', 'first-request'], forgotten, one)
  })
}

/** Windows that begin with their first request end as long after it; those of the calendar don't. */
function judgeStarts(all: readonly Report[], findings: Findings): void {
  const starts = all.filter((one, index) => {
    const { date, status, isAlone, limit, remaining, reset } = one
    const before = all[index - 1]
    const isFirst = before === undefined || (before.date ?? reset) < reset - minute - 1
    return status < 300 && isAlone && date !== undefined && remaining === limit - 1 && isFirst
  })
  const ends = new Set(starts.map(({ reset }) => reset))
  const isOnGrid = [...ends].every((reset) => reset % minute === 0)
  if (!isOnGrid || ends.size < 3 || starts.some(isOfDay)) return
  const leftOf = ({ reset, date = reset }: Report): number => reset - date
  for (const [one, next] of neighboursIn(starts)) {
    const isOther = Math.abs(leftOf(next) - leftOf(one)) > 2
    if (isOther) findings.only('quotaWindow', ['calendar'], one, next)
  }
}

/** What remains never goes up within a window. */
function judgeRemaining(group: readonly Report[], findings: Findings): void {
  const sure = group.filter((one) => one.isAlone && isOfWindow(one))
  for (const window of grouped(sure, ({ limit, reset }) => `${limit} ${reset}`).values()) {
    let least = Number.POSITIVE_INFINITY
    window.forEach((report, index) => {
      const { remaining } = report
      // Where the next two are above this one, and fit what was before, it is the odd one.
      const next = window.slice(index + 1, index + 3).map((one) => one.remaining)
      const isBelow = next.length === 2 && next.every((one) => one > remaining && one <= least)
      if (!isBelow && remaining <= least) least = remaining
      else findings.check('8', report, 'X-RateLimit-Remaining goes up within a window')
    })
  }
}

/** How many requests of each kind have to count alike before nobody else can have sent them. */
const leastAlike = 6

function judgePairs(group: readonly Report[], findings: Findings): void {
  const refused: Report[] = []
  const served: Report[] = []
  let isShared = false
  // Who never was served may have no valid key, and quotas of another kind.
  const isKey = group.some(({ status }) => status < 300)
  for (const [prev, cur] of isKey ? pairsOf(group) : []) {
    if (!isSameWindow(prev, cur) || cur.status === 401) continue
    const isRefused = cur.status >= 400 && !isRefusal(cur)
    const isFull = prev.remaining === 0 && (prev.status < 300 || prev.status === 429)
    if (isFull && cur.remaining === 0) {
      if (isRefused) findings.only('refusalOrder', ['request-first'], prev, cur)
      const isServed = cur.status < 300
      if (isServed) findings.check('8.1', cur, 'a request beyond the limit is served')
    }
    if (isRefusal(prev) || isRefusal(cur) || prev.remaining === 0) continue
    const used = prev.remaining - cur.remaining
    if (isRefused && used === 0) {
      findings.only('countedRequests', ['successful'], prev, cur)
    } else if (used !== 1) isShared = true
    else (isRefused ? refused : served).push(cur)
  }
  const over = group.filter(({ status }) => status === 429)
  for (const one of over) findings.check('8.1', one, undefined)
  if (!isShared && refused.length >= leastAlike && served.length >= leastAlike) {
    findings.only('countedRequests', ['all'], refused)
  }
}

/** The figures of Free are those that requests without a valid key are told. */
function judgeStrangers(group: readonly Report[], findings: Findings): void {
  const { free } = plans
  for (const one of group) {
    const { limit, remaining } = one
    if (remaining < limit) findings.only('unauthorizedQuota', ['counted'], one)
    if (limit === free.minute) findings.only('reportedWindow', ['tightest', 'minute'], one)
    const isDay = limit === free.day && remaining > free.minute
    if (isDay) findings.only('reportedWindow', ['day'], one)
  }
  for (const [prev, cur] of pairsOf(group)) {
    if (!isSameWindow(prev, cur)) continue
    if (cur.remaining === cur.limit) {
      const refunded = { unauthorizedQuota: 'counted', countedRequests: 'successful' }
      findings.add([{ unauthorizedQuota: 'not-counted' }, refunded], prev, cur)
    }
    const isFull = prev.remaining === 0 && cur.remaining === 0
    if (isFull) findings.only('unauthorizedLimit', ['never'], prev, cur)
  }
}

/** How much later a padded `Retry-After` is, in seconds. */
const padding = { exact: 0, padded: 5 } as const

const precisions = namesOf(padding)

function judgeRetryAfter(reports: readonly Report[], findings: Findings): void {
  for (const one of reports.filter(isRefusal)) {
    const { reset, after, date } = one
    const text = one.headers['retry-after']
    if (text === undefined || date === undefined) continue
    const later = Date.parse(text) / 1000 - reset
    if (!Number.isNaN(after)) findings.only('retryAfterFormat', ['seconds'], one)
    else if (Number.isNaN(later)) {
      findings.unexplain(one, 'no choice at retryAfterFormat writes Retry-After so')
    } else {
      findings.only('retryAfterFormat', ['http-date'], one)
      const precision = precisions.find((name) => padding[name] === later)
      const problem = 'no choice at retryAfterPrecision agrees with X-RateLimit-Reset'
      if (precision === undefined) findings.unexplain(one, problem)
      else findings.only('retryAfterPrecision', [precision], one)
    }
  }
}

/** Bounds, both exclusive, in seconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

function overlap(spans: readonly Span[]): Span {
  return spans.reduce((one, { from, to }) => ({
    from: Math.max(one.from, from),
    to: Math.min(one.to, to),
  }))
}

/** How far `Date` may be ahead by one reply, where `Retry-After` is later by a padding. */
function skewIn(one: Report, padded: number): Span {
  const { reset, date = Number.NaN, after, status, limit } = one
  const ahead = date - reset
  if (isRefusal(one)) return { from: ahead + after - padded - 1, to: ahead + after - padded + 1 }
  // Its window ends later than now, by no more than a day.
  const most = status === 401 && limit === plans.free.minute ? minute + 1 : day + minute
  return { from: ahead, to: ahead + 1 + most }
}

/** Finds out how far `Date` is ahead: of the end of the window, and of what `Retry-After` counts from. */
function judgeSkew(reports: readonly Report[], findings: Findings): Span {
  const allowed = findings.choicesAt('retryAfterPrecision')
  const ways = precisions
    .filter((precision) => allowed.length === 0 || allowed.includes(precision))
    .map((precision) => {
      const told = reports
        .filter((one) => isRefusal(one) || isOfWindow(one))
        .map((report) => ({ report, ...skewIn(report, padding[precision]) }))
        .filter(({ from }) => !Number.isNaN(from))
      return { precision, told, fitting: mostCommon(told) }
    })
  // All have the true value in common: those that are apart from what most have in common are wrong.
  const most = Math.max(...ways.map(({ fitting }) => fitting.length))
  const likely = ways.filter(({ fitting }) => fitting.length === most)
  const right = new Set(likely.flatMap(({ fitting }) => fitting.map(({ report }) => report)))
  for (const { report } of ways[0]?.told ?? []) {
    if (right.has(report)) continue
    if (!isRefusal(report)) {
      findings.check('8', report, "X-RateLimit-Reset doesn't agree with Date")
    } else {
      const problem = "Retry-After doesn't agree with X-RateLimit-Reset and Date"
      findings.check('8.2', report, problem)
    }
  }
  if (most === 0) return { from: -1, to: Number.POSITIVE_INFINITY }
  const spans = likely.map(({ fitting }) => overlap(fitting))
  const skew = {
    from: Math.max(-1, Math.min(...spans.map(({ from }) => from))),
    to: Math.max(...spans.map(({ to }) => to)),
  }
  const refusals = [...right].filter(isRefusal)
  const sources = refusals.length > 0 ? refusals : [...right]
  const [way, other] = likely
  if (way !== undefined && other === undefined && refusals.length > 0) {
    findings.only('retryAfterPrecision', [way.precision], sources)
  }
  findings.only('dateSkew', skewChoices(skew), sources)
  return skew
}

/** The spans above zero that overlap where most of them do. */
function mostCommon<One extends Span>(all: readonly One[]): readonly One[] {
  const spans = all.filter(({ to }) => to > 0)
  let most: readonly One[] = []
  for (const at of new Set(spans.map(({ from }) => Math.max(-1, from)))) {
    const there = spans.filter(({ from, to }) => from <= at && to > at)
    if (there.length > most.length) most = there
  }
  return most
}

function skewChoices(span: Span): string[] {
  const none = span.from < 0 ? ['none'] : []
  if (span.from < 0 && span.to <= 1) return none
  return [...none, span.to - span.from === 2 ? secondsText(span.from + 1) : rangeText(span)]
}

function rangeText({ from, to }: Span): string {
  return `${secondsText(from)}..${secondsText(to)}`
}

/** Writes seconds as a duration; none is the shortest one. */
function secondsText(seconds: number): string {
  return seconds <= 0 ? '1ms' : formatDuration(seconds * 1000)
}

/** Finds out how many refusals lead to a ban, and how long that lasts. */
function judgeBans(groups: readonly Group[], skew: Span, findings: Findings): void {
  let longest: readonly Report[] = []
  let isBanSeen = false
  const counted: (readonly Report[])[] = []
  const timed: (Span & Report)[] = []
  for (const { isStranger, isLossy, reports } of groups) {
    for (const [stretch, [ban]] of isStranger ? [] : neighboursIn([...stretchesOf(reports), []])) {
      const [window, last] = [stretch[0], stretch.at(-1)]
      if (window === undefined || last === undefined || isRefusal(window)) continue
      const refusals = stretch.filter(
        (one) => one.status === 429 && isRecord(one.found) && !isCalledBan(one),
      )
      if (refusals.length > longest.length) longest = refusals
      if (ban === undefined || !isBan(ban, refusals.at(-1) ?? window)) continue
      findings.only('banStatus', [ban.status === 403 ? 403 : 429], ban)
      // Where bans are told from other refusals by nothing, those can't be counted.
      isBanSeen ||= isCalledBan(ban)
      const isEarly = last.remaining === 0 && (ban.date ?? window.reset) < window.reset
      if (!isLossy && isEarly && isSole([...stretch, ban])) counted.push([...refusals, ban])
      if (ban.limit !== window.limit || ban.reset <= window.reset) continue
      // It began after the last reply that doesn't speak of it.
      const from = ban.reset - (ban.date ?? Number.NaN) - 2 + Math.max(0, skew.from)
      const to = ban.reset - (last.date ?? Number.NaN) + skew.to
      if (Number.isFinite(from + to)) timed.push({ ...ban, from, to })
    }
  }
  const [sure = [], ...others] = counted
  const count = sure.length - 1
  const isSure = count >= longest.length && others.every(({ length }) => length === sure.length)
  const choice = isSure ? `${count}` : `${longest.length}..1000000000`
  if (isBanSeen) findings.only('banAfter', [choice], isSure ? sure : longest)
  const all = overlap([{ from: 0, to: Number.MAX_VALUE }, ...timed])
  if (timed.length === 0 || all.from >= all.to) return
  const length = all.to - all.from <= 1 ? secondsText(all.to) : rangeText(all)
  findings.only('banDuration', [length], timed)
}

/** Splits replies where another window begins. */
function stretchesOf(group: readonly Report[]): Report[][] {
  const stretches: Report[][] = []
  for (const one of group) {
    const [current] = stretches.at(-1) ?? []
    if (current !== undefined && isSameWindow(current, one)) stretches.at(-1)?.push(one)
    else stretches.push([one])
  }
  return stretches
}

function codeIn({ found }: Report): string {
  return plain(recordOf(found).code)
}

/** Whether a reply is told from other refusals, by its status or its code. */
function isCalledBan(one: Report): boolean {
  return one.status === 403 || (one.status === 429 && /ban|^E4292$/i.test(codeIn(one)))
}

/** Whether a reply surely speaks of a ban. */
function isBan(one: Report, refused: Report): boolean {
  if (isCalledBan(one)) return true
  if (one.status !== 429 || one.limit !== refused.limit) return false
  return one.reset > refused.reset && (one.date ?? refused.reset) < refused.reset
}

/** Whether nobody else can have had a part in what led to the last reply, which is a ban. */
function isSole(reports: readonly Report[]): boolean {
  const used = neighboursIn(reports.slice(0, -1))
    .filter(([prev, cur]) => !isRefusal(cur) && prev.remaining > 0)
    .map(([prev, cur]) => prev.remaining - cur.remaining)
  return used.length >= 10 && used.every((one) => one === 1) && reports.every((one) => one.isAlone)
}
