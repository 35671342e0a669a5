import { formatDuration } from '../input/duration.ts'
import { formatInstant } from '../input/instant.ts'
import { mapTable, namesOf } from '../input/record.ts'

/**
 * What the interface leaves open, and the choices there, the default first.
 *
 * `kind` says what can be chosen: one of a list, an instant, a duration, or a count or `never`.
 */
export const gaps = {
  omittedStatus: {
    spec: '2',
    operations: ['createPet'],
    about: 'The status of a pet that is added without one.',
    kind: 'choice',
    choices: ['available', 'absent', 'pending', 'sold'],
  },
  nullStatus: {
    spec: '2',
    operations: ['createPet'],
    about: 'A new pet with the status null: 400, or as if it had none.',
    kind: 'choice',
    choices: ['reject', 'omit'],
  },
  emptyName: {
    spec: '2',
    operations: ['createPet'],
    about: 'A new pet with an empty name.',
    kind: 'choice',
    choices: ['accept', 'reject'],
  },
  unknownProperties: {
    spec: '2',
    operations: ['createPet'],
    about: 'Unknown properties of a new pet, including id.',
    kind: 'choice',
    choices: ['ignore', 'reject'],
  },
  unknownCategory: {
    spec: '2',
    operations: ['createPet'],
    about: 'A new pet whose category has no pet in the seed.',
    kind: 'choice',
    choices: ['accept', 'reject'],
  },
  idSequence: {
    spec: '2',
    operations: ['createPet'],
    about:
      'The ids of new pets: counting up from the highest, counting up from 2^53, or random (positive int64, seeded).',
    kind: 'choice',
    choices: ['sequential', 'large', 'random'],
  },
  missingContentType: {
    spec: '4.2',
    operations: ['createPet'],
    about: 'A body without a Content-Type.',
    kind: 'choice',
    choices: ['reject', 'accept'],
  },
  listOrder: {
    spec: '4.1',
    operations: ['listPets'],
    about: 'The order of the list; the same seed shuffles the same way.',
    kind: 'choice',
    choices: ['id-ascending', 'id-descending', 'shuffled'],
  },
  invalidQuery: {
    spec: '4.1',
    operations: ['listPets'],
    about: 'An invalid limit or status: 400, or clamp the limit and drop the filter.',
    kind: 'choice',
    choices: ['reject', 'ignore'],
  },
  repeatedQuery: {
    spec: '4.1',
    operations: ['listPets'],
    about: 'A limit or status given more than once: 400, or the first or last one counts.',
    kind: 'choice',
    choices: ['reject', 'first', 'last'],
  },
  unknownQuery: {
    spec: '4.1',
    operations: 'all',
    about: 'Unknown query parameters.',
    kind: 'choice',
    choices: ['ignore', 'reject'],
  },
  invalidPetId: {
    spec: '4.3',
    operations: ['getPet'],
    about: 'A petId that is not an int64: 404, or 400.',
    kind: 'choice',
    choices: ['not-found', 'bad-request'],
  },
  deprecatedSince: {
    spec: '4.3',
    operations: ['getPet'],
    about: 'The instant in the Deprecation header of GET /pets/{petId}.',
    kind: 'instant',
    default: Date.UTC(2025, 11, 5),
  },
  deprecationHeaders: {
    spec: '9',
    operations: ['getPet'],
    about:
      'How replies announce the deprecation: by RFC 9745 and 8594, by the older draft, or not at all.',
    kind: 'choice',
    choices: ['standard', 'draft', 'none'],
  },
  afterSunset: {
    spec: '4.3',
    operations: ['getPet'],
    about: 'GET /pets/{petId} from 5 December 2030 on: 404, 410, or as before.',
    kind: 'choice',
    choices: ['not-found', 'gone', 'keep'],
  },
  storeOrders: {
    spec: '4.4',
    operations: ['listOrders'],
    about: 'GET /store/orders: 501, 404, or an empty list.',
    kind: 'choice',
    choices: ['not-implemented', 'not-found', 'empty-list'],
  },
  trailingSlash: {
    spec: '4',
    operations: 'all',
    about: 'A path that ends in a slash, such as /pets/: 404, or the same as without.',
    kind: 'choice',
    choices: ['not-found', 'same'],
  },
  unknownRouteWithoutKey: {
    spec: '5',
    operations: [],
    about: 'An unknown path or method without a valid key: 401, or 404 and 405.',
    kind: 'choice',
    choices: ['unauthorized', 'not-found'],
  },
  unauthorizedQuota: {
    spec: '8',
    operations: 'all',
    about: 'Whether X-RateLimit-Remaining counts down for requests without a valid key.',
    kind: 'choice',
    choices: ['counted', 'not-counted'],
  },
  errorCodes: {
    spec: '7',
    operations: 'all',
    about: 'How error codes are written.',
    kind: 'choice',
    choices: ['snake_case', 'UPPER_CASE', 'opaque'],
  },
  quotaWindow: {
    spec: '8',
    operations: 'all',
    about:
      'When windows begin: with the UTC minute and day, or in the second of the first request.',
    kind: 'choice',
    choices: ['calendar', 'first-request'],
  },
  reportedWindow: {
    spec: '8',
    operations: 'all',
    about: 'The window that X-RateLimit-* describes; in a 429 it is always the one that is full.',
    kind: 'choice',
    choices: ['tightest', 'minute', 'day'],
  },
  countedRequests: {
    spec: '8',
    operations: 'all',
    about: 'Which requests count: all that are let in, or only those that end in 2xx.',
    kind: 'choice',
    choices: ['all', 'successful'],
  },
  retryAfterFormat: {
    spec: '8',
    operations: 'all',
    about: 'The form of Retry-After: seconds from now, or an HTTP date.',
    kind: 'choice',
    choices: ['seconds', 'http-date'],
  },
  banAfter: {
    spec: '8',
    operations: 'all',
    about: 'How many refusals in one window are only refusals; the next request bans the key.',
    kind: 'count',
    default: 10,
  },
  banDuration: {
    spec: '8',
    operations: 'all',
    about: 'How long a ban lasts.',
    kind: 'duration',
    default: 300_000,
  },
  banStatus: {
    spec: '8',
    operations: 'all',
    about: 'The status of replies to a banned key.',
    kind: 'choice',
    choices: [429, 403],
  },
} as const satisfies Record<string, Gap>

type Choice = string | number

/** One row of {@link gaps}. */
export type Gap = {
  readonly spec: string
  /** The names of the operations that it touches. */
  readonly operations: 'all' | readonly string[]
  readonly about: string
} & (
  | { readonly kind: 'choice'; readonly choices: readonly [Choice, ...Choice[]] }
  | { readonly kind: 'instant'; readonly default: number }
  | { readonly kind: 'duration'; readonly default: number }
  | { readonly kind: 'count'; readonly default: number }
)

export type GapName = keyof typeof gaps

interface ChosenOf {
  /** Unix milliseconds. */
  instant: number
  /** Milliseconds. */
  duration: number
  count: number | 'never'
}

/** What a row's choice is: one of its own, or that of its kind. */
export type ValueAt<Row, Other> = Row extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { readonly kind: infer Kind extends keyof Other }
    ? Other[Kind]
    : never

/** The choice made at each gap, as the engine reads it. */
export type GapChoices = { readonly [Name in GapName]: ValueAt<(typeof gaps)[Name], ChosenOf> }

/** The names of all gaps, in the order of the table. */
export const gapNames: readonly GapName[] = namesOf(gaps)

/** The default choice at each gap. */
export const defaultGaps: GapChoices = Object.freeze(
  // Each row's default is of the row's kind.
  mapTable(gaps, (name) => defaultOf(gaps[name])) as GapChoices,
)

function defaultOf(gap: Gap): Choice {
  return gap.kind === 'choice' ? gap.choices[0] : gap.default
}

/** Writes a choice in the form in which it is set. */
export function formatChoice(name: GapName, choice: Choice): Choice {
  const { kind } = gaps[name]
  if (kind === 'instant') return formatInstant(Number(choice))
  if (kind === 'duration') return formatDuration(Number(choice))
  return choice
}

/** Lists the choices at a gap, the default first. */
export function choicesText(gap: Gap): string {
  if (gap.kind === 'choice') return gap.choices.join(', ')
  if (gap.kind === 'instant') return `${formatInstant(gap.default)}, any instant`
  if (gap.kind === 'duration') return `${formatDuration(gap.default)}, any duration`
  return `${gap.default}, any number, never`
}
