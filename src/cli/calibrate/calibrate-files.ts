import { existsSync, readFileSync } from 'node:fs'
import { applyEdits, type ModificationOptions, modify } from 'jsonc-parser'
import { type Calibration, calibrate, isAsExpected } from '../../calibrate/calibrate.ts'
import { expectArchive } from '../../calibrate/read-archives.ts'
import { gapSettings } from '../../contract/gap-settings.ts'
import { defaultGaps, formatChoice, type GapName, gapNames, gaps } from '../../contract/gaps.ts'
import { isRecord } from '../../input/record.ts'
import type { Read } from '../../input/schema.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { writeFile } from '../files/write-file.ts'
import { readConfigFile } from '../serve/config-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { readSettings } from '../usage/settings.ts'
import { writeReports } from '../write-reports.ts'
import type { calibrateOptions } from './calibrate-options.ts'
import { calibrationReport } from './calibration-report.ts'

/**
 * Reports which service archives were recorded with, and writes its choices to a config file if asked.
 *
 * @returns The exit code: 0 if all is as expected, else 4.
 * @throws {@link CliError} for what can't be read, and where there is nothing to judge.
 */
export async function calibrateFiles(
  files: readonly string[],
  options: Read<typeof calibrateOptions>,
  stdout: NodeJS.WritableStream,
): Promise<number> {
  const archives: unknown[] = []
  for (const file of files) archives.push(await asUsage(() => readJsonFile(file, expectArchive)))
  const { baseline: earlier } = options
  const baseline =
    earlier === undefined ? undefined : await asUsage(() => readJsonFile(earlier, (found) => found))
  const report = calibrate(archives, { baseUrl: options['base-url'], baseline })
  const edited = options.write === undefined ? undefined : await editedConfig(options.write, report)
  writeReports(calibrationReport(report), options.report, stdout, process.env)
  if (report.exchanges.judged === 0) {
    const where =
      report.baseUrl === null ? 'to /v1/pets; use --base-url' : `under ${report.baseUrl}`
    throw new CliError(
      `Cannot judge the service: the archives have no reply to a request ${where}`,
      5,
    )
  }
  if (options.write !== undefined && edited !== undefined) writeFile(options.write, edited, 0o666)
  return isAsExpected(report) ? 0 : 4
}

/** Reads a file that the command is about: one that can't be used is wrong usage. */
async function asUsage<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof CliError ? new CliError(error.message, 2) : error
  }
}

const layout: ModificationOptions = {
  formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' },
}

/** Gives the text of a config file with the choices that are shown; everything else in it stays. */
async function editedConfig(file: string, report: Calibration): Promise<string> {
  const isNew = !existsSync(file)
  const before = isNew ? {} : await asUsage(() => readConfigFile(file))
  const text = isNew ? '{}\n' : readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  const { gap } = before
  const isPlain = gap === undefined || isRecord(gap)
  // Words are replaced by what they say.
  const words = isPlain ? undefined : readSettings(gapSettings, [gap].flat(), 'banAfter=3')
  let edited = words === undefined ? text : applyEdits(text, modify(text, ['gap'], words, layout))
  if (gap === undefined) edited = applyEdits(edited, modify(edited, ['gap'], {}, layout))
  const known: unknown = words ?? gap
  for (const name of gapNames) {
    const { verdict, choices } = report.gaps[name]
    const [choice] = choices
    if (verdict !== 'shown' || choice === undefined) continue
    const isUsual = choice === String(formatChoice(name, defaultGaps[name]))
    if (isUsual && !(isRecord(known) && Object.hasOwn(known, name))) continue
    const value = isUsual ? undefined : configValue(name, choice)
    edited = applyEdits(edited, modify(edited, ['gap', name], value, layout))
  }
  return edited.endsWith('\n') ? edited : `${edited}\n`
}

/** A choice as config files have it: a number where it is one. */
function configValue(name: GapName, choice: string): string | number {
  const gap = gaps[name]
  const isNumber =
    gap.kind === 'count' ||
    (gap.kind === 'choice' && gap.choices.some((one) => typeof one === 'number'))
  return isNumber && /^\d+$/.test(choice) ? Number(choice) : choice
}
