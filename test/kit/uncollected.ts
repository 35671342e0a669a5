import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Counts what the collector leaves of some objects. */
export async function uncollected(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // What a task has looked at stays until it ends.
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return references.filter((reference) => reference.deref() !== undefined).length
}
