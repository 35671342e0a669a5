import { isRecord } from '../../input/record.ts'
import { gapMark } from '../gap-settings.ts'
import { gapNames } from '../gaps.ts'
import { gapDescriptions } from './gap-descriptions.ts'

/** Says in a document of JSON Schemas, at the schema of each choice, what its gap is about. */
export function describeGaps(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(describeGaps)
  if (!isRecord(part)) return part
  const { [gapMark]: marked, ...rest } = part
  const gap = gapNames.find((name) => name === marked)
  const own = Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, describeGaps(inner)]),
  )
  return gap === undefined ? own : { ...own, description: gapDescriptions[gap].about }
}
