import { rejectionLimits } from '../../mock/api/gaps/limits.ts'
import type { GapValues } from '../../mock/api/gaps.ts'
import { grouped } from '../../mock/input/record.ts'
import { type History, neighboursIn, plain, recordOf, type Seen, wholeIn } from './read-archives.ts'

/** A response and its quota headers, in Unix seconds. */
export interface Report extends Seen {
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  readonly resetUnit: GapValues['resetUnit']
  /** Place among all requests of its client, also those that aren't checked. */
  readonly place: number
  /** Whether no other request of this client overlapped with it, so that its place is certain. */
  readonly isAlone: boolean
  /** Window that the limit belongs to; `undefined` if both are possible. */
  readonly window: 'minute' | 'day' | undefined
}

/** Responses to one client, in their order. */
export interface Group {
  /** Whether all of them were rejected because the key was missing or invalid. */
  readonly isUnauthenticated: boolean
  /** Whether requests may be missing, since they got no response. */
  readonly isLossy: boolean
  readonly reports: readonly Report[]
}

/** Bounds, both exclusive, in seconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Maximum seconds by which `Date` may be behind. */
export const maxBehind = 300

/** Maximum seconds by which the clocks of two nodes may differ. */
export const nodesApart = 3

/** Seconds in which no request leaves a minute window, with a reserve for rounding. */
const minuteAtLeast = 57

/** Groups the quota reports of a history by client. */
export function groupsOf({ sequences, lost }: History): Group[] {
  return sequences.flatMap((sequence) => {
    // Requests without a key share one quota.
    return [...grouped(sequence, ({ client }) => client)].flatMap(([client, list]): Group[] => {
      if (client === undefined) return []
      const isLossy = lost.some((one) => one.client === undefined || one.client === client)
      const reports = reportsOf(list)
      const rejected = reports.filter(({ status }) => status === 401)
      const served = reports.filter(({ status }) => status < 300)
      const isHolder = client !== '' && rejected.length === 0
      if (isHolder) return [{ isUnauthenticated: false, isLossy, reports }]
      const unauthenticated = { isUnauthenticated: true, isLossy, reports: rejected }
      // The quota in other responses is unknown if the key was valid only for a time.
      return client === ''
        ? [unauthenticated]
        : [unauthenticated, { isUnauthenticated: false, isLossy, reports: served }]
    })
  })
}

function reportsOf(list: readonly Seen[]): Report[] {
  let latestEnd = Number.NEGATIVE_INFINITY
  const reports = list.flatMap((seen, place) => {
    const next = list[place + 1]
    const isAlone = latestEnd <= seen.startAt && (next === undefined || seen.endAt <= next.startAt)
    latestEnd = Math.max(latestEnd, seen.endAt)
    const figure = (name: string): number => wholeIn(seen.headers[`x-ratelimit-${name}`])
    const [limit, remaining, sent] = [figure('limit'), figure('remaining'), figure('reset')]
    if (!seen.isChecked || Number.isNaN(limit + remaining + sent)) return []
    const resetUnit = unitOf(sent, seen)
    const reset = resetUnit === 'seconds' ? sent : Math.ceil(sent / 1000)
    return [{ ...seen, limit, remaining, reset, resetUnit, place, isAlone }]
  })
  const windows = new Map(
    [...grouped(reports, ({ limit }) => limit)].map(([limit, of]) => [limit, windowIn(of)]),
  )
  return reports.map((one) => ({ ...one, window: windows.get(one.limit) }))
}

/** Returns the unit of a Unix timestamp near the present: one in milliseconds is a thousand times as large. */
function unitOf(timestamp: number, { date = 0 }: Seen): GapValues['resetUnit'] {
  return timestamp > Math.max(date, minDate) * 30 ? 'milliseconds' : 'seconds'
}

/** The first `Date` by which a Unix timestamp shows its unit, in seconds. */
export const minDate = 1e9

/** Finds the window of a limit by how long before its end responses were sent. */
function windowIn(
  reports: readonly Pick<Report, 'reset' | 'date' | 'status' | 'remaining'>[],
): Report['window'] {
  // If none remain, the reset of an error response may be the end of a ban.
  const reporting = reports.filter(
    ({ status, date, remaining }) => date !== undefined && (status < 300 || remaining > 0),
  )
  if (reporting.length === 0) return undefined
  const left = reporting.map(({ reset, date = reset }) => reset - date)
  const beyondMinute = left.filter((seconds) => seconds > 62 + maxBehind)
  // One wrong header doesn't turn a minute into a day.
  if (beyondMinute.length >= Math.min(2, left.length)) return 'day'
  // The last minute of a day looks like any other minute.
  const isMidnight = reporting.some(({ reset }) => (reset + 2) % 86_400 <= 4)
  return left.every((seconds) => seconds <= 70) && !isMidnight ? 'minute' : undefined
}

/** Whether a status is one of rejections for a limit or a ban. */
export function isLimited(status: number): boolean {
  return status === 429 || status in banStatuses
}

export const banStatuses: Readonly<Record<number, GapValues['banStatus']>> = {
  403: 403,
  418: 418,
}

export function isRejection({ status }: Report): boolean {
  return isLimited(status)
}

/** Whether its status or its code tells a ban from other rejections. */
export function isNamedBan(one: Report): boolean {
  const code = plain(recordOf(one.found).code)
  return one.status in banStatuses || (one.status === 429 && /ban|^E4292$/i.test(code))
}

/** Whether a service may reject requests for its limit, as far as the remaining ones tell. */
export function mayBeFull({ limit, remaining }: Pick<Report, 'limit' | 'remaining'>): boolean {
  const { minute } = rejectionLimits({ minute: limit, day: limit }, { rejectsAt: 'earlier' })
  return remaining <= limit - minute
}

/** Whether the headers describe a window; those of a request beyond a limit may describe a ban. */
export function isOfWindow(one: Report): boolean {
  return !isRejection(one) && (one.status < 300 || one.status === 401 || !mayBeFull(one))
}

export function isSameWindow(one: Report, other: Report): boolean {
  return one.limit === other.limit && one.reset === other.reset
}

/** Returns the minimum and maximum seconds between two responses. */
export function elapsed(
  one: Report,
  other: Report,
): { readonly least: number; readonly most: number } {
  const [start, end] = [(other.startAt - one.endAt) / 1000, (other.endAt - one.startAt) / 1000]
  if (one.date === undefined || other.date === undefined) return { least: start, most: end }
  const byDate = other.date - one.date
  return { least: Math.max(start, byDate - 1 - nodesApart), most: Math.max(end, byDate + 1) }
}

/** Returns pairs of responses that certainly follow one another. */
export function pairsOf(reports: readonly Report[]): [Report, Report][] {
  return neighboursIn(reports).filter(
    ([prev, cur]) => prev.isAlone && cur.isAlone && (prev.date ?? 0) <= (cur.date ?? 0),
  )
}

/** Returns the seconds after which a token bucket can't report the same reset again. */
function tokenLasts({ limit }: Report): number {
  return 60 / limit + 3
}

/**
 * Returns the number of requests that a window may have dropped between its first response and a later one with the
 * same reset: none in windows that end as a whole, more in a token bucket.
 */
export function forgottenIn(first: Report, later: Report): number {
  const { least, most } = elapsed(first, later)
  const isFresh = first.remaining >= first.limit - 1
  if (!isFresh || most >= minuteAtLeast) return Number.POSITIVE_INFINITY
  return least > tokenLasts(first) ? 0 : 1 + (most * first.limit) / 60
}

/** Whether a later, counted request shows that the reset is the end of a window that began with the first response. */
export function provesFixedReset(first: Report, later: Report): boolean {
  const isUsed = later.status < 300 && later.remaining < first.remaining
  return isUsed && isSameWindow(first, later) && forgottenIn(first, later) === 0
}

/** Returns the responses of a group by window, each in its order. */
export function windowsIn(reports: readonly Report[]): (readonly Report[])[] {
  return [...grouped(reports, ({ limit, reset }) => `${limit} ${reset}`).values()]
}

/** Whether any request counts; until then, a limit may reset at any time. */
export function isCounted({ remaining, limit }: Report): boolean {
  return remaining < limit
}

/** Whether the reset of a limit moves, as it does if requests leave the window one by one. */
export function isMoved(one: Report, next: Report): boolean {
  const [apart, length] = [next.reset - one.reset, one.window === 'day' ? 86_400 : 60]
  return one.limit === next.limit && [one, next].every(isCounted) && apart > 2 && apart < length - 2
}
