import { parseGaps } from '../../contract/gap-settings.ts'
import { unpromisedGaps } from '../../contract/openapi/gap-descriptions.ts'
import { type GapChoice, otherChoices } from '../../explore/other-choices.ts'
import type { Exception } from '../audit/exceptions.ts'
import { execLine, shellLine } from '../explore/exec-line.ts'
import { Interrupted, Interruption } from '../explore/interruption.ts'
import { Progress } from '../explore/progress.ts'
import { Commands } from '../explore/suite/commands.ts'
import { RowServer } from '../explore/suite/row-server.ts'
import { SuiteRunner } from '../explore/suite/suite-runner.ts'
import { expectPlace } from '../files/expect-place.ts'
import { writeFile } from '../files/write-file.ts'
import { badgeSvg } from '../reports/badge.ts'
import { expectReportPlaces, writeReports } from '../reports/write-reports.ts'
import { readExceptions } from '../serve/config-file.ts'
import type { ServeSettings } from '../serve/serve-settings.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { ExaminerOptions } from './exam-options.ts'
import { examBadge, examReport } from './exam-report.ts'
import { Examination } from './examination.ts'

/** What is examined, and how. */
export interface ExamTask {
  readonly options: ExaminerOptions
  readonly settings: ServeSettings
  /** The options of the sandboxes as they were given, for the lines that set a paper again. */
  readonly given: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

/**
 * Runs a command in many situations, and reports how the client in it gets through them.
 *
 * @returns The exit code: 0, 4 if something is to be mended, or 128 plus the number of the signal that ended it.
 * @throws {@link CliError} with exit code 5 when the command can't be examined.
 */
export async function exam(task: ExamTask, stdout: NodeJS.WritableStream): Promise<number> {
  const { options, settings, words } = task
  if ((words[0] ?? '') === '') {
    throw new CliError('Cannot run exam: the command is missing; use exam [options] -- COMMAND', 2)
  }
  const exceptions = await readExceptions(settings.config)
  expectReportPlaces(options.report)
  if (options.badge !== undefined) expectPlace(options.badge)
  const commands = new Commands()
  const server = await RowServer.start({ ...settings, coverage: true })
  const suiteFor = (offered: readonly GapChoice[]): SuiteRunner =>
    new SuiteRunner({ words, junit: options.junit, server, commands, offered })
  const [comparing, plain] = [suiteFor(choicesBeside(settings)), suiteFor([])]
  const interruption = new Interruption(() => commands.stop())
  try {
    const examination = new Examination({
      options,
      seed: settings.seed,
      excepted: rulesOf(exceptions, Date.now()),
      choices: choicesBeside(settings),
      comparing,
      plain,
      strays: () => server.strays(),
      progressOf: (name) => new Progress(process.stderr, name),
      commandFor: (names) =>
        shellLine('exam', { options: task.given, words }, ['--only', names.join(',')]),
      execFor: (row) => execLine({ options: task.given, words }, row),
    })
    const result = await examination.run()
    const report = examReport(result)
    writeReports(report, options.report, stdout, process.env)
    if (options.badge !== undefined)
      writeFile(options.badge, `${badgeSvg(examBadge(result))}\n`, 0o666)
    return interruption.code ?? (result.causes.some(({ grade }) => grade === 'mend') ? 4 : 0)
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    // Before the usual runs have ended nothing is known.
    return interruption.code ?? 1
  } finally {
    commands.stop()
    interruption.end()
    await server.stop()
    comparing.clear()
    plain.clear()
  }
}

/** @param now Unix milliseconds of real time, since exceptions are about code and not about a sandbox. */
function rulesOf(exceptions: readonly Exception[], now: number): ReadonlySet<string> {
  const inForce = exceptions.filter(({ until }) => until === undefined || until > now)
  return new Set(inForce.map(({ rule }) => rule))
}

/** The choices that the paper `explore` tries: as `explore` does by default. */
function choicesBeside({ gap: set }: ServeSettings): readonly GapChoice[] {
  return otherChoices(parseGaps(set)).filter(
    ({ gap }) => !Object.hasOwn(set, gap) && !unpromisedGaps.includes(gap),
  )
}
