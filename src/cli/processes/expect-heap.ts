import { getHeapStatistics } from 'node:v8'
import { memoryLimits } from '../../state/memory/limits.ts'
import { CliError } from '../terminal/cli-error.ts'

/** What the process takes beside the states, in MiB, rather too much. */
const besideMiB = 256

/**
 * Checks that the heap has room for as much as all sandboxes may hold: Node ends a process whose heap is full, whatever it
 * is doing.
 *
 * @param stateBytes `undefined` for as much as they usually may, which is never refused.
 * @param heapBytes How large the heap may grow.
 * @throws {@link CliError}
 */
export function expectHeap(
  stateBytes: number | undefined,
  heapBytes: number = getHeapStatistics().heap_size_limit,
): void {
  const { fallback: usual } = memoryLimits.properties.stateBytes
  if (stateBytes === undefined || stateBytes <= Math.max(heapBytes, usual)) return
  const needed = Math.ceil(stateBytes / 2 ** 20) + besideMiB
  throw new CliError(
    `Cannot use --limit stateBytes=${stateBytes}: the heap of this process has ${heapBytes} bytes; start it with NODE_OPTIONS=--max-old-space-size=${needed}, or use less`,
    2,
  )
}
