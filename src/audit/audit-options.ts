import { object, optional } from '../input/object.ts'
import { described, type Given, type Read } from '../input/schema.ts'
import { flag } from '../input/values.ts'

/** How to judge. */
export const auditOptions = object(
  {
    /** Whether each key is used by a single client, even if it sends requests at the same time. */
    oneClient: optional(
      described(
        'Whether each key belongs to a single client, even if it has several requests under way at once.',
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
