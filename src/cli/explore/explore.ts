import type { ExplorerOptions } from '../options.ts'
import { execLine, exploreSuite, offeredChoices, Progress, runBaseline } from '../suite/session.ts'
import { type SuiteTask, withSuite } from '../suite/suite.ts'
import { expectReportPlaces, writeReports } from '../write-reports.ts'
import { type ExploreResult, exploreReport, newDependencies, readKnown } from './explore-report.ts'

/**
 * Runs a command under other choices at the gaps, and reports on which of them it depends.
 *
 * @returns The exit code: 0, 4 for a new dependency, or 128 plus the number of the signal that ended it.
 * @throws {@link CliError} with exit code 5 when the command can't be explored.
 */
export async function explore(
  task: SuiteTask<ExplorerOptions>,
  stdout: NodeJS.WritableStream,
): Promise<number> {
  const { options, settings } = task
  const known = await readKnown(options.baseline)
  expectReportPlaces(options.report)
  return await withSuite(task, async (suite) => {
    const choices = offeredChoices(settings, options.all ? 'all' : 'promised')
    const run = async () => (await suite.run([], { offered: choices }))[0]
    const baseline = await runBaseline(suite, run, options, 'Cannot explore')
    const { found, slow, problem, isInterrupted } = await exploreSuite(
      suite,
      baseline,
      {
        strength: options.strength === 3 ? 3 : 2,
        seed: settings.seed,
        choices,
        tries: options.all ? 'all' : 'mattering',
      },
      new Progress(process.stderr),
    )
    if (problem !== undefined) throw problem
    const result: ExploreResult = {
      found,
      tests: baseline.tests,
      known,
      notes: notesOf(baseline.areDisturbed, slow, suite.strays()),
      isInterrupted,
      commandFor: (row) => execLine(task, row),
    }
    writeReports(exploreReport(result), options.report, stdout, process.env)
    return newDependencies(result).length > 0 ? 4 : 0
  })
}

function notesOf(areDisturbed: boolean, slow: readonly number[], strays: number): string[] {
  return [
    ...(areDisturbed
      ? [
          'Two runs at the same time disturbed each other, perhaps by a port or files that they share; so they ran one after the other.',
        ]
      : []),
    ...(strays === 0
      ? []
      : [
          `${strays} requests went to /v1 of the server, and not to the address in PETSTORE_URL: they were answered at the baseline choices, whatever was tried. Keep the path of that address.`,
        ]),
    ...(slow.length === 0 ? [] : [`Some runs took too long, and were ended: ${slow.join(', ')}.`]),
  ]
}
