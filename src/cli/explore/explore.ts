import { parseGaps } from '../../contract/gap-settings.ts'
import { unpromisedGaps } from '../../contract/openapi/gap-descriptions.ts'
import { type GapChoice, otherChoices } from '../../explore/choices.ts'
import { Explorer } from '../../explore/suite/explorer.ts'
import { wholeSuite } from '../../explore/suite/observation.ts'
import { CliError } from '../cli-error.ts'
import type { ExplorerOptions } from '../options.ts'
import type { ServeSettings } from '../serve/serve-settings.ts'
import { expectReportPlaces, writeReports } from '../write-reports.ts'
import {
  type ExploreResult,
  execLine,
  exploreReport,
  type KnownDependency,
  newDependencies,
  readKnown,
} from './explore-report.ts'
import { Commands } from './suite/commands.ts'
import { Interrupted, Interruption, Progress, RowRuns } from './suite/row-runs.ts'
import { RowServer } from './suite/row-server.ts'
import { SuiteRunner } from './suite/suite-runner.ts'
import { expectSteady, type UsualRuns, usualRuns } from './suite/usual-runs.ts'

/** What is explored, and how. */
interface ExploreTask {
  readonly options: ExplorerOptions
  readonly settings: ServeSettings
  /** The options of the sandboxes as they were given, for the lines that reproduce what was found. */
  readonly given: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

/** What all of an exploration works with. */
interface Tools {
  readonly server: RowServer
  readonly runs: RowRuns
  readonly interruption: Interruption
  readonly progress: Progress
  readonly offered: readonly GapChoice[]
}

/**
 * Runs a command under other choices at the gaps, and reports on which of them it depends.
 *
 * @returns The exit code: 0, 4 for a new dependency, or 128 plus the number of the signal that ended it.
 * @throws {@link CliError} with exit code 5 when the command can't be explored.
 */
export async function explore(task: ExploreTask, stdout: NodeJS.WritableStream): Promise<number> {
  const { options, settings, words } = task
  if ((words[0] ?? '') === '') {
    throw new CliError(
      'Cannot run explore: the command is missing; use explore [options] -- COMMAND',
      2,
    )
  }
  const known = await readKnown(options.baseline)
  expectReportPlaces(options.report)
  const offered = offeredBy(task)
  const commands = new Commands()
  const server = await RowServer.start(settings)
  const suite = new SuiteRunner({ words, junit: options.junit, server, commands, offered })
  const interruption = new Interruption(() => commands.stop())
  const progress = new Progress(process.stderr)
  const tools = { server, runs: new RowRuns(suite), interruption, progress, offered }
  try {
    const result = await exploreWith(task, known, tools)
    progress.clear()
    writeReports(exploreReport(result), options.report, stdout, process.env)
    return interruption.code ?? (newDependencies(result).length > 0 ? 4 : 0)
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    // Before the usual runs have ended nothing is known.
    return interruption.code ?? 1
  } finally {
    progress.clear()
    commands.stop()
    interruption.end()
    await server.stop()
    suite.clear()
  }
}

/** The choices that may be tried: none at gaps that are set on purpose, and of what nobody promises only when asked. */
function offeredBy({ options, settings: { gap: set } }: ExploreTask): readonly GapChoice[] {
  return otherChoices(parseGaps(set)).filter(({ gap }) => {
    return !Object.hasOwn(set, gap) && (options.all || !unpromisedGaps.includes(gap))
  })
}

async function exploreWith(
  task: ExploreTask,
  known: readonly KnownDependency[],
  { server, runs, interruption, progress, offered }: Tools,
): Promise<ExploreResult> {
  const { options, settings, words, given } = task
  const usual = await usualRuns(
    { run: () => runs.run([]), strays: () => server.strays(), cannot: 'Cannot explore' },
    jobsOf(options),
    options.junit,
  )
  runs.prepare(usual.runs, usual.jobs)
  const explorer = new Explorer({
    strength: options.strength === 3 ? 3 : 2,
    seed: settings.seed,
    choices: offered,
    tries: options.all ? 'all' : 'mattering',
    usual: usual.runs,
    run: (row) => runs.run(row),
  })
  try {
    do progress.show({ done: explorer.runs, left: explorer.left, jobs: usual.jobs })
    while (await explorer.round())
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
  }
  const { found } = explorer
  expectSteady(found, usual.runs)
  return {
    found,
    tests: testsIn(usual),
    known,
    notes: notesOf(usual, runs, server.strays()),
    isInterrupted: interruption.code !== undefined,
    commandFor: (row) => execLine({ options: given, words }, row),
  }
}

/** Runs that write the same file follow each other. */
function jobsOf({ jobs, junit }: ExplorerOptions): number | undefined {
  return junit === undefined || junit.includes('{row}') ? jobs : 1
}

function testsIn({ runs }: UsualRuns): number {
  const names = new Set(runs.flatMap(({ results }) => [...results.keys()]))
  names.delete(wholeSuite)
  return names.size
}

function notesOf({ areDisturbed }: UsualRuns, { slow }: RowRuns, strays: number): string[] {
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
