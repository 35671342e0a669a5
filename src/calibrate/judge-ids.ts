import { pageLimit } from '../contract/endpoints.ts'
import { toInt64 } from '../contract/int64.ts'
import { isRecord } from '../input/record.ts'
import type { Evidence } from './evidence.ts'
import { jsonIn, type Seen } from './read-archives.ts'

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
export function judgeIds(exchanges: readonly Seen[], evidence: Evidence): void {
  const created = exchanges.flatMap((seen): Created[] => {
    const pet = seen.status === 201 && seen.isJudged ? jsonIn(seen.body) : undefined
    const id = isRecord(pet) ? toInt64(pet.id) : undefined
    return id === undefined ? [] : [{ id: BigInt(id), seen }]
  })
  for (const { id, seen } of created) {
    if (id <= large || id % 2n === 0n) {
      const isAtEnd = knownHighest(exchanges, seen) === undefined
      // Where the highest id there can be is taken, any other comes next.
      if (!isAtEnd || id <= large)
        evidence.only('idSequence', ['sequential', 'random'], seen.number)
    }
    const top = knownHighest(exchanges, seen)
    if (top === undefined) continue
    const isNext = id > top && id - top < far
    const isNextLarge = id > large && id > top && id - (top < large ? large : top) < far
    const fitting = [
      ...(isNext ? (['sequential'] as const) : []),
      ...(isNextLarge ? (['large'] as const) : []),
    ]
    if (fitting.length < 2) evidence.only('idSequence', [...fitting, 'random'], seen.number)
  }
  const steps = created.slice(1).flatMap((after, index) => {
    const before = created[index]
    if (before === undefined || before.seen.endAt > after.seen.startAt) return []
    return [{ by: after.id - before.id, number: after.seen.number }]
  })
  const near = steps.filter(({ by }) => by > 0n && by <= 100n)
  const numbers = created.map(({ seen }) => seen.number)
  if (near.length >= 2) evidence.only('idSequence', ['sequential', 'large'], ...numbers)
  const isOdd = created.every(({ id }) => id > large && id % 2n === 1n)
  if (isOdd && near.length === steps.length && near.length >= leastOdd) {
    evidence.only('idSequence', ['large'], ...numbers)
  }
}

/** The highest id before an exchange, where a whole list has shown it and it isn't the last one of all. */
function knownHighest(exchanges: readonly Seen[], until: Seen): bigint | undefined {
  let found: bigint | undefined
  for (const seen of exchanges) {
    if (seen.number >= until.number) return found
    if (!seen.isJudged || seen.status >= 300 || seen.endAt > until.startAt) continue
    const limit = /^\/pets(?:\?limit=([1-9]\d?|100))?$/.exec(seen.target)
    const body = limit === null && seen.status !== 201 ? undefined : jsonIn(seen.body)
    const ids = [body].flat().flatMap((pet) => (isRecord(pet) ? (toInt64(pet.id) ?? []) : []))
    const most = ids.reduce<bigint>((top, id) => (BigInt(id) > top ? BigInt(id) : top), -far)
    const isWhole = Array.isArray(body) && ids.length < Number(limit?.[1] ?? pageLimit.default)
    if (isWhole) found = most
    else if (found !== undefined && most > found) found = most
    if (found === highest) return undefined
  }
  return found
}
