import type { RequestView } from '../../client/connect-sandbox.ts'
import { grouped, namesOf } from '../../mock/input/record.ts'
import type { StateChange } from '../../mock/log/request-view.ts'

/** A kind of request to filter by. */
interface KindOfEntry {
  readonly label: string
  readonly hint: string
  /**
   * @param found Ids of the requests that findings refer to.
   */
  fits(entry: RequestView, found: ReadonlySet<number>): boolean
}

const statusOf = ({ outcome }: RequestView): number => ('status' in outcome ? outcome.status : 0)

/** Kinds of requests, in the order of their chips. */
export const kinds = {
  rejected: {
    label: '4xx',
    hint: 'Rejected requests',
    fits: (entry) => statusOf(entry) >= 400 && statusOf(entry) < 500,
  },
  limited: {
    label: '429',
    hint: 'Requests beyond a limit',
    fits: (entry) => statusOf(entry) === 429,
  },
  errors: {
    label: '5xx',
    hint: 'Server errors, and no response',
    fits: (entry) => !(statusOf(entry) > 0 && statusOf(entry) < 500),
  },
  faults: {
    label: 'faults',
    hint: 'Requests with a fault',
    // A newer server may report faults in another form.
    fits: ({ faults }) => (faults ?? []).length > 0,
  },
  findings: {
    label: 'with findings',
    hint: 'Requests in findings',
    fits: ({ id }, found) => found.has(id),
  },
} satisfies Record<string, KindOfEntry>

export type Kind = keyof typeof kinds

export const kindNames = namesOf(kinds)

/** Filter of the request list. */
export interface EntryFilter {
  /** Text anywhere in the request: URL, headers, bodies, key, why; case-insensitive. */
  readonly search: string
  /** Only requests of one of these kinds; all requests if empty. */
  readonly kinds: readonly Kind[]
  /** First and last instant by the sandbox's clock, ISO 8601 in UTC; `undefined` for no bound. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** Only requests with this key; all requests if `undefined`. */
  readonly key?: string | undefined
  /** Only requests for the pet with this id, in digits. */
  readonly pet?: string | undefined
  /** Only requests of the test with this name. */
  readonly test?: string | undefined
  /** Only error responses with this reason, as returned by {@link reasonKey}. */
  readonly reason?: string | undefined
}

/** Parses the filter from the query of the address. */
export function filterIn(query: URLSearchParams): EntryFilter {
  const shown = (query.get('show') ?? '').split(',')
  return {
    search: query.get('search') ?? '',
    kinds: kindNames.filter((kind) => shown.includes(kind)),
    from: instantIn(query.get('from')),
    to: instantIn(query.get('to')),
    key: query.get('key') ?? undefined,
    pet: query.get('pet') ?? undefined,
    test: query.get('test') ?? undefined,
    reason: query.get('reason') ?? undefined,
  }
}

function instantIn(text: string | null): string | undefined {
  return text === null || Number.isNaN(Date.parse(text)) ? undefined : text
}

/** Returns the query of the address for a filter. */
export function queryOf({ kinds: shown, ...others }: EntryFilter): URLSearchParams {
  const given = Object.entries({ ...others, show: shown.join(',') })
  return new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** Placeholder for the key of requests without one. */
export const noKey = 'no key'

/** Returns the name of a request's key. */
export type KeyOf = (entry: Pick<RequestView, 'client' | 'key'>) => string

/**
 * Creates a function that names the keys of requests: in full if the sandbox has the key, otherwise as the request log
 * abbreviates it.
 */
export function keyNamer(
  keys: readonly { readonly client?: number | undefined; readonly key: string }[],
): KeyOf {
  const ofCallers = new Map(keys.map(({ client, key }) => [client, key]))
  const alike = grouped(keys, ({ key }) => beginningOf(key))
  return ({ client, key: shown }) => {
    if (shown === undefined) return noKey
    const known = ofCallers.get(client)
    // A state restored from another sandbox keeps the client numbers of that sandbox.
    if (known !== undefined && shown === beginningOf(known)) return known
    const [first, ...others] = alike.get(shown) ?? []
    return first === undefined || others.length > 0 ? shown : first.key
  }
}

/** Returns a key as the request log abbreviates it. */
function beginningOf(key: string): string {
  return `${key.slice(0, Math.min(4, Math.floor(key.length / 2)))}…`
}

/** Data that a filter needs besides the request. */
interface MatchContext {
  /** Ids of the requests that findings refer to. */
  readonly found: ReadonlySet<number>
  readonly keyOf: KeyOf
  readonly marks: readonly StateChange[]
  /** Ids that the sandbox found for a search or a pet, bodies included; `undefined` until it responds. */
  readonly ids?: ReadonlySet<number> | undefined
}

/** Returns the distinct names of started tests. */
export function testNames(marks: readonly StateChange[]): readonly string[] {
  return [
    ...new Set(marks.flatMap(({ kind, name }) => (kind === 'test-started' ? (name ?? []) : []))),
  ]
}

/** Returns the name of the test during which a request arrived. */
export function testOf(
  { sequence }: RequestView,
  marks: readonly StateChange[],
): string | undefined {
  const last = marks.findLast(
    (mark) => mark.sequence < sequence.start && mark.kind.startsWith('test-'),
  )
  return last?.kind === 'test-started' ? last.name : undefined
}

/** Returns the reason of an error response, the same for all requests rejected for that reason. */
export function reasonKey({ why, key, operation }: RequestView): string {
  // Without what differs between requests: keys, quoted values, numbers and instants.
  const text = key === undefined ? why : why.replace(key, '…')
  const reason = text
    .replace(/; spec [^;]*/, '')
    .replace(/"[^"]*"|\d[\w:.-]*/g, (one, at) => (at === 0 ? one : '…'))
  return `${reason}; ${operation ?? 'other paths'}`
}

/** Creates a function that returns whether to show a request. */
export function entryMatcher(
  filter: EntryFilter,
  { found, keyOf, marks, ids }: MatchContext,
): (entry: RequestView) => boolean {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean)
  const hasWords = (text: string): boolean => words.every((word) => text.includes(word))
  const { from, to, key } = filter
  const fits = (entry: RequestView): boolean =>
    (from === undefined || Date.parse(entry.at) >= Date.parse(from)) &&
    (to === undefined || Date.parse(entry.at) <= Date.parse(to)) &&
    (key === undefined || keyOf(entry) === key) &&
    (filter.pet === undefined || ids?.has(entry.id) === true) &&
    (filter.test === undefined || testOf(entry, marks) === filter.test) &&
    (filter.reason === undefined || reasonKey(entry) === filter.reason) &&
    (filter.kinds.length === 0 || filter.kinds.some((kind) => kinds[kind].fits(entry, found))) &&
    (words.length === 0 ||
      ids?.has(entry.id) === true ||
      hasWords(`${keyOf(entry)}\n${textOf(entry)}`.toLowerCase()))
  return (entry) => {
    try {
      return fits(entry)
    } catch {
      // The data is unexpected; its row reports that.
      return true
    }
  }
}

/** Measurements of the server's own clock, which nothing searches for and which would match by chance. */
const measured: ReadonlySet<string> = new Set(['receivedMs', 'endedMs', 'durationMs'])

/** Returns all text of a request. */
function textOf(entry: RequestView): string {
  const sought = Object.entries(entry).filter(([name]) => !measured.has(name))
  return valuesOf(Object.fromEntries(sought)).join('\n')
}

function valuesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'object' ? [name, ...valuesOf(member)] : `${name}: ${member}`,
  )
}
