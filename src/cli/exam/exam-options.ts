import { object, optional, withDefault } from '../../input/object.ts'
import { described, type Read } from '../../input/schema.ts'
import { oneOf, text } from '../../input/values.ts'
import { exploredOptions, explorerOptions } from '../explore/explore-options.ts'
import { reportTargets } from '../reports/report-option.ts'
import { textList } from '../usage/text-list.ts'
import { paperNames } from './papers/paper-names.ts'

const { jobs, junit } = explorerOptions.properties

const names = textList(oneOf(paperNames))

/** The options that only `exam` has. */
export const examinerOptions = object({
  only: optional(described('Papers to set, and no others; may be repeated', names)),
  skip: withDefault(described('Papers to leave out; may be repeated', names), []),
  jobs,
  junit,
  badge: optional(described('File for a badge, in SVG', text(), { format: 'path' })),
  report: withDefault(reportTargets, [{ format: 'pretty', file: undefined }]),
})

export type ExaminerOptions = Read<typeof examinerOptions>

/** All options of `exam`. */
export const examOptions = object({
  ...examinerOptions.properties,
  ...exploredOptions.properties,
})
