import { list } from '../../input/collections.ts'
import { object, optional, withDefault } from '../../input/object.ts'
import { described, type Given, type Read, type Schema } from '../../input/schema.ts'
import { number, string } from '../../input/values.ts'
import { allOption, remoteOptions } from '../remote/remote-options.ts'
import { readSettings, settingList, splitText } from '../usage/settings.ts'
import { reportTargets } from '../write-reports.ts'

const percentage = optional(number('a percentage from 0 to 100', { minimum: 0, maximum: 100 }))

/** How many percent of each tier have to be met at least. */
const thresholds = object(
  { outcomes: percentage, values: percentage, situations: percentage, gaps: percentage },
  { title: 'fail-under', example: '{ "outcomes": 100 }' },
)

export type Thresholds = Given<typeof thresholds>

/** Thresholds as `tier=percentage`, several with commas. */
const thresholdWords: Schema<unknown, Thresholds> = {
  ...settingList(
    thresholds,
    'Minimum coverage of a tier, as tier=percentage; below it the exit code is 4; may be repeated',
  ),
  read: (found) => readSettings(thresholds, [found].flat().flatMap(splitText), 'outcomes=100'),
  write: (read) => read,
}

const { json: _json, quiet: _quiet, ...place } = remoteOptions.properties

/** The options of `coverage`. */
export const coverageOptions = object({
  'fail-under': withDefault(thresholdWords, {}),
  report: withDefault(reportTargets, [{ format: 'pretty', file: undefined }]),
  all: allOption,
  ...place,
})

export type CoverageOptions = Read<typeof coverageOptions>

/** The words of `coverage`. */
export const coverageWords = {
  folders: optional(
    described(
      'Folders that PETSTORE_COVERAGE_DIR named, or files in them; without any, the running sandbox is asked',
      list(string),
    ),
    [],
  ),
} as const
