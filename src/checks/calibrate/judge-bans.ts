import { isRecord } from '../../mock/input/record.ts'
import type { Findings } from './findings.ts'
import { secondsText } from './judge-retry-after.ts'
import {
  elapsed,
  type Group,
  isRefusal,
  isSameWindow,
  pairsOf,
  type Report,
  type Span,
} from './quota-reports.ts'
import { neighboursIn, plain, recordOf } from './read-archives.ts'

/** Maximum time from a rejection to the ban that follows from it, in seconds. */
const soon = 3

/** Finds the number of rejections that lead to a ban, and the duration of the ban. */
export function judgeBans(groups: readonly Group[], skew: Span, findings: Findings): void {
  let longest: readonly Report[] = []
  const bans: Report[] = []
  const counted: (readonly Report[])[] = []
  const timed: (Span & Report)[] = []
  for (const { isStranger, isLossy, reports } of groups) {
    const isSole = !isLossy && hasOneClient(reports)
    for (const [stretch, [ban]] of isStranger ? [] : neighboursIn([...stretchesOf(reports), []])) {
      const [window, last] = [stretch[0], stretch.at(-1)]
      if (window === undefined || last === undefined || isRefusal(window)) continue
      const limited = stretch.filter(({ status }) => status === 429)
      // A rejection without its body may be a ban.
      const refusals = limited.filter((one) => isRecord(one.found) && !isNamedBan(one))
      const isWhole = refusals.length === limited.length
      if (refusals.length > longest.length) longest = refusals
      if (ban === undefined || !isBan(ban, refusals.at(-1) ?? window)) continue
      findings.only('banStatus', [ban.status === 403 ? 403 : 429], ban)
      // Bans that look like other rejections can't be counted.
      if (isNamedBan(ban)) bans.push(ban)
      const isNext = last.remaining === 0 && elapsed(last, ban).most <= soon
      const isSure = [...stretch, ban].every((one) => one.isAlone)
      if (isSole && isWhole && isNext && isSure) counted.push([...refusals, ban])
      if (!isLater(ban, window)) continue
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
  if (bans.length > 0) findings.only('banAfter', [choice], isSure ? sure : longest, bans)
  const from = Math.max(0, ...timed.map((one) => one.from))
  const to = Math.min(...timed.map((one) => one.to))
  if (from >= to || !Number.isFinite(to)) return
  findings.only('banDuration', [`${secondsText(from)}..${secondsText(to)}`], timed)
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

/** Whether its status or its code distinguishes a ban from other rejections. */
function isNamedBan(one: Report): boolean {
  const code = plain(recordOf(one.found).code)
  return one.status === 403 || (one.status === 429 && /ban|^E4292$/i.test(code))
}

function isBan(one: Report, refused: Report): boolean {
  return isNamedBan(one) || (one.status === 429 && isLater(one, refused))
}

/** Whether a response's reset is later than the end of any window that can have begun since another response. */
function isLater(one: Report, before: Report): boolean {
  const length = before.window === 'minute' ? 60 : 86_400
  return (
    one.limit === before.limit && one.reset - before.reset > elapsed(before, one).most + length + 3
  )
}

/** Minimum number of requests using one each that show that no other client uses the key. Rejected ones use none. */
const leastOwn = 30

/** Whether no other client uses the key, going by the remaining requests. */
function hasOneClient(reports: readonly Report[]): boolean {
  const used = pairsOf(reports)
    .filter(([prev, cur]) => isSameWindow(prev, cur) && !isRefusal(cur) && prev.remaining > 0)
    .map(([prev, cur]) => prev.remaining - cur.remaining)
  return used.every((one) => one <= 1) && used.filter((one) => one === 1).length >= leastOwn
}
