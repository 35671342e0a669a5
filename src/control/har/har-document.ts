import { list } from '../../input/collections.ts'
import { object } from '../../input/object.ts'
import { isRecord } from '../../input/record.ts'
import { type Given, named } from '../../input/schema.ts'
import { anyThat, oneOf, string } from '../../input/values.ts'

const harEntry = anyThat('an entry of an HTTP archive', isRecord, { type: 'object' })

/** An HTTP archive 1.2, which browsers' developer tools import. */
export const harDocument = named(
  'Har',
  object({
    log: object({
      version: oneOf(['1.2']),
      creator: object({ name: string, version: string }),
      entries: list(harEntry),
    }),
  }),
)

/** An HTTP archive 1.2, which browsers' developer tools import. */
export type HarDocument = Given<typeof harDocument>
