import { getHeapStatistics } from 'node:v8'
import { memoryLimits } from '../../state/memory/limits.ts'
import { CliError } from '../terminal/cli-error.ts'

/** What a process takes beside the states, in bytes: as much as it has with a heap of 256 MiB and the usual limits. */
const besideBytes = 134_217_728

/**
 * Checks that the heap has room for as much as all sandboxes may hold, and for all else: Node ends a process whose heap is
 * full, whatever it is doing.
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
  if (stateBytes === undefined || stateBytes <= usual) return
  const needed = stateBytes + besideBytes
  if (needed <= heapBytes) return
  throw new CliError(
    `Cannot use --limit stateBytes=${stateBytes}: the heap of this process has ${heapBytes} bytes, and this takes ${needed}; start it with NODE_OPTIONS=--max-old-space-size=${Math.ceil(needed / 2 ** 20)}, or use less`,
    2,
  )
}
