import { finding } from '../../audit/finding.ts'
import { gapNames } from '../../contract/gaps.ts'
import { list } from '../../input/collections.ts'
import { instantText } from '../../input/instant.ts'
import { object, optional } from '../../input/object.ts'
import { described, type Given, named } from '../../input/schema.ts'
import { either, oneOf, string, whole } from '../../input/values.ts'
import { rateLimitMode } from '../../state/beginning.ts'
import { outcomeStatus } from '../../state/journal-entry.ts'
import { clockView } from './clock-view.ts'
import { faultView } from './fault-view.ts'
import { keyView } from './key-view.ts'

const count = whole(0, 1e15)

const changedGap = object(
  {
    gap: oneOf(gapNames),
    choice: either(string, whole(0, 1e15)),
    default: either(string, whole(0, 1e15)),
  },
  { unknown: 'ignore' },
)

const recentRequest = object(
  {
    id: whole(1, 1e15),
    at: instantText,
    method: string,
    url: string,
    key: optional(described('The beginning of the key, if one was sent.', string)),
    status: described('The status, or how the connection broke.', outcomeStatus),
    why: described('Why it was answered this way, with the clause or gap.', string),
  },
  { unknown: 'ignore' },
)

/** Where a sandbox stands, at a glance. */
export const statusView = named(
  'Status',
  object(
    {
      clock: clockView,
      rateLimit: rateLimitMode,
      counts: described(
        'How many there are in all.',
        object({ pets: count, keys: count, faults: count }, { unknown: 'ignore' }),
      ),
      keys: described('The first 20 keys.', list(keyView)),
      faults: described('The first 20 faults.', list(faultView)),
      gaps: described('The gaps whose choice is not the default.', list(changedGap)),
      requests: described('The latest 5 exchanges, oldest first.', list(recentRequest)),
      findings: optional(
        described(
          'The findings on clients: how many of each severity, and the worst three. In process, absent until you first ask for a verdict.',
          object(
            {
              judged: count,
              counts: object({ error: count, warning: count, info: count }, { unknown: 'ignore' }),
              worst: list(finding),
            },
            { unknown: 'ignore' },
          ),
        ),
      ),
    },
    { unknown: 'ignore' },
  ),
)

/** Where a sandbox stands, at a glance: what the other controls tell one by one, of the same moment. */
export type Status = Given<typeof statusView>
