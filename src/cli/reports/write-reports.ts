import { appendFileSync } from 'node:fs'
import { writeReasonOf } from '../files/reason-of.ts'
import { writeFile } from '../files/write-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { markdownReport } from './markdown-report.ts'
import type { Report } from './report.ts'
import { reportFormats } from './report-formats.ts'
import type { ReportTarget } from './report-option.ts'

/**
 * Writes a report in each format asked for, to its file or to standard output; with `github` also to the summary of the
 * job, where there is one.
 *
 * @throws {@link CliError} when a file can't be written.
 */
export function writeReports(
  report: Report,
  targets: readonly ReportTarget[],
  stdout: NodeJS.WritableStream,
  { GITHUB_STEP_SUMMARY: jobSummary }: NodeJS.ProcessEnv,
): void {
  for (const { format, file } of targets) {
    const text = `${reportFormats[format](report)}\n`
    if (file === undefined) stdout.write(text)
    else writeFile(file, text, 0o666)
    if (format === 'github' && jobSummary) appendTo(jobSummary, `${markdownReport(report)}\n`)
  }
}

function appendTo(file: string, text: string): void {
  try {
    appendFileSync(file, text)
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${writeReasonOf(error)}`, 1)
  }
}
