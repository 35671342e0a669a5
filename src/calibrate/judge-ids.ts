import { pageLimit } from '../contract/endpoints.ts'
import { compareInt64, toInt64 } from '../contract/int64.ts'
import { jsonIn } from '../contract/json.ts'
import { isRecord } from '../input/record.ts'
import type { Findings } from './findings.ts'
import type { Seen } from './read-archives.ts'

/** From here on, not every integer is a double. */
const large = 2n ** 53n

const highest = 2n ** 63n - 1n

/** How far apart ids may be that others' pets lie between. */
const far = 2n ** 40n

/** How many ids have to be odd, with even distances, before it is no chance. */
const leastOdd = 6

interface Created {
  readonly id: bigint
  readonly seen: Seen
}

/** Finds out how the ids of new pets follow one another. */
export function judgeIds(exchanges: readonly Seen[], findings: Findings): void {
  const created = exchanges.flatMap((seen): Created[] => {
    const pet = seen.status === 201 && seen.isJudged ? jsonIn(seen.body) : undefined
    const id = isRecord(pet) ? toInt64(pet.id) : undefined
    return id === undefined ? [] : [{ id: BigInt(id), seen }]
  })
  const tops = highestIds(exchanges)
  for (const { id, seen } of created) {
    const top = tops.get(seen)
    // Where the highest id there can be is taken, any other comes next; nobody knows unless a whole list was seen.
    if (id <= large || (id % 2n === 0n && top !== undefined)) {
      findings.only('idSequence', ['sequential', 'random'], seen.number)
    }
    if (top === undefined) continue
    const isNext = id > top && id - top < far
    const isNextLarge = id > large && id > top && id - (top < large ? large : top) < far
    const fitting = [
      ...(isNext ? (['sequential'] as const) : []),
      ...(isNextLarge ? (['large'] as const) : []),
    ]
    if (fitting.length < 2) findings.only('idSequence', [...fitting, 'random'], seen.number)
  }
  const steps = created.slice(1).flatMap((after, index) => {
    const before = created[index]
    if (before === undefined || before.seen.endAt > after.seen.startAt) return []
    return [{ by: after.id - before.id, number: after.seen.number }]
  })
  const near = steps.filter(({ by }) => by > 0n && by <= 100n)
  const numbers = created.map(({ seen }) => seen.number)
  if (near.length >= 2) findings.only('idSequence', ['sequential', 'large'], ...numbers)
  const isOdd = created.every(({ id }) => id > large && id % 2n === 1n)
  if (isOdd && near.length === steps.length && near.length >= leastOdd) {
    findings.only('idSequence', ['large'], ...numbers)
  }
}

/**
 * The highest id before each exchange, where a whole list has shown it and it isn't the last one of all: in one pass, in
 * which what an exchange saw counts from its end on.
 */
function highestIds(exchanges: readonly Seen[]): ReadonlyMap<Seen, bigint> {
  const known = new Map<Seen, bigint>()
  let found: bigint | undefined
  let pending: { readonly endAt: number; readonly most: bigint; readonly isWhole: boolean }[] = []
  for (const seen of exchanges) {
    for (const { most, isWhole } of pending.filter(({ endAt }) => endAt <= seen.startAt)) {
      if (isWhole) found = most
      else if (found !== undefined && most > found) found = most
    }
    pending = pending.filter(({ endAt }) => endAt > seen.startAt)
    // Where the highest id there can be is taken, any other comes next.
    if (found === highest) return known
    if (found !== undefined && seen.status === 201) known.set(seen, found)
    const limit = /^\/pets(?:\?limit=([1-9]\d?|100))?$/.exec(seen.target)
    if (!seen.isJudged || seen.status >= 300 || limit === null) continue
    const body = jsonIn(seen.body)
    const ids = [body].flat().flatMap((pet) => (isRecord(pet) ? (toInt64(pet.id) ?? []) : []))
    if (ids.length === 0) continue
    const most = BigInt(ids.toSorted(compareInt64).at(-1) ?? 0)
    const isWhole = Array.isArray(body) && ids.length < Number(limit[1] ?? pageLimit.default)
    pending.push({ endAt: seen.endAt, most, isWhole })
  }
  return known
}
