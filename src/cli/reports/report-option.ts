import { described, refuseValue, type Schema } from '../../input/schema.ts'
import { splitText } from '../usage/settings.ts'

/** The formats that a report can have. */
export const reportFormatNames = ['pretty', 'json', 'junit', 'github', 'markdown'] as const

export type ReportFormat = (typeof reportFormatNames)[number]

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
