import type { GapValues } from '../../mock/api/gaps.ts'
import type { Evidence } from './evidence.ts'
import {
  elapsed,
  type Group,
  isNamedBan,
  isOfWindow,
  isRejection,
  isSameWindow,
  maxBehind,
  mayBeFull,
  nodesApart,
  pairsOf,
  type Report,
  type Span,
  windowsIn,
} from './quota-reports.ts'
import { wholeIn } from './read-archives.ts'

type Format = GapValues['retryAfterFormat']

/**
 * Finds the form of `Retry-After`, and whether clients that waited as long as it says came through (spec 8.2).
 *
 * Headers of one response aren't compared to judge the clause: a service may limit bursts within the reported window.
 */
export function checkRetryAfter(groups: readonly Group[], skew: Span, evidence: Evidence): void {
  const form = checkForms(groups, evidence)
  for (const { isLossy, reports } of groups) {
    if (!isLossy) checkWaits(pairsOf(reports), form, skew, evidence)
  }
}

function textOf({ headers }: Report): string {
  return (headers['retry-after'] ?? '').trim()
}

/** First Unix timestamp that is no number of seconds to wait, and the first that isn't in seconds. */
const timestamps = { from: 1e9, to: 1e11 }

function isWaitIn(text: string): boolean {
  return wholeIn(text) < timestamps.from
}

/** Returns the instant in `Retry-After`, in Unix seconds; `NaN` if it is a number to wait, or unreadable. */
function instantOf(one: Report): number {
  const text = textOf(one)
  const number = wholeIn(text)
  if (number >= timestamps.from) return number < timestamps.to ? number : Number.NaN
  return /[a-z]/i.test(text) ? Date.parse(text) / 1000 : Number.NaN
}

/** Finds out in which form a service writes `Retry-After`; `undefined` if it is unclear. */
function checkForms(groups: readonly Group[], evidence: Evidence): Format | undefined {
  const forms = new Set<Format>()
  const rejections = groups.flatMap(({ reports }) =>
    reports.filter((one) => isRejection(one) && textOf(one) !== ''),
  )
  for (const one of rejections.filter((one) => !isWaitIn(textOf(one)))) {
    const form = formOf(one)
    if (form === undefined) {
      evidence.unexplain(one, 'no value of retryAfterFormat writes Retry-After so')
      continue
    }
    evidence.only('retryAfterFormat', [form], one)
    forms.add(form)
  }
  const numbers = rejections.filter((one) => isWaitIn(textOf(one)))
  // A service that writes fractions may leave them out of whole seconds.
  if (numbers.length > 0 && !forms.has('fraction')) {
    const units = unitsIn(groups)
    evidence.only('retryAfterFormat', units, numbers)
    for (const unit of units) forms.add(unit)
  }
  const [form] = forms
  return forms.size === 1 ? form : undefined
}

function formOf(one: Report): Format | undefined {
  if (/^\d+\.\d+$/.test(textOf(one))) return 'fraction'
  if (Number.isNaN(instantOf(one))) return undefined
  return Number.isNaN(wholeIn(textOf(one))) ? 'http-date' : 'unix-time'
}

/** Seconds by which a wait may differ from the time until the reset: by padding, jitter and roundings. */
const near = 15

/** Seconds by which no service lets a client wait longer than until the reset. */
const tooLong = 3600

/** Compares whole numbers with the time until the reset: all have to agree, as bursts and bans have other waits. */
function unitsIn(groups: readonly Group[]): readonly Format[] {
  const all = groups.flatMap(({ reports }) => reports)
  const maxSkew = Math.min(
    Number.POSITIVE_INFINITY,
    ...all.filter((one) => isOfWindow(one) && one.date !== undefined).map((one) => skewIn(one).to),
  )
  const waits = groups.flatMap(({ reports }) =>
    windowsIn(reports).flatMap((window) => {
      // Later ones may be bans.
      const one = window.find(isRejection)
      const isClear = one && isWaitIn(textOf(one)) && mayBeFull(one) && !isNamedBan(one)
      if (!isClear || one.date === undefined) return []
      // In a bucket, fewer requests have the same reset.
      const tokens = one.limit / 60 + 2
      if (window.filter(({ status }) => status < 300).length <= tokens) return []
      return [{ after: wholeIn(textOf(one)), left: one.reset - one.date }]
    }),
  )
  const isNear = (wait: number): boolean => wait >= -near && wait <= maxSkew + near
  const areSeconds = waits.every(({ after, left }) => isNear(after - left))
  const areMilliseconds = waits.every(({ after, left }) => isNear(after / 1000 - left))
  if (areSeconds && !areMilliseconds) return ['seconds']
  const isTooLong = waits.some(({ after, left }) => after - left > maxSkew + tooLong)
  return areMilliseconds && isTooLong ? ['milliseconds'] : ['seconds', 'milliseconds']
}

/** Seconds by which `Retry-After` may be early or late by rounding. */
const roundings = 2

/** Judges each `Retry-After` by the next request with the same key, if that waited as long as it says. */
function checkWaits(
  pairs: readonly [Report, Report][],
  form: Format | undefined,
  skew: Span,
  evidence: Evidence,
): void {
  // The first of several rejections, each of which waited as long as the one before said.
  let first: Report | undefined
  const early = new Set<Report>()
  for (const [one, next] of pairs) {
    if (one.status !== 429 || isNamedBan(one)) continue
    const waited = lateness(one, next, form, { from: 0, to: 0 })
    const isInTime = waited.from >= 0 && waited.to <= roundings
    if (isInTime && next.status < 300) evidence.check('8.2', one, undefined)
    // Once other clients have used the key, the limit that rejects a request may be another one.
    const isAgain =
      next.status === 429 &&
      !isNamedBan(next) &&
      isSameWindow(one, next) &&
      one.remaining === next.remaining
    if (!isAgain || lateness(one, next, form, skew).from < 0) {
      first = undefined
      continue
    }
    first ??= one
    const left = form !== 'milliseconds' && isWaitIn(textOf(next)) ? wholeIn(textOf(next)) : 0
    const isFarFromOver = left > near && elapsed(first, next).least >= roundings
    if (isFarFromOver || lateness(first, next, form, skew).from >= roundings) early.add(first)
  }
  for (const one of early) {
    evidence.check('8.2', one, 'a request that waited for Retry-After is rejected again')
  }
}

/**
 * Returns the seconds from the end of a response's `Retry-After` until a later request; `NaN` if it is unreadable.
 *
 * @param skew Bounds of the skew of `Date`, by which instants are read.
 */
function lateness(one: Report, next: Report, form: Format | undefined, skew: Span): Span {
  const at = instantOf(one)
  if (!Number.isNaN(at)) {
    const after = (next.date ?? Number.NaN) - at
    return { from: after - skew.to, to: after + 1 - skew.from }
  }
  const { least, most } = elapsed(one, next)
  const number = Number(textOf(one) || Number.NaN)
  const wait = form === 'milliseconds' ? number / 1000 : number
  return { from: least - wait, to: most - wait }
}

/**
 * Finds the skew of `Date`, and the windows that don't agree with the others (spec 8). Rejected requests aren't asked,
 * as their reset may be that of a ban.
 *
 * @returns Bounds of the skew, in seconds; positive if `Date` is ahead.
 */
export function checkSkew(groups: readonly Group[], evidence: Evidence): Span {
  const dated = groups
    .flatMap(({ reports }) => reports)
    .filter((one) => isOfWindow(one) && one.date !== undefined)
    .map((report) => ({ report, ...skewIn(report) }))
  // All spans contain the true skew: responses outside of the largest overlap are wrong.
  const right = new Set(mostCommon(dated))
  for (const one of dated) {
    if (!right.has(one)) {
      evidence.check('8', one.report, "X-RateLimit-Reset doesn't agree with Date")
    }
  }
  return [...right].reduce<Span>(
    (one, { from, to }) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }),
    { from: -maxBehind, to: Number.POSITIVE_INFINITY },
  )
}

/** Returns the possible skews of `Date` in one response: its window hasn't ended yet, and isn't longer than a window. */
function skewIn({ reset, date = Number.NaN, window }: Report): Span {
  const left = reset - date
  const reserve = 2 + nodesApart / 2
  // A day window may end with its last minute.
  return { from: -left - reserve, to: (window === 'minute' ? 60 : 86_460) - left + reserve }
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
