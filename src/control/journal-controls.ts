import { InputError, isRecord, parseWhole, refuseUnknown, show } from '../contract/input.ts'
import { type Instant, parseInstant } from '../contract/instant.ts'
import type { JournalEntry, JournalFilter } from '../state/journal-entry.ts'
import type { Access } from './access.ts'
import { type HarDocument, toHar } from './har.ts'
import { MissingError } from './missing-error.ts'

/** Which entries to give; what is left out doesn't matter. */
export interface JournalQuery {
  readonly operation?: string
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
    ...(operation === undefined ? {} : { operation: String(operation) }),
    ...(method === undefined ? {} : { method: String(method).toUpperCase() }),
    ...(status === undefined ? {} : { status: parseStatus(status) }),
    ...(key === undefined ? {} : { key: String(key) }),
    ...(since === undefined ? {} : { since: parseInstant(since, 'since') }),
    ...(until === undefined ? {} : { until: parseInstant(until, 'until') }),
    ...(after === undefined ? {} : { after: parseWhole(Number(after), 0, 1e15, 'after') }),
    ...(limit === undefined ? {} : { limit: parseWhole(Number(limit), 1, 1e9, 'limit') }),
  }
}

function parseStatus(status: unknown): number | 'disconnect' | 'timeout' {
  if (status === 'disconnect' || status === 'timeout') return status
  return parseWhole(Number(status), 100, 599, 'status')
}
