import { appendFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { markdownReport, type ReportFormat, reportFormats } from '../checks/reports/formats.ts'
import type { Level, Paint, Report } from '../checks/reports/report.ts'
import { namesOf } from '../mock/input/record.ts'
import { described, rejectValue, type Schema } from '../mock/input/schema.ts'
import { CliError, writeReasonOf } from './cli-error.ts'
import { expectPlace, writeFile } from './files.ts'
import { splitText } from './option-schemas.ts'

/** Formats of reports. */
const reportFormatNames = namesOf(reportFormats)

/** Report to write: its format and file. */
export interface ReportTarget {
  readonly format: ReportFormat
  /** `undefined` for standard output. */
  readonly file: string | undefined
}

const expected = `a format (${reportFormatNames.join(', ')}), or a format and its file, such as junit=report.xml`

const target: Schema<string, ReportTarget> = {
  expected,
  jsonSchema: () => ({ type: 'string', examples: reportFormatNames.map((name) => `${name}=`) }),
  parse(found) {
    const [name, ...rest] = typeof found === 'string' ? found.split('=') : []
    const format = reportFormatNames.find((one) => one === name)
    const file = rest.length === 0 ? undefined : rest.join('=')
    if (file === '') return rejectValue(found, expected)
    if (format === undefined) return rejectValue(found, expected, reportFormatNames)
    return { format, file }
  },
  encode: ({ format, file }) => (file === undefined ? format : `${format}=${file}`),
}

/** Schema of the reports that a command writes. */
export const reportTargets: Schema<unknown, readonly ReportTarget[]> = described(
  'Format of the report, or FORMAT=FILE, beside the one on standard output; may be repeated',
  {
    expected,
    jsonSchema: () => ({ type: 'array', items: target.jsonSchema() }),
    parse: (found) => [found].flat().flatMap(splitText).map(target.parse),
    encode: (targets) => targets.map(target.encode),
  },
)

/** Options about the reports that a command writes. */
export interface ReportChoice {
  readonly report: readonly ReportTarget[]
  /** Whether JSON replaces other reports on standard output. */
  readonly json: boolean
}

/** Lists the reports to write: those in files, and at least one on standard output, by default for people. */
function targetsOf({ report, json }: ReportChoice): readonly ReportTarget[] {
  const files = report.filter(({ file }) => file !== undefined)
  if (json) return [{ format: 'json', file: undefined }, ...files]
  return files.length < report.length ? report : [{ format: 'pretty', file: undefined }, ...files]
}

/**
 * Checks that reports can be written later, and creates the folders of their files.
 *
 * @throws {@link CliError} if one can't be written.
 */
export function expectReportPlaces(targets: readonly ReportTarget[]): void {
  for (const { file } of targets) if (file !== undefined) expectPlace(file)
}

/**
 * Writes a report in each requested format, to its file or to standard output, which always gets one; `github` also
 * adds it to the job summary, if there is one. Creates the folders of the files.
 *
 * @throws {@link CliError} if a file can't be written, after writing all others.
 */
export function writeReports(
  report: Report,
  choice: ReportChoice,
  stdout: { write(text: string): unknown },
  { GITHUB_STEP_SUMMARY: jobSummary }: NodeJS.ProcessEnv,
): void {
  const problems: CliError[] = []
  for (const { format, file } of targetsOf(choice)) {
    try {
      if (file === undefined) {
        stdout.write(`${reportFormats[format](report, painterFor(stdout))}\n`)
      } else {
        expectPlace(file)
        writeFile(file, `${reportFormats[format](report)}\n`, 0o666)
      }
      if (format === 'github' && jobSummary) appendTo(jobSummary, `${markdownReport(report)}\n`)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      problems.push(error)
    }
  }
  for (const problem of problems) throw problem
}

/** Colours of levels; `info` has none. */
const colors = { error: 'red', warning: 'yellow', ok: 'green' } as const satisfies {
  readonly [One in Level]?: string
}

/** Returns a function that colours text on a terminal, unless variables such as `NO_COLOR` disable that. */
function painterFor(stream: unknown): Paint {
  return (level, text) =>
    level === 'info' || !(stream instanceof Writable)
      ? text
      : styleText(colors[level], text, { stream })
}

function appendTo(file: string, text: string): void {
  try {
    appendFileSync(file, text)
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${writeReasonOf(error)}`, 1)
  }
}
