import { isRecord } from '../input/record.ts'
import type { Bounds, Evidence } from './evidence.ts'
import type { Verdicts } from './judge-replies.ts'
import { type History, jsonIn, plain, type Seen } from './read-archives.ts'

/** What the headers of a reply say of a quota, in Unix seconds. */
interface Report {
  readonly seen: Seen
  readonly number: number
  readonly status: number
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  readonly date: number | undefined
  /** Whether nothing else of this caller was under way, so that its place among the others is sure. */
  readonly isAlone: boolean
}

/** What replies tell of the gaps at which any value will do: seconds, or counts. */
export interface Values {
  skew: Bounds | undefined
  skewExchanges: number[]
  /** Whether `Retry-After` tells it to the second. */
  isSkewTold: boolean
  /** How many refusals were only refusals: at least, and exactly where that is sure. */
  refusals: { least: number; exact: readonly number[]; isBanSeen: boolean; exchanges: number[] }
  ban: Bounds | undefined
  banExchanges: number[]
}

/** Compares the replies to each caller with one another, in as far as their order is sure. */
export function judgeQuotas(history: History, evidence: Evidence, verdicts: Verdicts): Values {
  const groups = groupsOf(history.exchanges)
  const values: Values = {
    skew: undefined,
    skewExchanges: [],
    isSkewTold: false,
    refusals: { least: 0, exact: [], isBanSeen: false, exchanges: [] },
    ban: undefined,
    banExchanges: [],
  }
  for (const group of groups.values()) {
    judgeWindows(group, evidence)
    judgeRemaining(group, verdicts)
    judgePairs(group, evidence, verdicts)
  }
  judgeStrangers(groups, evidence)
  judgeRetryAfter([...groups.values()].flat(), evidence, verdicts, values)
  for (const [caller, group] of groups) {
    const isLossy = history.lost.some((one) => one.caller === undefined || one.caller === caller)
    if (!caller.startsWith('-')) judgeBans(group, evidence, values, isLossy)
  }
  return values
}

/** Puts replies to the same caller together; those without a valid key under a name that begins with a hyphen. */
function groupsOf(exchanges: readonly Seen[]): Map<string, Report[]> {
  const byCaller = new Map<string, Seen[]>()
  for (const seen of exchanges) {
    const { authorization } = seen.requestHeaders
    const isNone = seen.isAuthorizationKnown && authorization === undefined
    const name = seen.caller ?? (isNone ? '-' : undefined)
    if (name === undefined) continue
    const list = byCaller.get(name) ?? []
    list.push(seen)
    byCaller.set(name, list)
  }
  const groups = new Map<string, Report[]>()
  for (const [caller, list] of byCaller) {
    const reports = reportsOf(list)
    const refused = reports.filter(({ status }) => status === 401)
    const isServed = list.some(({ status }) => status < 300)
    if (caller === '-') groups.set('-', refused)
    else if (refused.length === 0) groups.set(caller, reports)
    else {
      // Of a key that was valid for a time only, it is not known which usage other replies speak of.
      groups.set(`-${caller}`, refused)
      if (isServed)
        groups.set(
          caller,
          reports.filter(({ status }) => status < 300),
        )
    }
  }
  return groups
}

function reportsOf(list: readonly Seen[]): Report[] {
  let latestEnd = Number.NEGATIVE_INFINITY
  return list.flatMap((seen, index) => {
    const next = list[index + 1]
    const isAlone = latestEnd <= seen.startAt && (next === undefined || seen.endAt <= next.startAt)
    latestEnd = Math.max(latestEnd, seen.endAt)
    const [limit = Number.NaN, remaining = Number.NaN, reset = Number.NaN] = [
      'limit',
      'remaining',
      'reset',
    ].map((name) => numberIn(seen.headers[`x-ratelimit-${name}`]))
    if (!seen.isJudged || Number.isNaN(limit + remaining + reset)) return []
    const { number, status, date } = seen
    return [{ seen, number, status, limit, remaining, reset, date, isAlone }]
  })
}

function numberIn(text: string | undefined): number {
  return /^\s*\d{1,15}\s*$/.test(text ?? '') ? Number(text) : Number.NaN
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
    if (one.reset % minute !== 0) {
      evidence.only('quotaWindow', ['first-request', 'sliding'], one.number)
    }
    if (isOfDay(one)) evidence.only('reportedWindow', ['tightest', 'day'], one.number)
    if (isOfDay(one) && one.reset % day !== 0) {
      evidence.only('quotaWindow', ['first-request', 'sliding'], one.number)
    }
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
  judgeDay(all, evidence)
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

/** The tightest window is never the day's while the minute's has less. */
function judgeDay(all: readonly Report[], evidence: Evidence): void {
  const full = all.filter(({ status }) => status === 429)
  for (const refused of full) {
    const before = all.findLast((one) => one.number < refused.number && isOfWindow(one))
    const after = all.find((one) => one.number > refused.number && isOfWindow(one))
    if (before === undefined || after === undefined) continue
    if (!isOfDay(before) || !isOfDay(after) || before.limit !== after.limit) continue
    if (refused.limit === before.limit || before.remaining <= refused.limit) continue
    evidence.only('reportedWindow', ['day'], before.number, refused.number)
  }
}

/** What remains never goes up within a window. */
function judgeRemaining(group: readonly Report[], verdicts: Verdicts): void {
  const windows = new Map<string, Report[]>()
  for (const one of group) {
    if (!isOfWindow(one) || !one.isAlone) continue
    const name = `${one.limit} ${one.reset}`
    const list = windows.get(name) ?? []
    list.push(one)
    windows.set(name, list)
  }
  for (const reports of windows.values()) {
    const kept = longestFalling(reports)
    for (const one of reports) {
      const problem = kept.has(one) ? undefined : 'X-RateLimit-Remaining goes up within a window'
      if (problem !== undefined) verdicts.check('8', one.number, problem)
    }
  }
}

/** The longest part of a list that never goes up; of two, the one that has the earlier ones. */
function longestFalling(reports: readonly Report[]): ReadonlySet<Report> {
  const isFalling = reports.every(
    (one, index) => one.remaining <= (reports[index - 1]?.remaining ?? one.remaining),
  )
  if (isFalling) return new Set(reports)
  const lengths: number[] = []
  const before: number[] = []
  reports.forEach(({ remaining }, index) => {
    lengths[index] = 1
    before[index] = -1
    for (let at = Math.max(0, index - 2_000); at < index; at++) {
      const fits = (reports[at]?.remaining ?? 0) >= remaining
      if (fits && (lengths[at] ?? 0) + 1 > (lengths[index] ?? 0)) {
        lengths[index] = (lengths[at] ?? 0) + 1
        before[index] = at
      }
    }
  })
  const kept = new Set<Report>()
  let at = lengths.indexOf(lengths.reduce((most, one) => Math.max(most, one), 0))
  for (; at >= 0; at = before[at] ?? -1) {
    const found = reports[at]
    if (found !== undefined) kept.add(found)
  }
  return kept
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

function judgeStrangers(groups: ReadonlyMap<string, readonly Report[]>, evidence: Evidence): void {
  for (const [caller, group] of groups) {
    if (!caller.startsWith('-')) continue
    for (const one of group) {
      if (one.status !== 401) continue
      if (one.remaining < one.limit) evidence.only('unauthorizedQuota', ['counted'], one.number)
      if (one.limit === free.minute)
        evidence.only('reportedWindow', ['tightest', 'minute'], one.number)
      if (one.limit === free.day && one.remaining > free.minute) {
        evidence.only('reportedWindow', ['day'], one.number)
      }
    }
    for (const [prev, cur] of pairsOf(group)) {
      if (!isSameWindow(prev, cur) || prev.status !== 401 || cur.status !== 401) continue
      if (cur.remaining === cur.limit) {
        const refunded = { unauthorizedQuota: 'counted', countedRequests: 'successful' }
        evidence.add([{ unauthorizedQuota: 'not-counted' }, refunded], prev.number, cur.number)
      }
      if (prev.remaining === 0 && cur.remaining === 0) {
        evidence.only('unauthorizedLimit', ['never'], prev.number, cur.number)
      }
    }
  }
}

/** How much later a padded `Retry-After` is, in seconds. */
const padding = 5

function judgeRetryAfter(
  reports: readonly Report[],
  evidence: Evidence,
  verdicts: Verdicts,
  values: Values,
): void {
  const offsets: { number: number; offset: number }[] = []
  for (const one of reports) {
    const { seen, number, reset, date } = one
    const text = isRefusal(one) ? seen.headers['retry-after'] : undefined
    if (text === undefined || date === undefined) continue
    const isSeconds = /^\s*\d{1,12}\s*$/.test(text)
    const at = Date.parse(text)
    if (!isSeconds && !Number.isFinite(at)) {
      verdicts.unexplained(number, 'no choice at retryAfterFormat writes Retry-After so')
      continue
    }
    evidence.only('retryAfterFormat', [isSeconds ? 'seconds' : 'http-date'], number)
    if (isSeconds) offsets.push({ number, offset: Number(text) + date - reset })
    else if (at / 1000 === reset) evidence.only('retryAfterPrecision', ['exact'], number)
    else if (at / 1000 === reset + padding) evidence.only('retryAfterPrecision', ['padded'], number)
    else
      verdicts.unexplained(number, 'no choice at retryAfterPrecision agrees with X-RateLimit-Reset')
  }
  judgeSkew(reports, offsets, evidence, verdicts, values)
}

interface Span extends Bounds {
  readonly number: number
}

/** How far ahead `Date` may be in a reply: its window ends later, by no more than a day. */
function spanOf({ reset, date, status, number, limit }: Report): Span[] {
  if (date === undefined) return []
  const isMinute = status === 401 && limit === free.minute
  const most = isMinute ? minute + 1 : day + minute
  return [{ number, from: date - reset, to: date + 1 - reset + most }]
}

/** A value in as many spans as possible. */
function commonIn(spans: readonly Span[]): number {
  const ends = spans.flatMap(({ from, to }) => [
    { at: Math.max(from, 0), by: 1 },
    { at: Math.max(to, 0), by: -1 },
  ])
  let [open, most, found] = [0, 0, 0]
  for (const { at, by } of ends.toSorted((one, other) => one.at - other.at || other.by - one.by)) {
    open += by
    if (open > most) [most, found] = [open, at]
  }
  return found
}

/** Finds out how far `Date` is ahead: of the end of the window, and of what `Retry-After` counts from. */
function judgeSkew(
  reports: readonly Report[],
  offsets: readonly { number: number; offset: number }[],
  evidence: Evidence,
  verdicts: Verdicts,
  values: Values,
): void {
  const counts = new Map<number, number>()
  for (const { offset } of offsets) counts.set(offset, (counts.get(offset) ?? 0) + 1)
  const weight = (offset: number): number =>
    (counts.get(offset) ?? 0) + (counts.get(offset + 1) ?? 0)
  const usual = [...counts.keys()].toSorted(
    (one, other) => weight(other) - weight(one) || one - other,
  )[0]
  const fitting = offsets.filter(
    ({ offset }) => usual !== undefined && offset >= usual && offset <= usual + 1,
  )
  for (const { number, offset } of offsets) {
    if (usual !== undefined && (offset < usual || offset > usual + 1)) {
      verdicts.check('8.2', number, "Retry-After doesn't agree with X-RateLimit-Reset and Date")
    }
  }
  const isExact = usual !== undefined && usual + 1 < padding
  if (isExact)
    evidence.only('retryAfterPrecision', ['exact'], ...fitting.map(({ number }) => number))
  const spans = reports.filter(isOfWindow).flatMap((one) => spanOf(one))
  // What Retry-After tells is exact; otherwise the instant counts that most replies agree on.
  const point = usual ?? commonIn(spans)
  const slack = usual === undefined ? 0 : padding + 1
  let [from, to] = [0, Number.POSITIVE_INFINITY]
  for (const span of spans) {
    if (span.from > point + 1 || span.to < point - slack) {
      verdicts.check('8', span.number, "X-RateLimit-Reset doesn't agree with Date")
      continue
    }
    from = Math.max(from, span.from)
    to = Math.min(to, span.to)
    values.skewExchanges.push(span.number)
  }
  if (usual !== undefined) {
    const most = fitting.reduce((found, { offset }) => Math.max(found, offset), usual)
    const least = most > usual ? usual : usual - 1
    const precision = evidence.choicesAt('retryAfterPrecision')
    const bounds = [0, padding]
      .filter((pad) => precision.length === 0 || precision.includes(pad === 0 ? 'exact' : 'padded'))
      .map((pad) => ({ pad, from: Math.max(from, least - pad), to: Math.min(to, usual + 1 - pad) }))
      .filter((one) => one.from <= one.to && one.to > 0)
    if (bounds.length === 1 && bounds[0] !== undefined) {
      const [{ pad }] = [bounds[0]]
      const numbers = fitting.map(({ number }) => number)
      evidence.only('retryAfterPrecision', [pad === 0 ? 'exact' : 'padded'], ...numbers)
    }
    from = Math.min(...bounds.map((one) => one.from), to)
    to = Math.max(...bounds.map((one) => one.to), from)
    values.isSkewTold = bounds.length === 1
    values.skewExchanges = fitting.map(({ number }) => number)
  }
  if (Number.isFinite(to) && from <= to) values.skew = { from: Math.max(0, from), to }
}

/** Whether a reply is told from other refusals, by its status or its code. */
function isCalledBan({ status, seen }: Report): boolean {
  const code = codeIn(seen) ?? ''
  return status === 403 || (status === 429 && (/ban/i.test(code) || code === 'E4292'))
}

function codeIn({ body }: Seen): string | undefined {
  const found = jsonIn(body)
  return isRecord(found) ? plain(found.code) : undefined
}

/** Whether a reply surely speaks of a ban. */
function isBan(one: Report, refused: Report | undefined): boolean {
  if (isCalledBan(one)) return true
  if (one.status !== 429) return false
  if (refused === undefined || one.limit !== refused.limit) return false
  return one.reset > refused.reset && (one.date ?? refused.reset) < refused.reset
}

function judgeBans(
  group: readonly Report[],
  evidence: Evidence,
  values: Values,
  isLossy: boolean,
): void {
  let window: Report | undefined
  let units = 0
  let isSole = true
  let refusals: Report[] = []
  group.forEach((one, index) => {
    const prev = group[index - 1]
    if (prev !== undefined && !(prev.isAlone && one.isAlone)) isSole = false
    if (window === undefined || !isSameWindow(window, one)) {
      const last = refusals.at(-1)
      if (isRefusal(one) && window !== undefined && isBan(one, last ?? window)) {
        noteBan(one, prev, window, refusals, units >= 10 && isSole && !isLossy, evidence, values)
      } else if (isRefusal(one) && one.status === 403) evidence.only('banStatus', [403], one.number)
      units = 0
      isSole = true
      refusals = []
      window = isRefusal(one) ? undefined : one
      return
    }
    if (one.status === 429 && codeIn(one.seen) !== undefined && !isCalledBan(one)) {
      refusals.push(one)
      const { refusals: found } = values
      if (refusals.length > found.least) {
        found.least = refusals.length
        found.exchanges = refusals.map(({ number }) => number)
      }
    } else if (!isRefusal(one) && prev !== undefined && prev.remaining > 0) {
      if (prev.remaining - one.remaining === 1) units++
      else isSole = false
    }
  })
}

/** Notes what the first reply tells that speaks of a ban. */
function noteBan(
  ban: Report,
  prev: Report | undefined,
  window: Report,
  refusals: readonly Report[],
  isSole: boolean,
  evidence: Evidence,
  values: Values,
): void {
  const { refusals: found } = values
  evidence.only('banStatus', [ban.status === 403 ? 403 : 429], ban.number)
  // Where bans are told from other refusals by nothing, those can't be counted.
  if (isCalledBan(ban)) found.isBanSeen = true
  if (isSole && prev?.remaining === 0 && (ban.date ?? window.reset) < window.reset) {
    found.exact = [...found.exact, refusals.length]
    found.exchanges = [...refusals.map(({ number }) => number), ban.number]
  }
  if (prev === undefined || ban.limit !== window.limit || ban.reset <= window.reset) return
  if (ban.date === undefined || prev.date === undefined) return
  const after = Number(ban.seen.headers['retry-after'])
  const precision = evidence.choicesAt('retryAfterPrecision')
  const pad = precision.length === 1 ? (precision[0] === 'padded' ? padding : 0) : undefined
  if (!Number.isFinite(after) || pad === undefined) return
  const now = ban.reset + pad - after
  const earlier = now - (ban.date - prev.date) - 1
  const from = Math.max(values.ban?.from ?? 0, ban.reset - now - 2)
  const to = Math.min(values.ban?.to ?? Number.POSITIVE_INFINITY, ban.reset - earlier)
  values.ban = { from, to }
  values.banExchanges.push(ban.number)
}
