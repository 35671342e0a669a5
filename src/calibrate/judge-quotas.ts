import { jsonIn } from '../contract/json.ts'
import { plans, windowsMs } from '../contract/plans.ts'
import { formatDuration } from '../input/duration.ts'
import { grouped, isRecord, namesOf } from '../input/record.ts'
import type { Findings } from './findings.ts'
import { type History, plain, type Seen, wholeIn } from './read-archives.ts'

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
 * @returns How far `Date` may be ahead at most, in seconds.
 */
export function judgeQuotas(history: History, findings: Findings): number {
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
  const mostSkew = judgeSkew(reports, findings)
  judgeBans(groups, findings)
  return mostSkew
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
  return group.slice(1).flatMap((cur, index): [Report, Report][] => {
    const prev = group[index]
    if (prev === undefined || !prev.isAlone || !cur.isAlone) return []
    return (prev.date ?? 0) <= (cur.date ?? 0) ? [[prev, cur]] : []
  })
}

function judgeWindows(group: readonly Report[], findings: Findings): void {
  for (const one of group) {
    const isOnGrid = one.reset % (isOfDay(one) ? day : minute) === 0
    if (!isOnGrid) findings.only('quotaWindow', ['first-request', 'sliding'], one.number)
    if (isOfDay(one)) findings.only('reportedWindow', ['tightest', 'day'], one.number)
  }
  for (const [one, next] of pairsOf(group)) {
    const apart = next.reset - one.reset
    const length = isOfDay(one) && isOfDay(next) ? day : minute
    const isMoved = one.limit === next.limit && apart > 0 && apart < length
    if (isMoved) findings.only('quotaWindow', ['sliding'], one.number, next.number)
    const isTighter = isOfDay(one) && apart < 0 && next.limit !== one.limit
    if (isTighter) findings.only('reportedWindow', ['tightest'], one.number, next.number)
  }
  // A sliding window still has what was counted within the last minute.
  const counted = group.filter(({ status, isAlone }) => status < 300 && isAlone)
  let first = 0
  counted.forEach((one, index) => {
    const { date = 0 } = one
    while ((counted[first]?.date ?? 0) < date - (minute - 3)) first++
    const start = counted[first]
    if (one.date === undefined || start === undefined || start.limit !== one.limit) return
    const isForgotten = one.limit - one.remaining < index - first + 1
    if (isForgotten) {
      findings.only('quotaWindow', ['calendar', 'first-request'], start.number, one.number)
    }
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
  for (const [index, { date = 0, reset, number }] of starts.entries()) {
    const {
      date: nextDate = date,
      reset: nextReset = reset,
      number: next,
    } = starts[index + 1] ?? {}
    const isOther = next !== undefined && Math.abs(nextReset - reset - (nextDate - date)) > 2
    if (isOther) findings.only('quotaWindow', ['calendar'], number, next)
  }
}

/** What remains never goes up within a window. */
function judgeRemaining(group: readonly Report[], findings: Findings): void {
  const windows = new Map<string, Report[]>()
  const problem = 'X-RateLimit-Remaining goes up within a window'
  group.forEach((one, index) => {
    if (!isOfWindow(one) || !one.isAlone) return
    const name = `${one.limit} ${one.reset}`
    const falling = windows.get(name) ?? []
    windows.set(name, falling)
    const [before, last] = [falling.at(-2), falling.at(-1)]
    if (last !== undefined && one.remaining > last.remaining) {
      // Where all that follow are above the last one as well, that is the odd one.
      const next = group.slice(index + 1, index + 20).find((other) => isSameWindow(one, other))
      const isLastOdd =
        (before?.remaining ?? one.limit) >= one.remaining && (next?.remaining ?? 0) > last.remaining
      findings.check('8', (isLastOdd ? last : one).number, problem)
      if (!isLastOdd) return
      falling.pop()
    }
    falling.push(one)
  })
}

/** How many requests of each kind have to count alike before nobody else can have sent them. */
const leastAlike = 6

function judgePairs(group: readonly Report[], findings: Findings): void {
  const refused: number[] = []
  const served: number[] = []
  let isShared = false
  // Who never was served may have no valid key, and quotas of another kind.
  const isKey = group.some(({ status }) => status < 300)
  for (const [prev, cur] of isKey ? pairsOf(group) : []) {
    if (!isSameWindow(prev, cur) || cur.status === 401) continue
    const isRefused = cur.status >= 400 && !isRefusal(cur)
    const isFull = prev.remaining === 0 && (prev.status < 300 || prev.status === 429)
    if (isFull && cur.remaining === 0) {
      if (isRefused) findings.only('refusalOrder', ['request-first'], prev.number, cur.number)
      const isServed = cur.status < 300
      if (isServed) findings.check('8.1', cur.number, 'a request beyond the limit is served')
    }
    if (isRefusal(prev) || isRefusal(cur) || prev.remaining === 0) continue
    const used = prev.remaining - cur.remaining
    if (isRefused && used === 0) {
      findings.only('countedRequests', ['successful'], prev.number, cur.number)
    } else if (used !== 1) isShared = true
    else (isRefused ? refused : served).push(cur.number)
  }
  const over = group.filter(({ status }) => status === 429)
  for (const { number } of over) findings.check('8.1', number, undefined)
  if (!isShared && refused.length >= leastAlike && served.length >= leastAlike) {
    findings.only('countedRequests', ['all'], ...refused)
  }
}

/** The figures of Free are those that requests without a valid key are told. */
function judgeStrangers(group: readonly Report[], findings: Findings): void {
  const { free } = plans
  for (const { limit, remaining, number } of group) {
    if (remaining < limit) findings.only('unauthorizedQuota', ['counted'], number)
    if (limit === free.minute) findings.only('reportedWindow', ['tightest', 'minute'], number)
    const isDay = limit === free.day && remaining > free.minute
    if (isDay) findings.only('reportedWindow', ['day'], number)
  }
  for (const [prev, cur] of pairsOf(group)) {
    if (!isSameWindow(prev, cur)) continue
    if (cur.remaining === cur.limit) {
      const refunded = { unauthorizedQuota: 'counted', countedRequests: 'successful' }
      findings.add([{ unauthorizedQuota: 'not-counted' }, refunded], prev.number, cur.number)
    }
    const isFull = prev.remaining === 0 && cur.remaining === 0
    if (isFull) findings.only('unauthorizedLimit', ['never'], prev.number, cur.number)
  }
}

/** How much later a padded `Retry-After` is, in seconds. */
const padding = { exact: 0, padded: 5 } as const

const precisions = namesOf(padding)

function judgeRetryAfter(reports: readonly Report[], findings: Findings): void {
  for (const { number, reset, after, headers, date } of reports.filter(isRefusal)) {
    const text = headers['retry-after']
    if (text === undefined || date === undefined) continue
    const later = Date.parse(text) / 1000 - reset
    if (!Number.isNaN(after)) findings.only('retryAfterFormat', ['seconds'], number)
    else if (Number.isNaN(later)) {
      findings.unexplain(number, 'no choice at retryAfterFormat writes Retry-After so')
    } else {
      findings.only('retryAfterFormat', ['http-date'], number)
      const precision = precisions.find((one) => padding[one] === later)
      const problem = 'no choice at retryAfterPrecision agrees with X-RateLimit-Reset'
      if (precision === undefined) findings.unexplain(number, problem)
      else findings.only('retryAfterPrecision', [precision], number)
    }
  }
}

/** Bounds, both exclusive, in seconds. */
interface Span {
  readonly from: number
  readonly to: number
}

function overlap(spans: readonly Span[]): Span {
  return spans.reduce((one, { from, to }) => ({
    from: Math.max(one.from, from),
    to: Math.min(one.to, to),
  }))
}

/** How far `Date` may be ahead by one reply: its window ends later than now, by no more than a day. */
function spanOf({ reset, date = Number.NaN, status, limit }: Report): Span {
  const most = status === 401 && limit === plans.free.minute ? minute + 1 : day + minute
  return { from: date - reset, to: date + 1 - reset + most }
}

/**
 * Finds out how far `Date` is ahead: of the end of the window, and of what `Retry-After` counts from.
 *
 * @returns How far at most, in seconds.
 */
function judgeSkew(reports: readonly Report[], findings: Findings): number {
  const offsets = reports
    .filter(isRefusal)
    .map(({ number, reset, date = Number.NaN, after }) => ({
      number,
      offset: after + date - reset,
    }))
    .filter(({ offset }) => !Number.isNaN(offset))
  const usual = usualOf(offsets.map(({ offset }) => offset))
  const isUsual = ({ offset }: { readonly offset: number }): boolean =>
    usual !== undefined && offset >= usual && offset <= usual + 1
  for (const one of offsets.filter((other) => !isUsual(other))) {
    findings.check('8.2', one.number, "Retry-After doesn't agree with X-RateLimit-Reset and Date")
  }
  const dated = reports.filter((one) => isOfWindow(one) && one.date !== undefined)
  const spans = dated.map((one) => ({ ...spanOf(one), number: one.number }))
  // All have the true value in common: one that is apart from the middle one is wrong.
  const middle = spans.toSorted((one, other) => one.from - other.from)[spans.length >> 1]
  const base = usual === undefined ? middle : { from: usual - padding.padded - 1, to: usual + 1 }
  const isNear = ({ from, to }: Span): boolean =>
    base !== undefined && from <= base.to && to >= base.from
  for (const one of spans.filter((other) => !isNear(other))) {
    findings.check('8', one.number, "X-RateLimit-Reset doesn't agree with Date")
  }
  const near = spans.filter(isNear)
  const known = overlap([{ from: -1, to: Number.POSITIVE_INFINITY }, ...near])
  const fitting = offsets.filter(isUsual)
  const allowed = findings.choicesAt('retryAfterPrecision')
  const ways = precisions
    .filter((precision) => allowed.length === 0 || allowed.includes(precision))
    .map((precision) => ({ precision, span: overlap([known, spanWith(padding[precision])]) }))
    .filter(({ span }) => span.from <= span.to && span.to > 0)
  const from = Math.min(...ways.map(({ span }) => span.from))
  const to = Math.max(...ways.map(({ span }) => span.to))
  if (!Number.isFinite(to)) return Number.POSITIVE_INFINITY
  const numbers = numbersOf(usual === undefined ? near : fitting)
  const [way, other] = ways
  if (way !== undefined && other === undefined && usual !== undefined) {
    findings.only('retryAfterPrecision', [way.precision], ...numbers)
  }
  findings.value('dateSkew', skewChoices({ from, to }), numbers)
  return to

  /** How far `Date` may be ahead where `Retry-After` is padded by so much. */
  function spanWith(pad: number): Span {
    if (usual === undefined) return known
    const least = fitting.some(({ offset }) => offset > usual) ? usual : usual - 1
    return { from: least - pad, to: usual + 1 - pad }
  }
}

function numbersOf(list: readonly { readonly number: number }[]): number[] {
  return list.map(({ number }) => number)
}

/** The offset that most replies have, or are a second above. */
function usualOf(offsets: readonly number[]): number | undefined {
  const counts = new Map<number, number>()
  for (const offset of offsets) counts.set(offset, (counts.get(offset) ?? 0) + 1)
  const weight = (offset: number): number =>
    (counts.get(offset) ?? 0) + (counts.get(offset + 1) ?? 0)
  return [...counts.keys()].toSorted((one, other) => weight(other) - weight(one) || one - other)[0]
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

/** Replies that speak of one window, and the one that comes after them. */
interface Stretch {
  readonly window: Report
  readonly reports: Report[]
  next: Report | undefined
}

function stretchesOf(group: readonly Report[]): Stretch[] {
  const stretches: Stretch[] = []
  let current: Stretch | undefined
  for (const one of group) {
    if (current !== undefined && isSameWindow(current.window, one)) {
      current.reports.push(one)
      continue
    }
    if (current !== undefined) current.next = one
    current = isRefusal(one) ? undefined : { window: one, reports: [one], next: undefined }
    if (current !== undefined) stretches.push(current)
  }
  return stretches
}

function codeIn({ body }: Report): string | undefined {
  const found = jsonIn(body)
  return isRecord(found) ? plain(found.code) : undefined
}

/** Whether a reply is told from other refusals, by its status or its code. */
function isCalledBan(one: Report): boolean {
  return one.status === 403 || (one.status === 429 && /ban|^E4292$/i.test(codeIn(one) ?? ''))
}

/** Whether a reply surely speaks of a ban. */
function isBan(one: Report, refused: Report): boolean {
  if (isCalledBan(one)) return true
  if (one.status !== 429 || one.limit !== refused.limit) return false
  return one.reset > refused.reset && (one.date ?? refused.reset) < refused.reset
}

/** Whether nobody else can have had a part in what led to a ban. */
function isSole(reports: readonly Report[], ban: Report): boolean {
  const used = reports.slice(1).flatMap((one, index) => {
    const { remaining } = reports[index] ?? one
    return isRefusal(one) || remaining === 0 ? [] : [remaining - one.remaining]
  })
  const isSteady = used.length >= 10 && used.every((count) => count === 1)
  return isSteady && [...reports, ban].every(({ isAlone }) => isAlone)
}

/** Finds out how many refusals lead to a ban, and how long that lasts. */
function judgeBans(groups: readonly Group[], findings: Findings): void {
  let longest: readonly Report[] = []
  let isBanSeen = false
  const exact = new Map<number, readonly Report[]>()
  const timed: { readonly number: number; readonly span: Span }[] = []
  for (const { isStranger, isLossy, reports: all } of groups) {
    for (const { window, reports, next: ban } of isStranger ? [] : stretchesOf(all)) {
      const refusals = reports.filter(
        (one) => one.status === 429 && codeIn(one) !== undefined && !isCalledBan(one),
      )
      if (refusals.length > longest.length) longest = refusals
      const last = reports.at(-1)
      if (ban === undefined || last === undefined || !isRefusal(ban)) continue
      if (!isBan(ban, refusals.at(-1) ?? window)) continue
      findings.only('banStatus', [ban.status === 403 ? 403 : 429], ban.number)
      // Where bans are told from other refusals by nothing, those can't be counted.
      isBanSeen ||= isCalledBan(ban)
      const isEarly = last.remaining === 0 && (ban.date ?? window.reset) < window.reset
      if (!isLossy && isEarly && isSole(reports, ban))
        exact.set(refusals.length, [...refusals, ban])
      const span = bannedFor(ban, last, window, findings)
      if (span !== undefined) timed.push({ number: ban.number, span })
    }
  }
  const [only, another] = exact
  const isSure = only !== undefined && another === undefined && only[0] >= longest.length
  const count = isSure ? String(only[0]) : `${longest.length}..1000000000`
  if (isBanSeen) findings.value('banAfter', [count], numbersOf(isSure ? only[1] : longest))
  const all = overlap([{ from: 0, to: Number.POSITIVE_INFINITY }, ...timed.map(({ span }) => span)])
  if (timed.length === 0 || all.from >= all.to) return
  const length = all.to - all.from <= 1 ? secondsText(all.to) : rangeText(all)
  findings.value('banDuration', [length], numbersOf(timed))
}

/** Bounds of how long a ban lasts, by the first reply that speaks of it and the one before. */
function bannedFor(
  ban: Report,
  before: Report,
  window: Report,
  findings: Findings,
): Span | undefined {
  if (ban.limit !== window.limit || ban.reset <= window.reset) return undefined
  const [precision, other] = findings.choicesAt('retryAfterPrecision')
  const pad = precisions.find((one) => one === precision && other === undefined)
  const now = ban.reset + (pad === undefined ? Number.NaN : padding[pad]) - ban.after
  const earlier = now - ((ban.date ?? Number.NaN) - (before.date ?? Number.NaN)) - 1
  const span = { from: ban.reset - now - 2, to: ban.reset - earlier }
  return Number.isNaN(span.to) ? undefined : span
}
