import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { coverageFragment } from '../../../coverage/coverage-report.ts'
import type { GapChoice } from '../../../explore/other-choices.ts'
import type { Row } from '../../../explore/suite/row.ts'
import { readInput } from '../../../input/schema.ts'
import { readJsonFile } from '../../files/read-json-file.ts'
import type { Asked } from './row-server.ts'

/**
 * Says what the sandboxes in a command's own processes were asked: their coverage, which they wrote to a folder, names
 * the choices on which an answer depended.
 *
 * @param offered The choices that may be tried.
 */
export async function askedInProcess(
  folder: string,
  row: Row,
  offered: readonly GapChoice[],
): Promise<Asked> {
  const fragments = await Promise.all(filesIn(folder).map(readFragment))
  const cells = fragments.flatMap(({ tiers }) => tiers.gaps?.cells ?? [])
  const read = new Set(cells.filter(({ met }) => met).map(({ cell }) => cell.replace(/=.*/, '')))
  const isRead = ({ gap }: GapChoice): boolean => read.has(gap)
  return {
    requests: read.size,
    mattering: offered.filter(isRead),
    effective: row.filter(isRead),
  }
}

function readFragment(file: string) {
  return readJsonFile(file, (found) => readInput(coverageFragment, found))
}

/** The fragments in a folder; one whose name begins with a dot was not finished. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}
