import { appendFileSync } from 'node:fs'
import { expectPlace } from '../files/expect-place.ts'
import { writeReasonOf } from '../files/reason-of.ts'
import { writeFile } from '../files/write-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { markdownReport } from './markdown-report.ts'
import type { Report } from './report.ts'
import { reportFormats } from './report-formats.ts'
import type { ReportTarget } from './report-option.ts'

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
      else writeTo(file, text)
      if (format === 'github' && jobSummary) appendTo(jobSummary, `${markdownReport(report)}\n`)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      problems.push(error)
    }
  }
  for (const problem of problems) throw problem
}

function writeTo(file: string, text: string): void {
  expectPlace(file)
  writeFile(file, text, 0o666)
}

function appendTo(file: string, text: string): void {
  try {
    appendFileSync(file, text)
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${writeReasonOf(error)}`, 1)
  }
}
