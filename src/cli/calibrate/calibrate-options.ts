import { object, optional, withDefault } from '../../input/object.ts'
import { described } from '../../input/schema.ts'
import { text } from '../../input/values.ts'
import { reportTargets } from '../write-reports.ts'

/** The options of `calibrate`. */
export const calibrateOptions = object({
  'base-url': optional(
    described('Where the API is, such as https://api.example.com/v1', text(), {
      default: "found from the requests' paths",
    }),
  ),
  report: withDefault(reportTargets, [{ format: 'pretty', file: undefined }]),
  write: optional(
    described('Config file to which to add the choices that are shown', text(), { format: 'path' }),
  ),
  baseline: optional(
    described('Earlier report in JSON; then only what has changed since fails', text(), {
      format: 'path',
    }),
  ),
})
