import { type OperationName, operationNames } from '../../contract/endpoints.ts'
import {
  InputError,
  isRecord,
  parseOneOf,
  parseWhole,
  refuseUnknown,
  show,
} from '../../input/input-error.ts'
import { type Instant, parseInstant } from '../../input/instant.ts'
import type { JournalEntry, JournalFilter } from '../../state/journal/journal-entry.ts'
import type { Access } from './access.ts'
import { type HarDocument, toHar } from './har.ts'
import { MissingError } from './missing-error.ts'

/** Which entries to give; what is left out doesn't matter. */
export interface JournalQuery {
  readonly operation?: OperationName
  readonly method?: string
  /** A status, or `disconnect` or `timeout`. */
  readonly status?: number | 'disconnect' | 'timeout'
  /** A key, whole or as the journal shows it. */
  readonly key?: string
  /** From this instant of the sandbox's clock on. */
  readonly since?: Instant
  /** Up to, and without, this instant. */
  readonly until?: Instant
  /** Only entries with a higher id. */
  readonly after?: number
  /** At most so many, the latest. */
  readonly limit?: number
}

/** The latest exchanges. */
export interface JournalControls {
  /** The entries that fit, oldest first. */
  entries(query?: JournalQuery): JournalEntry[]
  /** The latest entry, if there is one. */
  last(query?: JournalQuery): JournalEntry | undefined
  get(id: number): JournalEntry
  clear(): void
  /** The entries that fit as HAR 1.2, for a browser's developer tools. */
  har(query?: JournalQuery, origin?: string): HarDocument
  /** Calls a listener with each entry to come, over resets too; returns what ends that. */
  subscribe(listener: (entry: JournalEntry) => void): () => void
}

/** Makes the controls of a sandbox's journal. */
export function journalControls({ state }: Access): JournalControls {
  const entries = (query: JournalQuery = {}) => state().journal.entries(parseQuery(query))
  return {
    entries,
    last: (query) => entries(query).at(-1),
    get(id) {
      const entry = state().journal.get(id)
      if (entry !== undefined) return entry
      throw new MissingError(`Cannot find request ${show(id)}: the journal has no such entry`)
    },
    clear: () => state().journal.clear(),
    har: (query, origin) => toHar(entries(query), origin),
    subscribe: (listener) => state().journal.subscribe(listener),
  }
}

const queryNames = ['operation', 'method', 'status', 'key', 'since', 'until', 'after', 'limit']

function parseQuery(query: unknown): JournalFilter {
  if (!isRecord(query)) {
    throw new InputError(
      `Cannot query the journal: found ${show(query)}; use an object such as { status: 429 }`,
    )
  }
  refuseUnknown(query, queryNames, 'the query')
  const { operation, method, status, key, since, until, after, limit } = query
  return {
    ...(operation === undefined
      ? {}
      : { operation: parseOneOf(operation, operationNames, 'the operation') }),
    ...(method === undefined ? {} : { method: parseText(method, 'the method').toUpperCase() }),
    ...(status === undefined ? {} : { status: parseStatus(status) }),
    ...(key === undefined ? {} : { key: parseText(key, 'the key') }),
    ...(since === undefined ? {} : { since: parseInstant(since, 'since') }),
    ...(until === undefined ? {} : { until: parseInstant(until, 'until') }),
    ...(after === undefined ? {} : { after: parseWhole(toNumber(after), 0, 1e15, 'after') }),
    ...(limit === undefined ? {} : { limit: parseWhole(toNumber(limit), 1, 1e9, 'limit') }),
  }
}

function parseStatus(status: unknown): number | 'disconnect' | 'timeout' {
  if (status === 'disconnect' || status === 'timeout') return status
  const number = toNumber(status)
  if (typeof number === 'number' && Number.isInteger(number) && number >= 100 && number <= 599) {
    return number
  }
  throw new InputError(
    `Cannot set status: found ${show(status)}; use a whole number from 100 to 599, disconnect or timeout`,
  )
}

function parseText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new InputError(`Cannot set ${what}: found ${show(value)}; use a text`)
}

/** A number that may come as text, as it does from a URL. */
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
}
