import { type OperationName, operationNames } from '../../contract/endpoints.ts'
import { instant } from '../../input/instant.ts'
import { object, optional } from '../../input/object.ts'
import { described, type Given, type Read } from '../../input/schema.ts'
import { either, oneOf, text, whole } from '../../input/values.ts'
import { redactKey } from '../redact.ts'
import type { Exchange } from './exchange.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { KeptExchange } from './kept-exchange.ts'

const outcomeStatus = either(whole(100, 599), oneOf(['disconnect', 'timeout']))

const method = text({ use: 'a method such as GET', pattern: /^[A-Za-z]+$/, most: 100 })

/** Which entries to give; what is left out doesn't matter. */
export const journalFilter = object(
  {
    operation: optional(described('Only of this operation.', oneOf<OperationName>(operationNames))),
    method: optional(described('Only with this method, in any letter case.', method)),
    /** A status, or `disconnect` or `timeout`. */
    status: optional(described('Only with this status, or broken in this way.', outcomeStatus)),
    /** A key, whole or as the journal shows it. */
    key: optional(described('A key, whole or as the journal shows it.', text())),
    /** From this instant of the sandbox's clock on. */
    since: optional(described('From this instant on.', instant)),
    /** Up to, and without, this instant. */
    until: optional(described('Up to, and without, this instant.', instant)),
    /** Only entries with a higher id. */
    after: optional(described('Only entries with a higher id.', whole(0, 1e15))),
    /** At most so many, the latest. */
    limit: optional(described('At most so many, the latest.', whole(1, 1e9))),
  },
  { title: 'filter', example: '{ "status": 429 }' },
)

/** Which entries to give; what is left out doesn't matter. */
export type JournalQuery = Given<typeof journalFilter>

/** Which entries to give, read. */
export type JournalFilter = Read<typeof journalFilter>

/** Whether an exchange fits a filter. */
export function fitsFilter({ id, token, exchange }: KeptExchange, filter: JournalFilter): boolean {
  const at = typeof exchange.at === 'number' ? exchange.at : Date.parse(exchange.at)
  const { outcome } = exchange
  const status = 'status' in outcome ? outcome.status : outcome.kind
  return (
    (filter.after === undefined || id > filter.after) &&
    (filter.operation === undefined || filter.operation === exchange.operation) &&
    (filter.method === undefined || filter.method.toUpperCase() === exchange.request.method) &&
    (filter.status === undefined || filter.status === status) &&
    (filter.key === undefined || hasKey(exchange, token, filter.key)) &&
    (filter.since === undefined || at >= filter.since) &&
    (filter.until === undefined || at < filter.until)
  )
}

function hasKey(
  exchange: Exchange | JournalEntry,
  token: string | undefined,
  key: string,
): boolean {
  if (token !== undefined) return token === key || (token !== '' && redactKey(token) === key)
  return 'why' in exchange && (exchange.key === key || exchange.key === redactKey(key))
}
