import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { formatChoice } from '../../../contract/gaps.ts'
import { coverageFragment } from '../../../coverage/coverage-report.ts'
import type { GapChoice, Row } from '../../../explore/choices.ts'
import { type AskedFile, askedFile } from '../../../explore/suite/asked-file.ts'
import { type AskedFacts, factName } from '../../../explore/suite/observation.ts'
import { readInput } from '../../../input/schema.ts'
import { readJsonFile } from '../../files.ts'
import type { Asked } from './row-server.ts'

/**
 * Says what the sandboxes in a command's own processes were asked: the fixtures of test runners tell which choices matter
 * to each test. Of other sandboxes the coverage, which they write to the same folder, names the choices on which an answer
 * depended.
 *
 * @param offered The choices that may be tried.
 */
export async function askedInProcess(
  folder: string,
  row: Row,
  offered: readonly GapChoice[],
): Promise<Asked> {
  const names = namesIn(folder)
  const told = await Promise.all(
    names
      .filter((name) => name.startsWith('asked-'))
      .map((name) => readJsonFile(join(folder, name), (found) => readInput(askedFile, found))),
  )
  const fragments = await Promise.all(
    names
      .filter((name) => !name.startsWith('asked-'))
      .map((name) => readFragment(join(folder, name))),
  )
  const isTold = (test: string | undefined): boolean =>
    told.some((one) => one.test === test && one.mattering !== undefined)
  const cells = fragments.flatMap(({ tiers }) => tiers.gaps?.cells ?? [])
  const read = new Set(
    cells.filter(({ met, by }) => met && !isTold(by)).map(({ cell }) => cell.replace(/=.*/, '')),
  )
  const facts = new Map(told.map((one) => [factName(one.test), factsOf(one, row, offered)]))
  const all = [...facts.values()]
  const matters = new Set(all.flatMap(({ mattering = [] }) => mattering))
  const hasEffect = new Set(all.flatMap(({ effective }) => effective))
  return {
    requests: read.size + told.reduce((sum, { requests }) => sum + requests, 0),
    mattering: offered.filter((one) => read.has(one.gap) || matters.has(one)),
    effective: row.filter((one) => read.has(one.gap) || hasEffect.has(one)),
    facts,
  }
}

function factsOf(
  { mattering, waits }: AskedFile,
  row: Row,
  offered: readonly GapChoice[],
): AskedFacts {
  if (mattering === undefined) return { mattering, effective: row, waits }
  const choices = new Set(mattering)
  const gaps = new Set(mattering.map((choice) => choice.replace(/=.*/, '')))
  return {
    mattering: offered.filter(({ gap, choice }) =>
      choices.has(`${gap}=${formatChoice(gap, choice)}`),
    ),
    // Another choice of the same gap stands for the default where that is none of those that were compared.
    effective: row.filter(({ gap }) => gaps.has(gap)),
    waits,
  }
}

function readFragment(file: string) {
  return readJsonFile(file, (found) => readInput(coverageFragment, found))
}

/** The files in a folder; one whose name begins with a dot was not finished. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  } catch {
    return []
  }
}
