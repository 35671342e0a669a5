import { choicesText, gapNames, gaps } from '../../contract/gaps.ts'
import { gapDescriptions } from '../../contract/openapi/gap-descriptions.ts'
import { CliError } from '../terminal/cli-error.ts'
import { firstLines } from '../terminal/cut.ts'
import { gapTable } from '../terminal/gap-table.ts'
import type { GapsOptions } from './remote-options.ts'

/**
 * Prints what the interface leaves open; or, if asked, which choices matter to a running sandbox.
 *
 * @throws {@link CliError}
 */
export async function showGaps(options: GapsOptions, stdout: NodeJS.WriteStream): Promise<void> {
  if (options.matter) {
    const { showMattering } = await import('./show-mattering.ts')
    await showMattering(options, stdout)
    return
  }
  if (options.replies) {
    throw new CliError('Cannot show replies of all gaps: --replies goes with --matter', 2)
  }
  const table = firstLines(gapTable(stdout.columns), options.all)
  stdout.write(`${options.json ? gapJson() : table}\n`)
}

function gapJson(): string {
  const rows = gapNames.map((name) => ({
    gap: name,
    spec: gaps[name].spec,
    choices: choicesText(gaps[name]).split(', '),
    about: gapDescriptions[name].about,
  }))
  return JSON.stringify(rows)
}
