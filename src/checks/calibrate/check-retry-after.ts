import type { GapValues } from '../../mock/api/gaps.ts'
import { grouped } from '../../mock/input/record.ts'
import { formatDuration } from '../../mock/input/values.ts'
import type { Findings } from './findings.ts'
import {
  type Group,
  isMoved,
  isOfWindow,
  isRejection,
  maxBehind,
  nodesApart,
  provesFixedReset,
  type Report,
  type Span,
  windowsIn,
} from './quota-reports.ts'
import { neighboursIn } from './read-archives.ts'

/** Maximum rounding of two instants and the time between them, in seconds: less than one for each. */
const roundings = 3

/**
 * Compares `Retry-After`, `X-RateLimit-Reset` and `Date` with one another.
 *
 * @returns Bounds of the skew of `Date`, in seconds; positive if `Date` is ahead.
 */
export function checkRetryAfter(groups: readonly Group[], findings: Findings): Span {
  const all = groups.flatMap((group) => group.reports)
  const reports = inSeconds(all, checkForms(all, findings))
  const rejections = reports.filter(isRejection)
  const isFixed = fixedIn(groups)
  const skew = checkSkew(reports, isFixed, findings)
  checkPadding(rejections.filter(isFixed), findings)
  return skew
}

/** Finds the limits whose windows end as a whole: with others, requests may succeed before the limit has reset. */
function fixedIn(groups: readonly Group[]): (one: Report) => boolean {
  const lists = groups.flatMap(({ reports }) => [
    ...grouped(reports, ({ limit }) => limit).values(),
  ])
  const moved = new Set(
    lists.flatMap((list) =>
      neighboursIn(list).flatMap(([one, next]) => (isMoved(one, next) ? one.limit : [])),
    ),
  )
  const proofs = lists.flatMap((list) => windowsIn(list).filter(endsAsAWhole)).flat()
  const proved = new Set(proofs.map(({ limit }) => limit))
  // The minute windows of other plans end in the same way, but day windows may not.
  const isMinute = moved.size === 0 && proofs.some(({ window }) => window === 'minute')
  return ({ limit, window }) =>
    !moved.has(limit) && (proved.has(limit) || (isMinute && window !== 'day'))
}

function endsAsAWhole(window: readonly Report[]): boolean {
  const [first] = window
  return first !== undefined && window.some((one) => provesFixedReset(first, one))
}

type Format = GapValues['retryAfterFormat']

/** Seconds by which a wait may be longer than the time until the reset: by padding and roundings. */
const longer = 15

/** Seconds by which no service lets a client wait longer than until the reset. */
const tooLong = 3600

/** The first Unix timestamp that is no number of seconds to wait. */
const minTimestamp = 1e9

/** Finds out in which form a service writes `Retry-After`; `undefined` if it is unclear. */
function checkForms(reports: readonly Report[], findings: Findings): Format | undefined {
  const rejections = reports.filter(
    (one) => isRejection(one) && one.headers['retry-after'] !== undefined,
  )
  const maxSkew = maxSkewIn(reports)
  const waits = rejections.map((one) => ({ one, formats: formatsOf(one, maxSkew) }))
  const sure = new Set(waits.flatMap(({ formats }) => (formats.length === 1 ? formats : [])))
  const isFractional = sure.has('fraction')
  for (const { one, formats } of waits) {
    if (formats.length === 0) {
      findings.unexplain(one, 'no value of retryAfterFormat writes Retry-After so')
      // Whole seconds may be written without a fraction.
    } else if (!isFractional || !formats.includes('seconds')) {
      findings.only('retryAfterFormat', formats, one)
    }
  }
  const [form] = sure
  return sure.size === 1 ? form : undefined
}

/** Returns the maximum by which `Date` is ahead, in seconds, by the responses that aren't rejections. */
function maxSkewIn(reports: readonly Report[]): number {
  const windows = reports.filter((one) => isOfWindow(one) && one.date !== undefined)
  return Math.min(Number.POSITIVE_INFINITY, ...windows.map((one) => skewIn(one, false).to))
}

/** The forms that explain a `Retry-After`. */
function formatsOf(one: Report, maxSkew: number): readonly Format[] {
  const { after, reset, date } = one
  const text = (one.headers['retry-after'] ?? '').trim()
  if (/^\d+\.\d+$/.test(text)) return ['fraction']
  if (Number.isNaN(after)) return isDate(text) ? ['http-date'] : []
  const isTimestamp = after >= minTimestamp && Math.abs(after - reset) <= longer
  if (isTimestamp) return ['unix-time']
  if (date === undefined) return ['seconds', 'milliseconds']
  const left = reset - date
  const isNear = (wait: number): boolean =>
    wait - left >= -longer && wait - left <= maxSkew + longer
  const [isSeconds, isMilliseconds] = [isNear(after), isNear(after / 1000)]
  if (isSeconds && !isMilliseconds) return ['seconds']
  const isTooLong = after - left > maxSkew + tooLong
  return isMilliseconds && isTooLong ? ['milliseconds'] : ['seconds', 'milliseconds']
}

function isDate(text: string): boolean {
  return /[a-z]/i.test(text) && !Number.isNaN(Date.parse(text))
}

/** Keeps `after` only where it is in seconds. */
function inSeconds(reports: readonly Report[], form: Format | undefined): readonly Report[] {
  return form === 'seconds' ? reports : reports.map((one) => ({ ...one, after: Number.NaN }))
}

/** Returns the seconds from the reset until a client may retry, subject to rounding and the skew of `Date`. */
function laterThanReset({ after, reset, date = Number.NaN, headers }: Report): number {
  if (!Number.isNaN(after)) return date + after - reset
  const text = headers['retry-after'] ?? ''
  return isDate(text) ? Date.parse(text) / 1000 - reset : Number.NaN
}

/** Finds the skew of `Date`, and the responses that don't agree with the others. */
function checkSkew(
  reports: readonly Report[],
  isFixed: (one: Report) => boolean,
  findings: Findings,
): Span {
  const dated = reports
    .filter((one) => isRejection(one) || isOfWindow(one))
    .filter(({ date }) => date !== undefined)
    .map((report) => ({ report, ...skewIn(report, isFixed(report)) }))
  // All spans contain the true skew: responses outside of the largest overlap are wrong.
  const fitting = mostCommon(dated)
  const right = new Set(fitting.map(({ report }) => report))
  for (const { report } of dated) {
    if (right.has(report)) continue
    const isEarly = isRejection(report)
    const problem = isEarly
      ? 'Retry-After ends before X-RateLimit-Reset'
      : "X-RateLimit-Reset doesn't agree with Date"
    findings.check(isEarly ? '8.2' : '8', report, problem)
  }
  for (const report of reports.filter((one) => isRejection(one) && isFixed(one))) {
    const isDate = Number.isNaN(report.after) && laterThanReset(report) <= -roundings
    if (isDate) findings.check('8.2', report, 'Retry-After ends before X-RateLimit-Reset')
  }
  const skew = fitting.reduce<Span>(
    (one, { from, to }) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }),
    { from: -maxBehind, to: Number.POSITIVE_INFINITY },
  )
  if (skew.to <= 0) findings.fitsNone('dateHeaderSkew', [...right])
  else if (skew.to < Number.POSITIVE_INFINITY) {
    const none = skew.from < 0 ? ['none'] : []
    const range = `${secondsText(skew.from)}..${secondsText(skew.to)}`
    findings.only('dateHeaderSkew', [...none, range], [...right])
  }
  return skew
}

/** Returns the possible skews of `Date` in one response. */
function skewIn(one: Report, isFixed: boolean): Span {
  const { reset, date = Number.NaN, window, after } = one
  const left = reset - date
  const reserve = nodesApart / 2
  // The window hasn't ended yet; a day window may end with its last minute.
  const from = -left - 2 - reserve
  if (!isRejection(one))
    return { from, to: (window === 'minute' ? 60 : 86_460) + 2 - left + reserve }
  const isDated = isFixed && !Number.isNaN(after)
  // A retry after `Retry-After` must succeed, but `Retry-After` may be longer than necessary.
  return { from, to: isDated ? after - left + roundings + reserve : Number.POSITIVE_INFINITY }
}

/** Returns the largest set of spans that overlap. */
function mostCommon<One extends Span>(all: readonly One[]): readonly One[] {
  let most: readonly One[] = []
  for (const at of new Set(all.map(({ from }) => Math.max(-maxBehind, from)))) {
    const there = all.filter(({ from, to }) => from <= at && to > at)
    if (there.length > most.length) most = there
  }
  return most
}

/** Seconds by which a padded `Retry-After` is later. */
const padded = 5

/** Finds how much later than the reset `Retry-After` is; the difference may also fit no value. */
function checkPadding(rejections: readonly Report[], findings: Findings): void {
  const comparable = rejections.filter((one) => !Number.isNaN(laterThanReset(one)))
  const dates = comparable.filter(({ after }) => Number.isNaN(after))
  const later = comparable.map(laterThanReset)
  const [least, most] = [Math.min(...later), Math.max(...later)]
  if (comparable.length === 0) return
  const isWithin = (padding: number): boolean => least >= padding - 1 && most <= padding + 1
  // A `Date` that is behind hides the padding of seconds, unless `Retry-After` is shorter than the padding.
  const isBrief = rejections.some(({ after }) => after < padded - 1)
  if (most - least > 2 * (roundings + nodesApart))
    findings.fitsNone('retryAfterPadding', comparable)
  else if (isWithin(0) && (dates.length === comparable.length || isBrief)) {
    findings.only('retryAfterPadding', ['none'], comparable)
  } else if (isWithin(padded) && dates.length === comparable.length) {
    // A `Date` that is ahead makes seconds look padded.
    findings.only('retryAfterPadding', ['5s'], comparable)
  }
}

/** Writes seconds as a duration of at least 1 ms. */
export function secondsText(seconds: number): string {
  return seconds <= 0 ? '1ms' : formatDuration(seconds * 1000)
}
