import { formatDuration } from '../input/duration.ts'
import { grouped, isRecord } from '../input/record.ts'
import type { Evidence, Told } from './evidence.ts'
import type { Verdicts } from './judge-replies.ts'
import { type History, jsonIn, plain, type Seen, type SeenBody, wholeIn } from './read-archives.ts'

/** A reply with what its headers say of a quota, in Unix seconds. */
interface Report extends Seen {
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  /** Whether nothing else of this caller was under way, so that its place among the others is sure. */
  readonly isAlone: boolean
}

/** The replies to one caller, in their order. */
interface Group {
  /** Empty for requests without a key. */
  readonly caller: string
  /** Whether all of them were refused for the lack of a valid key. */
  readonly isStranger: boolean
  readonly reports: readonly Report[]
}

/** What replies tell of the gaps at which any value will do. */
export interface QuotaValues {
  readonly dateSkew: Told | undefined
  readonly banAfter: Told | undefined
  readonly banDuration: Told | undefined
  /** How far `Date` may be ahead at most, in seconds. */
  readonly mostSkew: number
}

/** Compares the replies to each caller with one another, in as far as their order is sure. */
export function judgeQuotas(
  { exchanges, lost }: History,
  evidence: Evidence,
  verdicts: Verdicts,
): QuotaValues {
  const groups = groupsOf(exchanges)
  for (const group of groups) {
    judgeWindows(group.reports, evidence)
    judgeRemaining(group.reports, verdicts)
    judgePairs(group.reports, evidence, verdicts)
    if (group.isStranger) judgeStrangers(group.reports, evidence)
  }
  const reports = groups.flatMap((group) => group.reports)
  judgeRetryAfter(reports, evidence, verdicts)
  const skew = judgeSkew(reports, evidence, verdicts)
  const stretches = groups.flatMap(({ caller, isStranger, reports: own }) => {
    const isLossy = lost.some((one) => one.caller === undefined || one.caller === caller)
    return isStranger ? [] : stretchesOf(own, isLossy)
  })
  return {
    dateSkew: skew.told,
    ...judgeBans(stretches, evidence),
    mostSkew: skew.most,
  }
}

function groupsOf(exchanges: readonly Seen[]): Group[] {
  const known = exchanges.flatMap((seen) => {
    const isNone = seen.isAuthorizationKnown && seen.requestHeaders.authorization === undefined
    const caller = seen.caller ?? (isNone ? '' : undefined)
    return caller === undefined ? [] : [{ caller, seen }]
  })
  return [...grouped(known, ({ caller }) => caller)].flatMap(([caller, list]): Group[] => {
    const reports = reportsOf(list.map(({ seen }) => seen))
    const refused = reports.filter(({ status }) => status === 401)
    const served = reports.filter(({ status }) => status < 300)
    if (caller !== '' && refused.length === 0) return [{ caller, isStranger: false, reports }]
    // Of a key that was valid for a time only, it is not known which usage other replies speak of.
    return [
      { caller, isStranger: true, reports: refused },
      { caller, isStranger: false, reports: caller === '' ? [] : served },
    ]
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
    return [{ ...seen, limit, remaining, reset, isAlone }]
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

function pairsOf(group: readonly Report[]): [Report, Report][] {
  return group.slice(1).flatMap((cur, index): [Report, Report][] => {
    const prev = group[index]
    if (prev === undefined || !prev.isAlone || !cur.isAlone) return []
    return (prev.date ?? 0) <= (cur.date ?? 0) ? [[prev, cur]] : []
  })
}

const minute = 60
const day = 86_400

/** Whether a reply speaks of the day: its window ends later than any minute. */
function isOfDay({ reset, date }: Report): boolean {
  return date !== undefined && reset - date > minute + 1
}

function judgeWindows(all: readonly Report[], evidence: Evidence): void {
  const group = all.filter(isOfWindow)
  for (const one of group) {
    if (one.reset % (isOfDay(one) ? day : minute) !== 0) {
      evidence.only('quotaWindow', ['first-request', 'sliding'], one.number)
    }
    if (isOfDay(one)) evidence.only('reportedWindow', ['tightest', 'day'], one.number)
  }
  for (const [before, after] of pairsOf(group)) {
    const apart = after.reset - before.reset
    const isMoved = before.limit === after.limit && apart > 0
    const length = isOfDay(before) && isOfDay(after) ? day : minute
    if (isMoved && apart < length) {
      evidence.only('quotaWindow', ['sliding'], before.number, after.number)
    }
    const isTighter = isOfDay(before) && after.reset < before.reset && after.limit !== before.limit
    if (isTighter) evidence.only('reportedWindow', ['tightest'], before.number, after.number)
  }
  judgeSliding(group, evidence)
  judgeStarts(all, evidence)
}

/** A sliding window still has what was counted within the last minute. */
function judgeSliding(group: readonly Report[], evidence: Evidence): void {
  const counted = group.filter(({ status, isAlone }) => status < 300 && isAlone)
  let first = 0
  counted.forEach((one, index) => {
    const { date = 0 } = one
    while ((counted[first]?.date ?? 0) < date - (minute - 3)) first++
    const count = index - first + 1
    const start = counted[first]
    if (one.date === undefined || start === undefined || start.limit !== one.limit) return
    if (one.limit - one.remaining < count) {
      evidence.only('quotaWindow', ['calendar', 'first-request'], start.number, one.number)
    }
  })
}

/** Windows that begin with their first request end as long after it; those of the calendar don't. */
function judgeStarts(all: readonly Report[], evidence: Evidence): void {
  const starts = all.filter((one, index) => {
    const { date, status, isAlone, limit, remaining, reset } = one
    const before = all[index - 1]
    const isFirst = before === undefined || (before.date ?? reset) < reset - minute - 1
    return status < 300 && isAlone && date !== undefined && remaining === limit - 1 && isFirst
  })
  const ends = new Set(starts.map(({ reset }) => reset))
  const isOnGrid = [...ends].every((reset) => reset % minute === 0)
  if (!isOnGrid || ends.size < 3 || starts.some(isOfDay)) return
  for (const [one, other] of starts
    .slice(1)
    .map((found, index) => [starts[index], found] as const)) {
    if (one?.date === undefined || other.date === undefined) continue
    if (Math.abs(other.reset - one.reset - (other.date - one.date)) <= 2) continue
    evidence.only('quotaWindow', ['calendar'], one.number, other.number)
  }
}

/** What remains never goes up within a window. */
function judgeRemaining(group: readonly Report[], verdicts: Verdicts): void {
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
      verdicts.check('8', (isLastOdd ? last : one).number, problem)
      if (!isLastOdd) return
      falling.pop()
    }
    falling.push(one)
  })
}

/** How many requests of each kind have to count alike before nobody else can have sent them. */
const leastAlike = 6

function judgePairs(group: readonly Report[], evidence: Evidence, verdicts: Verdicts): void {
  const refused: number[] = []
  const served: number[] = []
  let isShared = false
  // Who never was served may have no valid key, and quotas of another kind.
  const isKey = group.some(({ status }) => status < 300)
  for (const [prev, cur] of isKey ? pairsOf(group) : []) {
    if (!isSameWindow(prev, cur) || cur.status === 401) continue
    const used = prev.remaining - cur.remaining
    const isOwnRefusal = cur.status >= 400 && !isRefusal(cur)
    const isFull = prev.remaining === 0 && (prev.status < 300 || prev.status === 429)
    if (isFull && cur.remaining === 0) {
      if (isOwnRefusal) evidence.only('refusalOrder', ['request-first'], prev.number, cur.number)
      const isServed = cur.status < 300
      if (isServed) verdicts.check('8.1', cur.number, 'a request beyond the limit is served')
    }
    if (isRefusal(prev) || isRefusal(cur) || prev.remaining === 0) continue
    if (isOwnRefusal && used === 0)
      evidence.only('countedRequests', ['successful'], prev.number, cur.number)
    else if (used !== 1) isShared = true
    else if (isOwnRefusal) refused.push(cur.number)
    else served.push(cur.number)
  }
  for (const { status, number } of group)
    if (status === 429) verdicts.check('8.1', number, undefined)
  if (!isShared && refused.length >= leastAlike && served.length >= leastAlike) {
    evidence.only('countedRequests', ['all'], ...refused)
  }
}

/** The figures of Free, which requests without a valid key are told. */
const free = { minute: 60, day: 1_000 }

function judgeStrangers(group: readonly Report[], evidence: Evidence): void {
  for (const one of group) {
    if (one.remaining < one.limit) evidence.only('unauthorizedQuota', ['counted'], one.number)
    if (one.limit === free.minute)
      evidence.only('reportedWindow', ['tightest', 'minute'], one.number)
    if (one.limit === free.day && one.remaining > free.minute) {
      evidence.only('reportedWindow', ['day'], one.number)
    }
  }
  for (const [prev, cur] of pairsOf(group)) {
    if (!isSameWindow(prev, cur)) continue
    if (cur.remaining === cur.limit) {
      const refunded = { unauthorizedQuota: 'counted', countedRequests: 'successful' }
      evidence.add([{ unauthorizedQuota: 'not-counted' }, refunded], prev.number, cur.number)
    }
    if (prev.remaining === 0 && cur.remaining === 0) {
      evidence.only('unauthorizedLimit', ['never'], prev.number, cur.number)
    }
  }
}

/** How much later a padded `Retry-After` is, in seconds. */
const padding = 5

function judgeRetryAfter(reports: readonly Report[], evidence: Evidence, verdicts: Verdicts): void {
  for (const { number, reset, headers, date } of reports.filter(isRefusal)) {
    const text = headers['retry-after']
    if (text === undefined || date === undefined) continue
    const isSeconds = !Number.isNaN(wholeIn(text))
    const later = Date.parse(text) / 1000 - reset
    if (!isSeconds && Number.isNaN(later)) {
      verdicts.unexplained(number, 'no choice at retryAfterFormat writes Retry-After so')
      continue
    }
    evidence.only('retryAfterFormat', [isSeconds ? 'seconds' : 'http-date'], number)
    if (isSeconds) continue
    if (later === 0) evidence.only('retryAfterPrecision', ['exact'], number)
    else if (later === padding) evidence.only('retryAfterPrecision', ['padded'], number)
    else
      verdicts.unexplained(number, 'no choice at retryAfterPrecision agrees with X-RateLimit-Reset')
  }
}

/** How far `Date` may be ahead, in seconds, by one reply: its window ends later than now, by no more than a day. */
function spanOf({ reset, date, status, number, limit }: Report) {
  if (date === undefined) return []
  const most = status === 401 && limit === free.minute ? minute + 1 : day + minute
  return [{ number, from: date - reset, to: date + 1 - reset + most }]
}

/** Finds out how far `Date` is ahead: of the end of the window, and of what `Retry-After` counts from. */
function judgeSkew(
  reports: readonly Report[],
  evidence: Evidence,
  verdicts: Verdicts,
): { readonly told: Told | undefined; readonly most: number } {
  const offsets = reports.filter(isRefusal).flatMap(({ number, reset, date, headers }) => {
    const offset = wholeIn(headers['retry-after']) + (date ?? Number.NaN) - reset
    return Number.isNaN(offset) ? [] : [{ number, offset }]
  })
  const usual = usualOf(offsets.map(({ offset }) => offset))
  const isUsual = ({ offset }: { readonly offset: number }): boolean =>
    usual !== undefined && offset >= usual && offset <= usual + 1
  for (const one of offsets) {
    if (isUsual(one)) continue
    verdicts.check('8.2', one.number, "Retry-After doesn't agree with X-RateLimit-Reset and Date")
  }
  const spans = reports.filter(isOfWindow).flatMap(spanOf)
  // All have the true value in common: one that is apart from the middle one is wrong.
  const middle = spans.toSorted((one, other) => one.from - other.from)[spans.length >> 1]
  const base = usual === undefined ? middle : { from: usual - padding - 1, to: usual + 1 }
  const isNear = ({ from, to }: { readonly from: number; readonly to: number }): boolean =>
    base !== undefined && from <= base.to && to >= base.from
  const near = spans.filter(isNear)
  for (const one of spans) {
    if (!isNear(one)) verdicts.check('8', one.number, "X-RateLimit-Reset doesn't agree with Date")
  }
  const from = near.reduce((most, one) => Math.max(most, one.from), 0)
  const to = near.reduce((least, one) => Math.min(least, one.to), Number.POSITIVE_INFINITY)
  if (usual === undefined) {
    const choices = from <= 0 && to > 1 ? ['none', rangeText(from, to)] : skewChoices(from, to)
    const exchanges = near.map(({ number }) => number)
    return Number.isFinite(to) && from <= to
      ? { told: { choices, exchanges }, most: to }
      : { told: undefined, most: Number.POSITIVE_INFINITY }
  }
  const fitting = offsets.filter(isUsual)
  const exchanges = fitting.map(({ number }) => number)
  const least = fitting.some(({ offset }) => offset > usual) ? usual : usual - 1
  const known = evidence.choicesAt('retryAfterPrecision')
  const ways = (['exact', 'padded'] as const)
    .filter((precision) => known.length === 0 || known.includes(precision))
    .map((precision) => ({ precision, pad: precision === 'exact' ? 0 : padding }))
    .map(({ precision, pad }) => ({
      precision,
      from: Math.max(from, least - pad),
      to: Math.min(to, usual + 1 - pad),
    }))
    .filter((one) => one.from <= one.to && one.to > 0)
  const [way, other] = ways
  if (way === undefined) return { told: undefined, most: Number.POSITIVE_INFINITY }
  if (other === undefined) {
    evidence.only('retryAfterPrecision', [way.precision], ...exchanges)
    return { told: { choices: skewChoices(way.from, way.to), exchanges }, most: way.to }
  }
  const [first, last] = [Math.min(way.from, other.from), Math.max(way.to, other.to)]
  const none = first <= 0 ? ['none'] : []
  return { told: { choices: [...none, rangeText(first, last)], exchanges }, most: last }
}

/** The offset that most replies have, or are a second above. */
function usualOf(offsets: readonly number[]): number | undefined {
  const counts = new Map<number, number>()
  for (const offset of offsets) counts.set(offset, (counts.get(offset) ?? 0) + 1)
  const weight = (offset: number): number =>
    (counts.get(offset) ?? 0) + (counts.get(offset + 1) ?? 0)
  return [...counts.keys()].toSorted((one, other) => weight(other) - weight(one) || one - other)[0]
}

/** @param from Seconds, exclusive as is `to`. */
function skewChoices(from: number, to: number): string[] {
  if (to <= 1) return ['none']
  return [to - from === 2 ? secondsText(from + 1) : rangeText(from, to)]
}

function rangeText(from: number, to: number): string {
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
  /** Whether requests may be missing. */
  readonly isLossy: boolean
}

function stretchesOf(group: readonly Report[], isLossy: boolean): Stretch[] {
  const stretches: Stretch[] = []
  let current: Stretch | undefined
  for (const one of group) {
    if (current !== undefined && isSameWindow(current.window, one)) current.reports.push(one)
    else {
      if (current !== undefined) current.next = one
      current = isRefusal(one)
        ? undefined
        : { window: one, reports: [one], next: undefined, isLossy }
      if (current !== undefined) stretches.push(current)
    }
  }
  return stretches
}

/** Whether a reply is told from other refusals, by its status or its code. */
function isCalledBan({ status, body }: Report): boolean {
  const code = codeIn(body) ?? ''
  return status === 403 || (status === 429 && (/ban/i.test(code) || code === 'E4292'))
}

function codeIn(body: SeenBody): string | undefined {
  const found = jsonIn(body)
  return isRecord(found) ? plain(found.code) : undefined
}

/** Whether a reply surely speaks of a ban. */
function isBan(one: Report, refused: Report): boolean {
  if (isCalledBan(one)) return true
  if (one.status !== 429 || one.limit !== refused.limit) return false
  return one.reset > refused.reset && (one.date ?? refused.reset) < refused.reset
}

/** Whether nobody else can have had a part in what led to a ban. */
function isSole({ reports, next, isLossy }: Stretch): boolean {
  const all = next === undefined ? reports : [...reports, next]
  const used = reports.slice(1).flatMap((one, index) => {
    const { remaining } = reports[index] ?? one
    return isRefusal(one) || remaining === 0 ? [] : [remaining - one.remaining]
  })
  const isSteady = used.length >= 10 && used.every((count) => count === 1)
  return !isLossy && isSteady && all.every(({ isAlone }) => isAlone)
}

/** Finds out how many refusals lead to a ban, and how long that lasts. */
function judgeBans(
  stretches: readonly Stretch[],
  evidence: Evidence,
): Pick<QuotaValues, 'banAfter' | 'banDuration'> {
  let longest: readonly Report[] = []
  let isBanSeen = false
  const exact = new Map<number, readonly Report[]>()
  let [from, to] = [0, Number.POSITIVE_INFINITY]
  const timed: number[] = []
  for (const stretch of stretches) {
    const { window, reports, next: ban } = stretch
    const refusals = reports.filter(
      (one) => one.status === 429 && codeIn(one.body) !== undefined && !isCalledBan(one),
    )
    if (refusals.length > longest.length) longest = refusals
    const last = reports.at(-1)
    if (ban === undefined || last === undefined || !isRefusal(ban)) continue
    if (!isBan(ban, refusals.at(-1) ?? window)) continue
    evidence.only('banStatus', [ban.status === 403 ? 403 : 429], ban.number)
    // Where bans are told from other refusals by nothing, those can't be counted.
    isBanSeen ||= isCalledBan(ban)
    if (isSole(stretch) && last.remaining === 0 && (ban.date ?? window.reset) < window.reset) {
      exact.set(refusals.length, [...refusals, ban])
    }
    const later = bannedFor(ban, last, window, evidence)
    if (later === undefined) continue
    from = Math.max(from, later.from)
    to = Math.min(to, later.to)
    timed.push(ban.number)
  }
  const [only, another] = exact
  const isSure = only !== undefined && another === undefined && only[0] >= longest.length
  const told = isSure ? only[1] : longest
  const count = isSure ? String(only[0]) : `${longest.length}..1000000000`
  const length = to - from <= 1 ? secondsText(to) : rangeText(from, to)
  return {
    banAfter: isBanSeen
      ? { choices: [count], exchanges: told.map(({ number }) => number) }
      : undefined,
    banDuration:
      from < to && timed.length > 0 ? { choices: [length], exchanges: timed } : undefined,
  }
}

/** Bounds of how long a ban lasts, in seconds, by the first reply that speaks of it and the one before. */
function bannedFor(ban: Report, before: Report, window: Report, evidence: Evidence) {
  if (ban.limit !== window.limit || ban.reset <= window.reset) return undefined
  if (ban.date === undefined || before.date === undefined) return undefined
  const [precision, other] = evidence.choicesAt('retryAfterPrecision')
  const after = wholeIn(ban.headers['retry-after'])
  if (Number.isNaN(after) || precision === undefined || other !== undefined) return undefined
  const now = ban.reset + (precision === 'padded' ? padding : 0) - after
  const earlier = now - (ban.date - before.date) - 1
  return { from: ban.reset - now - 2, to: ban.reset - earlier }
}
