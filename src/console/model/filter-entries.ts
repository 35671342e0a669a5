import type { RequestView } from '../../client/connect-sandbox.ts'
import { grouped, namesOf } from '../../mock/input/record.ts'
import type { StateChange } from '../../mock/log/request-view.ts'

/** A kind of exchanges that can be picked out. */
interface KindOfEntry {
  readonly label: string
  readonly about: string
  /** @param found The ids of the exchanges that findings name. */
  fits(entry: RequestView, found: ReadonlySet<number>): boolean
}

const statusOf = ({ outcome }: RequestView): number => ('status' in outcome ? outcome.status : 0)

/** The kinds of exchanges, in the order of their chips. */
export const kinds = {
  refused: {
    label: '4xx',
    about: 'Rejected requests',
    fits: (entry) => statusOf(entry) >= 400 && statusOf(entry) < 500,
  },
  limited: {
    label: '429',
    about: 'Requests beyond a limit',
    fits: (entry) => statusOf(entry) === 429,
  },
  errors: {
    label: '5xx',
    about: 'Requests without a response, or with a server error',
    fits: (entry) => !(statusOf(entry) > 0 && statusOf(entry) < 500),
  },
  faults: {
    label: 'faults',
    about: 'Requests that a fault applied to',
    // A newer server may tell of faults in another way.
    fits: ({ faults }) => (faults ?? []).length > 0,
  },
  findings: {
    label: 'findings',
    about: 'Requests that a finding names',
    fits: ({ id }, found) => found.has(id),
  },
} satisfies Record<string, KindOfEntry>

export type Kind = keyof typeof kinds

export const kindNames = namesOf(kinds)

/** Which exchanges to show. */
export interface EntryFilter {
  /** Stands anywhere in the exchange: URL, headers, bodies, key, why; in any letter case. */
  readonly search: string
  /** Only of one of these kinds; of all, if there are none. */
  readonly kinds: readonly Kind[]
  /** From this instant of the sandbox on, and until another, ISO 8601 in UTC; `undefined` for no bound. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** Only those of this key; of all, if `undefined`. */
  readonly key?: string | undefined
  /** Only those of the pet with this id, in digits. */
  readonly pet?: string | undefined
  /** Only those of the test with this name. */
  readonly test?: string | undefined
  /** Only those with this reason. */
  readonly reason?: string | undefined
}

/** Reads from the address which exchanges to show. */
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

/** Writes for the address which exchanges to show. */
export function queryOf({ kinds: shown, ...others }: EntryFilter): URLSearchParams {
  const given = Object.entries({ ...others, show: shown.join(',') })
  return new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** What stands for the key of requests that came without one. */
export const noKey = 'no key'

/** Names the key of an exchange. */
export type KeyOf = (entry: Pick<RequestView, 'client' | 'key'>) => string

/**
 * Makes what names the keys of exchanges: whole, as far as the keys of the sandbox tell; else as the journal abbreviates
 * them.
 */
export function keyNamer(
  keys: readonly { readonly client?: number | undefined; readonly key: string }[],
): KeyOf {
  const ofCallers = new Map(keys.map(({ client, key }) => [client, key]))
  const alike = grouped(keys, ({ key }) => beginningOf(key))
  return ({ client, key: shown }) => {
    if (shown === undefined) return noKey
    const known = ofCallers.get(client)
    // What was restored from another sandbox has the numbers that its callers had there.
    if (known !== undefined && shown === beginningOf(known)) return known
    const [first, ...others] = alike.get(shown) ?? []
    return first === undefined || others.length > 0 ? shown : first.key
  }
}

/** A key, as the journal shows it. */
function beginningOf(key: string): string {
  return `${key.slice(0, Math.min(4, Math.floor(key.length / 2)))}…`
}

/** What a filter needs to know besides requests. */
interface MatchContext {
  /** The ids of the requests that findings name. */
  readonly found: ReadonlySet<number>
  readonly keyOf: KeyOf
  readonly marks: readonly StateChange[]
  /** The ids that the sandbox has found for a search or a pet, bodies included; `undefined` while it hasn't. */
  readonly ids?: ReadonlySet<number> | undefined
}

/** Returns the names of the tests that marks tell of, each once. */
export function testNames(marks: readonly StateChange[]): readonly string[] {
  return [
    ...new Set(marks.flatMap(({ kind, name }) => (kind === 'test-started' ? (name ?? []) : []))),
  ]
}

/** Returns the name of the test in which a request came. */
export function testOf(
  { sequence }: RequestView,
  marks: readonly StateChange[],
): string | undefined {
  const last = marks.findLast(
    (mark) => mark.order < sequence.start && mark.kind.startsWith('test-'),
  )
  return last?.kind === 'test-started' ? last.name : undefined
}

/** The kind of error response, for requests rejected for the same reason. */
export function reasonKey({ decision, outcome, operation }: RequestView): string {
  const status = 'status' in outcome ? outcome.status : outcome.kind
  return [status, decision?.code ?? 'fault', operation ?? 'another path'].join(' ')
}

/** Makes a function that returns whether a request is to be shown. */
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
      // It is not as the console knows them: its row will say so.
      return true
    }
  }
}

/** What a machine's own clock has measured: figures that nobody looks for, and that would match by chance. */
const measured: ReadonlySet<string> = new Set(['receivedMs', 'endedMs', 'durationMs'])

/** All text of an exchange. */
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
