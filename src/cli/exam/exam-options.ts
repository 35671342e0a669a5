import { durationFrom } from '../../input/duration.ts'
import { object, optional, withDefault } from '../../input/object.ts'
import { described, type Read } from '../../input/schema.ts'
import { oneOf, text } from '../../input/values.ts'
import { explorerOptions } from '../explore/explore-options.ts'
import { textList } from '../usage/settings.ts'
import { reportTargets } from '../write-reports.ts'
import { checkNames } from './check-names.ts'

const { jobs, junit } = explorerOptions.properties

const names = textList(oneOf(checkNames))

/** How long a run may take at most, which is what a timer of Node can wait for, in whole days. */
const longestPatienceMs = 24 * 86_400_000

/** The options that only `exam` has. */
export const examinerOptions = object({
  only: optional(described('Checks to run, and no others; may be repeated', names)),
  skip: withDefault(described('Checks to leave out; may be repeated', names), []),
  jobs,
  patience: optional(
    described(
      'How long a run of a check may take, such as 60s',
      durationFrom(1, longestPatienceMs),
      {
        default: 'three times a baseline run',
      },
    ),
  ),
  junit,
  badge: optional(described('File for a badge, in SVG', text(), { format: 'path' })),
  report: withDefault(reportTargets, [{ format: 'pretty', file: undefined }]),
})

export type ExaminerOptions = Read<typeof examinerOptions>
