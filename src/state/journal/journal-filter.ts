import { type OperationName, operationNames } from '../../contract/endpoints.ts'
import { methodName } from '../../contract/http/method-name.ts'
import { instant } from '../../input/instant.ts'
import { object, optional } from '../../input/object.ts'
import { described, type Given, type Read } from '../../input/schema.ts'
import { either, oneOf, text, whole } from '../../input/values.ts'
import { redactKey } from '../redactor.ts'
import type { Exchange } from './exchange.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { KeptExchange } from './kept-exchange.ts'

/** How an exchange ended: with a status, or by a broken connection. */
export const outcomeStatus = either(whole(100, 599), oneOf(['disconnect', 'timeout']))

/** Which entries to return; filters left out match everything. */
export const journalFilter = object(
  {
    operation: optional(described('Only of this operation.', oneOf<OperationName>(operationNames))),
    method: optional(described('Only with this method, in any letter case.', methodName)),
    /** A status, `disconnect` or `timeout`. */
    status: optional(described('Only with this status, or broken in this way.', outcomeStatus)),
    /** A key, whole or abbreviated as the journal shows it. */
    key: optional(described('A key, whole or abbreviated as the journal shows it.', text())),
    /** From this instant on, by the sandbox's clock. */
    since: optional(described("From this instant on, by the sandbox's clock.", instant)),
    /** Before this instant. */
    until: optional(described("Before this instant, by the sandbox's clock.", instant)),
    /** Only entries with a higher id. */
    after: optional(described('Only entries with a higher id.', whole(0, 1e15))),
    /** Return at most this many, the latest ones. */
    limit: optional(described('Return at most this many, the latest ones.', whole(1, 1e9))),
  },
  { title: 'filter', example: '{ "status": 429 }' },
)

/** Which entries to return; filters left out match everything. */
export type JournalQuery = Given<typeof journalFilter>

/** Parsed {@link JournalQuery}. */
export type JournalFilter = Read<typeof journalFilter>

/** Whether an exchange matches a filter. */
export function matchesFilter(
  { id, token, exchange }: KeptExchange,
  filter: JournalFilter,
): boolean {
  const at = typeof exchange.at === 'number' ? exchange.at : Date.parse(exchange.at)
  const { outcome } = exchange
  const status = 'status' in outcome ? outcome.status : outcome.kind
  return (
    (filter.after === undefined || id > filter.after) &&
    (filter.operation === undefined || filter.operation === exchange.operation) &&
    (filter.method === undefined || filter.method === exchange.request.method) &&
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
