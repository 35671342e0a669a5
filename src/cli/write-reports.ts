import { appendFileSync } from 'node:fs'
import { namesOf } from '../input/record.ts'
import { described, refuseValue, type Schema } from '../input/schema.ts'
import { markdownReport, type ReportFormat, reportFormats } from '../reports/formats.ts'
import type { Report } from '../reports/report.ts'
import { CliError, writeReasonOf } from './cli-error.ts'
import { expectPlace, writeFile } from './files.ts'
import { splitText } from './settings.ts'

/** The formats that a report can have. */
const reportFormatNames = namesOf(reportFormats)

/** A report to write: a format, and a file for it. */
export interface ReportTarget {
  readonly format: ReportFormat
  /** `undefined` for standard output. */
  readonly file: string | undefined
}

const use = `a format (${reportFormatNames.join(', ')}), or a format and its file, such as junit=report.xml`

const target: Schema<string, ReportTarget> = {
  use,
  describe: () => ({ type: 'string', examples: reportFormatNames.map((name) => `${name}=`) }),
  read(found) {
    const [name, ...rest] = typeof found === 'string' ? found.split('=') : []
    const format = reportFormatNames.find((one) => one === name)
    const file = rest.length === 0 ? undefined : rest.join('=')
    if (format === undefined || file === '') return refuseValue(found, use)
    return { format, file }
  },
  write: ({ format, file }) => (file === undefined ? format : `${format}=${file}`),
}

/** The reports that a command is to write. */
export const reportTargets: Schema<unknown, readonly ReportTarget[]> = described(
  'Format of the report, or FORMAT=FILE; may be repeated',
  {
    use,
    describe: () => ({ type: 'array', items: target.describe() }),
    read: (found) => [found].flat().flatMap(splitText).map(target.read),
    write: (targets) => targets.map(target.write),
  },
)

/**
 * Makes sure that reports can be written later on, and makes the folders of their files.
 *
 * @throws {@link CliError} when one can't be written.
 */
export function expectReportPlaces(targets: readonly ReportTarget[]): void {
  for (const { file } of targets) if (file !== undefined) expectPlace(file)
}

/**
 * Writes a report in each format asked for, to its file or to standard output; with `github` also to the summary of the
 * job, where there is one. Makes the folders of the files.
 *
 * @throws {@link CliError} when a file can't be written, once all others are.
 */
export function writeReports(
  report: Report,
  targets: readonly ReportTarget[],
  stdout: { write(text: string): unknown },
  { GITHUB_STEP_SUMMARY: jobSummary }: NodeJS.ProcessEnv,
): void {
  const problems: CliError[] = []
  for (const { format, file } of targets) {
    try {
      const text = `${reportFormats[format](report)}\n`
      if (file === undefined) stdout.write(text)
      else {
        expectPlace(file)
        writeFile(file, text, 0o666)
      }
      if (format === 'github' && jobSummary) appendTo(jobSummary, `${markdownReport(report)}\n`)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      problems.push(error)
    }
  }
  for (const problem of problems) throw problem
}

function appendTo(file: string, text: string): void {
  try {
    appendFileSync(file, text)
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${writeReasonOf(error)}`, 1)
  }
}
