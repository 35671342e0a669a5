import { type Duration, durationFrom, formatDuration } from '../input/duration.ts'
import { formatInstant, type Instant, instant, lastInstantAt } from '../input/instant.ts'
import { type Optional, object, optional } from '../input/object.ts'
import { mapTable, namesOf } from '../input/record.ts'
import {
  described,
  type Given,
  named,
  type Read,
  readInput,
  type Schema,
  value,
} from '../input/schema.ts'
import { numberFromText, oneOf } from '../input/values.ts'

/**
 * What the spec leaves open, with this sandbox's choices; the first choice is the default.
 *
 * `kind` says what a choice is: one of a list, an instant, a duration, or a count that may be `never`.
 */
export const gaps = {
  omittedStatus: {
    spec: '2',
    operations: ['createPet'],
    about: 'The status of a pet that was created without one.',
    kind: 'choice',
    choices: ['available', 'absent', 'pending', 'sold'],
  },
  nullStatus: {
    spec: '2',
    operations: ['createPet'],
    about: 'A new pet whose status is null.',
    kind: 'choice',
    choices: ['reject', 'omit'],
  },
  emptyName: {
    spec: '2',
    operations: ['createPet'],
    about: 'A new pet whose name is the empty string.',
    kind: 'choice',
    choices: ['accept', 'reject'],
  },
  unknownProperties: {
    spec: '2',
    operations: ['createPet'],
    about: 'Properties of a new pet that NewPet does not have, an id included.',
    kind: 'choice',
    choices: ['ignore', 'reject'],
  },
  unknownCategory: {
    spec: '2',
    operations: ['createPet'],
    about: 'A categoryId that no pet of the seed has.',
    kind: 'choice',
    choices: ['accept', 'reject'],
  },
  idSequence: {
    spec: '2',
    operations: ['createPet'],
    about:
      'The ids of new pets: on from the highest, on from 2^53, or seeded random positive int64.',
    kind: 'choice',
    choices: ['sequential', 'large', 'random'],
  },
  missingContentType: {
    spec: '4.2',
    operations: ['createPet'],
    about: 'A body that is sent without a Content-Type.',
    kind: 'choice',
    choices: ['reject', 'accept'],
  },
  listOrder: {
    spec: '4.1',
    operations: ['listPets'],
    about: 'The order of the list; shuffled is the same for the same seed.',
    kind: 'choice',
    choices: ['id-ascending', 'id-descending', 'shuffled'],
  },
  invalidQuery: {
    spec: '4.1',
    operations: ['listPets'],
    about: 'A limit or status with an invalid value: 400, or clamp the limit and drop the filter.',
    kind: 'choice',
    choices: ['reject', 'ignore'],
  },
  repeatedQuery: {
    spec: '4.1',
    operations: ['listPets'],
    about: 'A limit or status that is given more than once.',
    kind: 'choice',
    choices: ['reject', 'first', 'last'],
  },
  unknownQuery: {
    spec: '4.1',
    operations: 'all',
    about: 'Query parameters that the operation does not have.',
    kind: 'choice',
    choices: ['ignore', 'reject'],
  },
  invalidPetId: {
    spec: '4.3',
    operations: ['getPet'],
    about: 'A petId that is not an int64.',
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
    about: 'How deprecation is signalled: RFC 9745 and 8594, the older draft, or not at all.',
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
    about: 'A path that ends in a slash, such as /pets/.',
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
    about: 'Whether the headers of requests without a valid key count down.',
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
    about: 'Where windows begin: at the UTC minute and day, or in the second of the first request.',
    kind: 'choice',
    choices: ['calendar', 'first-request'],
  },
  reportedWindow: {
    spec: '8',
    operations: 'all',
    about:
      'The window that X-RateLimit-* describes; a 429 always describes the window that refuses.',
    kind: 'choice',
    choices: ['tightest', 'minute', 'day'],
  },
  countedRequests: {
    spec: '8',
    operations: 'all',
    about: 'The requests that spend quota: all that are let in, or those that end in 2xx.',
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
    about: 'How many requests of one window are refused before the next one bans the key.',
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
    about: 'The status of the replies to a banned key.',
    kind: 'choice',
    choices: [429, 403],
  },
} as const satisfies Record<string, Gap>

/** One row of {@link gaps}. */
export type Gap = {
  readonly spec: string
  /** The names of the operations that it touches; the description holds them to be such. */
  readonly operations: 'all' | readonly string[]
  readonly about: string
} & (
  | { readonly kind: 'choice'; readonly choices: readonly (string | number)[] }
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

interface SettingOf {
  instant: Instant
  duration: Duration
  count: number | 'never'
}

type ValueAt<Row, Other> = Row extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { readonly kind: infer Kind extends keyof Other }
    ? Other[Kind]
    : never

/** The choice made at each gap, as the engine reads it. */
export type GapChoices = { readonly [Name in GapName]: ValueAt<(typeof gaps)[Name], ChosenOf> }

/** The names of all gaps, in the order of the table. */
export const gapNames: readonly GapName[] = namesOf(gaps)

type Choice = string | number

const count: Schema<number | 'never'> = value<number | 'never'>({
  use: 'a whole number from 0 to 1000000000, or never',
  json: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1e9 }, { const: 'never' }] },
  read: (found) =>
    found === 'never' ||
    (typeof found === 'number' && Number.isInteger(found) && found >= 0 && found <= 1e9)
      ? found
      : undefined,
  fromText: numberFromText,
})

const lasting = durationFrom(1, lastInstantAt)

function schemaOf(gap: Gap): Schema<unknown, Choice> {
  if (gap.kind === 'choice') return oneOf<Choice>(gap.choices)
  if (gap.kind === 'instant') return instant
  return gap.kind === 'duration' ? lasting : count
}

// Each row's schema is made of the row.
const schemas = mapTable(gaps, (name) =>
  optional(described(gaps[name].about, schemaOf(gaps[name]))),
) as {
  readonly [Name in GapName]: Optional<
    ValueAt<(typeof gaps)[Name], SettingOf>,
    ValueAt<(typeof gaps)[Name], ChosenOf> | undefined
  >
}

/** Choices from outside. */
export const gapSettings = object(schemas, {
  title: 'gaps',
  example: '{ "retryAfterFormat": "http-date" }',
})

/** Choices as a caller writes them; gaps that are left out stay as they are. */
export type GapSettings = Given<typeof gapSettings>

/** Every gap at its default. */
export const defaultGaps: GapChoices = choicesOf(mapTable(gaps, (name) => defaultOf(gaps[name])))

function defaultOf(gap: Gap): Choice {
  if (gap.kind !== 'choice') return gap.default
  const [first] = gap.choices
  if (first === undefined) throw new RangeError(`Cannot list a gap without choices: ${gap.about}`)
  return first
}

/**
 * Reads choices from outside and lays them over the ones in force.
 *
 * @throws {@link InputError} naming the gap and what can be chosen; then nothing is changed.
 */
export function parseGaps(value: unknown, inForce: GapChoices = defaultGaps): GapChoices {
  return withChoices(readInput(gapSettings, value), inForce)
}

/** Lays choices that were read over the ones in force. */
export function withChoices(
  read: Read<typeof gapSettings>,
  inForce: GapChoices = defaultGaps,
): GapChoices {
  return choicesOf(mapTable(gaps, (name) => read[name] ?? inForce[name]))
}

/** Each row's schema has read its choice, or it is the default. */
function choicesOf(chosen: { readonly [Name in GapName]: Choice }): GapChoices {
  return Object.freeze(chosen) as GapChoices
}

/** The choices in force, as the controls give them. */
export const gapView: Schema<GapView> = named('Gaps', {
  use: 'the choice of each gap',
  describe: () => ({ ...gapSettings.describe(), required: gapNames }),
  read: (found) => viewGaps(withChoices(gapSettings.read(found))),
  write: (view) => view,
})

/** The choices in force, in the form in which they are set. */
export type GapView = { readonly [Name in GapName]: Choice }

/** Writes choices in the form in which they are set. */
export function viewGaps(chosen: GapChoices): GapView {
  return mapTable(gaps, (name) => formatChoice(name, chosen[name]))
}

/** Writes a gap's choice in the form in which it is set. */
export function formatChoice(name: GapName, choice: Choice): Choice {
  const { kind } = gaps[name]
  if (kind === 'instant') return formatInstant(Number(choice))
  if (kind === 'duration') return formatDuration(Number(choice))
  return choice
}

/** Says what can be chosen at a gap, the default first. */
export function choicesText(gap: Gap): string {
  if (gap.kind === 'choice') return gap.choices.join(', ')
  if (gap.kind === 'instant') return `${formatInstant(gap.default)}, any instant`
  if (gap.kind === 'duration') return `${formatDuration(gap.default)}, any duration`
  return `${gap.default}, any number, never`
}
