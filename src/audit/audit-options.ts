import { object, optional } from '../input/object.ts'
import { described, type Given, type Read } from '../input/schema.ts'
import { flag } from '../input/values.ts'

/** How to judge. */
export const auditOptions = object(
  {
    /** Whether each key is used by a single client, so that what one connection was told, the others know. */
    oneClient: optional(
      described(
        'Whether each key belongs to a single client, however many connections it uses.',
        flag,
      ),
      false,
    ),
  },
  { title: 'audit', example: '{ "oneClient": true }' },
)

/** How to judge. */
export type AuditOptions = Given<typeof auditOptions>

export type ReadAuditOptions = Read<typeof auditOptions>
