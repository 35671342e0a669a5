import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often the collector is asked at most: a busy worker may hold an object for some tasks more. */
const maxRounds = 20

/** Counts what the collector leaves of some objects. */
export async function uncollected(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let left = references.length
  for (let round = 0; round < maxRounds && left > 0; round += 1) {
    // What a task has looked at stays until it ends.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    left = references.filter((reference) => reference.deref() !== undefined).length
  }
  return left
}
