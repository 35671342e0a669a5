import { toJson } from '../../contract/json/json.ts'
import { githubReport } from './github-report.ts'
import { junitReport } from './junit-report.ts'
import { markdownReport } from './markdown-report.ts'
import { prettyReport } from './pretty-report.ts'
import type { Report } from './report.ts'
import type { ReportFormat } from './report-option.ts'

/** How reports are written, by the name of the format. */
export const reportFormats = {
  pretty: prettyReport,
  json: (report) => visible(toJson(report.json)),
  junit: junitReport,
  github: githubReport,
  markdown: markdownReport,
} as const satisfies Readonly<Record<ReportFormat, (report: Report) => string>>

/** Escapes what JSON may hold as it is, but would control a terminal. */
function visible(json: string): string {
  return json.replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
}
