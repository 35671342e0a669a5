import { isRecord } from '../../mock/input/record.ts'
import { formatDuration } from '../../mock/input/values.ts'
import type { Evidence } from './evidence.ts'
import {
  banStatuses,
  elapsed,
  type Group,
  isNamedBan,
  isRejection,
  isSameWindow,
  pairsOf,
  type Report,
  type Span,
} from './quota-reports.ts'
import { neighboursIn } from './read-archives.ts'

/** Maximum time from a rejection to the ban that follows from it, in seconds. */
const soon = 3

/** Finds the number of rejections that lead to a ban, and the duration of the ban. */
export function checkBans(groups: readonly Group[], skew: Span, evidence: Evidence): void {
  let longest: readonly Report[] = []
  const bans: Report[] = []
  const counted: (readonly Report[])[] = []
  const timed: (Span & Report)[] = []
  for (const { isUnauthenticated, isLossy, reports } of groups) {
    const isSole = !isLossy && hasOneClient(reports)
    let hasBan = false
    for (const [stretch, [ban]] of isUnauthenticated
      ? []
      : neighboursIn([...stretchesOf(reports), []])) {
      const [window, last] = [stretch[0], stretch.at(-1)]
      if (window === undefined || last === undefined || isRejection(window)) continue
      const limited = stretch.filter(({ status }) => status === 429)
      // A rejection without its body may be a ban.
      const rejections = limited.filter((one) => isRecord(one.found) && !isNamedBan(one))
      const isWhole = rejections.length === limited.length
      if (rejections.length > longest.length) longest = rejections
      if (ban === undefined || !isBan(ban, rejections.at(-1) ?? window)) continue
      evidence.only('banStatus', [banStatuses[ban.status] ?? 429], ban)
      // Bans that look like other rejections can't be counted.
      if (isNamedBan(ban)) bans.push(ban)
      const isNext = last.remaining === 0 && elapsed(last, ban).most <= soon
      const isSure = [...stretch, ban].every((one) => one.isAlone)
      if (isSole && isWhole && isNext && isSure) counted.push([...rejections, ban])
      // Later bans of a client may be longer.
      const isLonger = hasBan
      hasBan = true
      if (isLonger || !isLater(ban, window)) continue
      // The ban began after the last response that doesn't describe it.
      const from = ban.reset - (ban.date ?? Number.NaN) - 2 + skew.from
      const to = ban.reset - (last.date ?? Number.NaN) + 2 + skew.to
      if (!Number.isNaN(from + to)) timed.push({ ...ban, from, to })
    }
  }
  const [sure = [], ...others] = counted
  const count = sure.length - 1
  const isSure = count >= longest.length && others.every(({ length }) => length === sure.length)
  const choice = isSure ? `${count}` : `${longest.length}..1000000000`
  if (bans.length > 0) evidence.only('banAfter', [choice], isSure ? sure : longest, bans)
  const from = Math.max(0, ...timed.map((one) => one.from))
  const to = Math.min(...timed.map((one) => one.to))
  if (from >= to || !Number.isFinite(to)) return
  const text = from === 0 ? '1ms' : formatDuration(from * 1000)
  evidence.only('banDuration', [`${text}..${formatDuration(to * 1000)}`], timed)
}

/** Splits responses into stretches that describe the same window. */
function stretchesOf(group: readonly Report[]): Report[][] {
  const stretches: Report[][] = []
  for (const one of group) {
    const [current] = stretches.at(-1) ?? []
    const isSame = current !== undefined && isSameWindow(current, one) && !isNamedBan(one)
    if (isSame) stretches.at(-1)?.push(one)
    else stretches.push([one])
  }
  return stretches
}

function isBan(one: Report, rejected: Report): boolean {
  return isNamedBan(one) || (one.status === 429 && isLater(one, rejected))
}

/** Whether a response's reset is later than the end of any window that can have begun since another response. */
function isLater(one: Report, before: Report): boolean {
  const length = before.window === 'minute' ? 60 : 86_400
  return (
    one.limit === before.limit && one.reset - before.reset > elapsed(before, one).most + length + 3
  )
}

/** Minimum number of requests using one each that show that no other client uses the key. Rejected ones use none. */
const minOwn = 30

/** Whether no other client uses the key, going by the remaining requests. */
function hasOneClient(reports: readonly Report[]): boolean {
  const used = pairsOf(reports)
    .filter(([prev, cur]) => isSameWindow(prev, cur) && !isRejection(cur) && prev.remaining > 0)
    .map(([prev, cur]) => prev.remaining - cur.remaining)
  return used.every((one) => one <= 1) && used.filter((one) => one === 1).length >= minOwn
}
