import type { CoverageReport } from '../../coverage/coverage-report.ts'
import { mergeFragments } from '../../coverage/met.ts'
import { atSandbox } from '../remote/connect.ts'
import { CliError } from '../terminal/cli-error.ts'
import { firstLines } from '../terminal/cut.ts'
import { writeReports } from '../write-reports.ts'
import type { CoverageOptions } from './coverage-options.ts'
import { coverageText, shortfalls } from './coverage-text.ts'
import { readFragments } from './read-fragments.ts'

/**
 * Reports what clients have been made to face: what the fragments in some folders say together, or a running sandbox.
 *
 * @throws {@link CliError} with exit code 4 when a tier is below its threshold.
 */
export async function showCoverage(
  folders: readonly string[],
  { 'fail-under': thresholds, report, all, ...place }: CoverageOptions,
  stdout: NodeJS.WritableStream,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const coverage: CoverageReport =
    folders.length > 0
      ? mergeFragments(await readFragments(folders))
      : await atSandbox(place, async (client) => await client.coverage())
  const isWhole =
    all || report.some(({ format, file }) => format !== 'pretty' && file === undefined)
  const shown = {
    write: (text: string) => stdout.write(`${firstLines(text.trimEnd(), isWhole)}\n`),
  }
  writeReports(coverageText(coverage, thresholds), report, shown, environment)
  const short = shortfalls(coverage, thresholds)
  if (short.length === 0) return
  throw new CliError(`Cannot accept the coverage: ${short.join('; ')}`, 4)
}
