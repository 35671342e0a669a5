import { eachInTurns, type Pace } from '../clock/pace.ts'
import { Secrets } from './secrets.ts'

/** Above this many keys, their index is built in advance; that of fewer takes a few milliseconds. */
export const manyKeys = 1_000

/** Builds an index of keys bit by bit, if they are many. */
export async function indexInTurns(keys: Iterable<string>, pace: Pace): Promise<Secrets[]> {
  const all = [...keys]
  if (all.length <= manyKeys) return []
  const index = new Secrets([])
  await eachInTurns(all, pace, (key) => index.add(key))
  return [index]
}
