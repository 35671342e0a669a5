import { severities } from '../../audit/finding.ts'
import { object, optional, withDefault } from '../../input/object.ts'
import { described, type Read } from '../../input/schema.ts'
import { flag, oneOf, text } from '../../input/values.ts'
import { remoteOptions } from '../remote/remote-options.ts'
import { reportTargets } from '../write-reports.ts'

const verdict = {
  'fail-on': withDefault(
    described('Lowest severity of a finding that makes the exit code 4', oneOf(severities)),
    'error',
  ),
  'one-client': withDefault(
    described(
      'Judge each key as a single client, even if it sends requests at the same time',
      flag,
    ),
    false,
  ),
  report: withDefault(reportTargets, [{ format: 'pretty', file: undefined }]),
} as const

const { json: _json, quiet: _quiet, ...place } = remoteOptions.properties

/** The options of `audit`. */
export const auditCommandOptions = object({
  ...verdict,
  config: optional(
    described('JSON file with the audit exceptions', text(), {
      format: 'path',
      default: 'petstore-sandbox.config.json, if it exists',
    }),
  ),
  ...place,
})

export type AuditCommandOptions = Read<typeof auditCommandOptions>

/** The options that `exec` has beside those of `serve`. */
export const execAuditOptions = object({
  audit: withDefault(
    described('Report which rules of the interface the command broke', flag),
    false,
  ),
  ...verdict,
})

export type ExecAuditOptions = Read<typeof execAuditOptions>
