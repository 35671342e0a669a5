import { toInt64 } from '../../mock/api/int64.ts'
import type { Evidence } from './evidence.ts'
import { neighboursIn, recordOf, type Seen } from './read-archives.ts'

/** First integer from which on not every integer is a double. */
const large = 2n ** 53n

const highest = 2n ** 63n - 1n

/** Maximum distance of successive ids, with other clients' pets between them. */
const far = 2n ** 40n

/** Minimum number of odd ids with even distances that rules out chance. */
const minOdd = 6

/** Finds the sequence of the ids of new pets. */
export function checkIds(sequence: readonly Seen[], evidence: Evidence): void {
  const created = sequence.flatMap((seen) => {
    const id = toInt64(recordOf(seen.found).id)
    return id === undefined || seen.status !== 201 ? [] : [{ ...seen, id: BigInt(id) }]
  })
  for (const one of created) {
    if (one.id <= large) evidence.only('idSequence', ['sequential', 'random'], one)
  }
  const pairs = neighboursIn(created).filter(([one, next]) => one.endAt <= next.startAt)
  for (const [one, next] of pairs) {
    // Any other id may follow the highest possible one.
    if (one.id === highest) continue
    const isNear = (id: bigint): boolean => next.id > id && next.id - id < far
    const isNextLarge = next.id % 2n === 1n && isNear(one.id < large ? large : one.id)
    const fitting = [
      ...(isNear(one.id) ? (['sequential'] as const) : []),
      ...(isNextLarge ? (['large'] as const) : []),
    ]
    evidence.only('idSequence', [...fitting, 'random'], one, next)
  }
  const near = pairs.filter(([one, next]) => next.id > one.id && next.id - one.id <= 100n)
  if (near.length >= 2) evidence.only('idSequence', ['sequential', 'large'], created)
  const isOdd = created.every(({ id }) => id > large && id % 2n === 1n)
  if (isOdd && near.length === pairs.length && near.length >= minOdd) {
    evidence.only('idSequence', ['large'], created)
  }
}
