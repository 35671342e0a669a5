import { type GivenOf, type NamedSchema, type Optional, object, optional } from '../input/object.ts'
import { definedOf, mapTable, namesOf } from '../input/record.ts'
import { described, type Given, type Read, readInput, type Schema } from '../input/schema.ts'
import {
  durationFrom,
  either,
  formatDuration,
  formatInstant,
  instant,
  lastInstantAt,
  oneOf,
  whole,
} from '../input/values.ts'
import type { OperationName } from './endpoints.ts'

/**
 * What the interface leaves open, and the choices there, the default first.
 *
 * `kind` says what can be chosen: one of a list, an instant, a duration, a count or `never`, or a duration or `none`.
 */
export const gaps = {
  /** The status of a pet that is added without one. */
  omittedStatus: { spec: '2', kind: 'choice', choices: ['available', 'absent', 'pending', 'sold'] },
  /** A new pet whose status is null: 400, or treated as omitted. */
  nullStatus: { spec: '2', kind: 'choice', choices: ['reject', 'omit'] },
  /** A new pet with an empty name. */
  emptyName: { spec: '2', kind: 'choice', choices: ['accept', 'reject'] },
  /** The maximum length of a name in a new pet, in characters; a longer one gets 400. */
  maxNameLength: { spec: '2', kind: 'count', default: 1_000, plausible: [200, 'never'] },
  /** Unknown properties of a new pet, including id. */
  unknownProperties: { spec: '2', kind: 'choice', choices: ['ignore', 'reject'] },
  /** A property given twice in a new pet: the last one counts, or 400. */
  duplicateProperties: { spec: '2', kind: 'choice', choices: ['last', 'reject'] },
  /** A new pet whose category has no pet in the seed. */
  unknownCategory: { spec: '2', kind: 'choice', choices: ['accept', 'reject'] },
  /**
   * The ids of new pets: counting up from the highest, odd numbers above 2^53 (which a double cannot hold), or random
   * (positive int64, seeded).
   */
  idSequence: { spec: '2', kind: 'choice', choices: ['sequential', 'large', 'random'] },
  /**
   * An integer in an unusual form, such as 1.0 or 1e3 in a new pet, 01 in a query, 01 or -0 in a path: accepted, or
   * refused as not an integer. 1.0 and 1e3 in a query or a path never are integers.
   */
  integerForms: { spec: '2', kind: 'choice', choices: ['accept', 'reject'] },
  /** A body without a Content-Type. */
  missingContentType: { spec: '4.2', kind: 'choice', choices: ['reject', 'accept'] },
  /** The order of the list; the same seed shuffles the same way. */
  listOrder: {
    spec: '4.1',
    kind: 'choice',
    choices: ['id-ascending', 'id-descending', 'shuffled'],
  },
  /**
   * An invalid limit or status: 400, or it is ignored: an integer out of range counts as the nearest limit, any other
   * limit as 20, and the filter is dropped.
   */
  invalidQuery: { spec: '4.1', kind: 'choice', choices: ['reject', 'ignore'] },
  /** A limit or status given more than once: 400, or the first or last one counts. */
  repeatedQuery: { spec: '4.1', kind: 'choice', choices: ['reject', 'first', 'last'] },
  /** Unknown query parameters. */
  unknownQuery: { spec: '4.1', kind: 'choice', choices: ['ignore', 'reject'] },
  /** A petId that is not an int64: 404, or 400. */
  invalidPetId: { spec: '4.3', kind: 'choice', choices: ['not-found', 'bad-request'] },
  /** The instant in the Deprecation header of GET /pets/{petId}. */
  deprecatedSince: { spec: '4.3', kind: 'instant', default: Date.UTC(2025, 11, 5) },
  /** How replies announce the deprecation: by RFC 9745 and 8594, by the older draft, or not at all. */
  deprecationHeaders: { spec: '9', kind: 'choice', choices: ['standard', 'draft', 'none'] },
  /** Which replies of a deprecated operation announce its removal: all, or only those with 2xx. */
  deprecationOn: { spec: '9', kind: 'choice', choices: ['every-reply', 'success'] },
  /** GET /pets/{petId} from 5 December 2030 on: 404, 410, or unchanged. */
  afterSunset: { spec: '4.3', kind: 'choice', choices: ['not-found', 'gone', 'keep'] },
  /** When GET /pets/{petId} is removed on 5 December 2030: at the start of the day, in UTC, or in its last second. */
  sunsetInstant: { spec: '4.3', kind: 'choice', choices: ['start-of-day', 'end-of-day'] },
  /** GET /store/orders: 501, 404, or an empty list. */
  storeOrders: {
    spec: '4.4',
    kind: 'choice',
    choices: ['not-implemented', 'not-found', 'empty-list'],
  },
  /** A path with a trailing slash, such as /pets/: 404, or the same as without it. */
  trailingSlash: { spec: '4', kind: 'choice', choices: ['not-found', 'same'] },
  /** An unknown path or method without a valid key: 401, or 404 and 405. */
  unknownRouteWithoutKey: { spec: '5', kind: 'choice', choices: ['unauthorized', 'not-found'] },
  /** How the scheme in Authorization may be written: in any letter case, or exactly as Bearer. */
  bearerScheme: { spec: '5', kind: 'choice', choices: ['any-case', 'exact'] },
  /** Whether X-RateLimit-Remaining counts down for requests without a valid key. */
  unauthorizedQuota: { spec: '8', kind: 'choice', choices: ['counted', 'not-counted'] },
  /** What a request without a valid key gets once its X-RateLimit-Remaining is used up: still 401, or 429. */
  unauthorizedLimit: { spec: '8', kind: 'choice', choices: ['never', 'limited'] },
  /** How error codes are written. */
  errorCodes: { spec: '7', kind: 'choice', choices: ['snake_case', 'UPPER_CASE', 'opaque'] },
  /**
   * When requests stop counting: at the end of the UTC minute or day, a minute or day after the second of the first
   * request, or each by itself (sliding).
   */
  quotaWindow: { spec: '8', kind: 'choice', choices: ['calendar', 'first-request', 'sliding'] },
  /** The window that X-RateLimit-* describes; in a 429 for a full window it is always that one. */
  reportedWindow: { spec: '8', kind: 'choice', choices: ['tightest', 'minute', 'day'] },
  /** Which requests count: all that are admitted, or only those with a 2xx reply. */
  countedRequests: { spec: '8', kind: 'choice', choices: ['all', 'successful'] },
  /**
   * What an invalid request gets when its key is over a limit or banned: 429, or its own 400, 404, 405 or 501, which
   * then doesn't count towards a ban.
   */
  refusalOrder: { spec: '7', kind: 'choice', choices: ['limit-first', 'request-first'] },
  /** The form of Retry-After: seconds from now, or an HTTP date. */
  retryAfterFormat: { spec: '8', kind: 'choice', choices: ['seconds', 'http-date'] },
  /**
   * How exact Retry-After is: the instant from which requests are served, or five seconds later, as cautious services
   * do.
   */
  retryAfterPrecision: { spec: '8', kind: 'choice', choices: ['exact', 'padded'] },
  /** How many refusals in one window are allowed before the next request bans the key. */
  banAfter: { spec: '8', kind: 'count', default: 10, plausible: [0, 'never'] },
  /** How long a ban lasts. */
  banDuration: { spec: '8', kind: 'duration', default: 300_000 },
  /** The status of replies to a banned key. */
  banStatus: { spec: '8', kind: 'choice', choices: [429, 403] },
  /** An extra, undocumented property in each pet and error. */
  replyExtras: { spec: '9', kind: 'choice', choices: ['none', 'present'] },
  /** The statuses of pets in replies: those listed, or also reserved for every pending pet with an odd id. */
  petStatuses: { spec: '9', kind: 'choice', choices: ['listed', 'one-more'] },
  /** The order of the properties of pets and errors: as the interface lists them, or different each time. */
  propertyOrder: { spec: '9', kind: 'choice', choices: ['as-listed', 'shuffled'] },
  /** The wording of error messages: this sandbox's, or uninformative text. */
  messages: { spec: '9', kind: 'choice', choices: ['plain', 'other'] },
  /** How far the Date of replies is ahead of the clock that counts requests and times retries. */
  dateSkew: { spec: '9', kind: 'shift', default: 'none' },
} as const satisfies Record<string, Gap>

type Choice = string | number

/** One row of {@link gaps}. */
export type Gap = {
  readonly spec: string
} & (
  | { readonly kind: 'choice'; readonly choices: readonly [Choice, ...Choice[]] }
  | { readonly kind: 'instant' | 'duration'; readonly default: number }
  | {
      readonly kind: 'count'
      readonly default: number
      /** Other values that a service may well have. */
      readonly plausible: readonly Choice[]
    }
  | { readonly kind: 'shift'; readonly default: 'none' }
)

export type GapName = keyof typeof gaps

interface ChosenOf {
  /** Unix milliseconds. */
  instant: number
  /** Milliseconds. */
  duration: number
  count: number | 'never'
  /** Milliseconds. */
  shift: number | 'none'
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
  if (kind === 'duration' || (kind === 'shift' && choice !== 'none')) {
    return formatDuration(Number(choice))
  }
  return choice
}

/** Lists the choices at a gap, the default first. */
export function choicesText(gap: Gap): string {
  if (gap.kind === 'choice') return gap.choices.join(', ')
  if (gap.kind === 'instant') return `${formatInstant(gap.default)}, any instant`
  if (gap.kind === 'duration') return `${formatDuration(gap.default)}, any duration`
  if (gap.kind === 'shift') return `${gap.default}, any duration`
  return `${gap.default}, any number, never`
}

/** What is said of a gap, beside what the engine has to know of it. */
interface GapDescription {
  /** The operations that it touches; by default all. */
  readonly operations?: readonly OperationName[]
  readonly about: string
}

/**
 * The gaps with a choice that no clause mentions: a service may make it at any time, and a client that breaks depends on
 * more than the interface guarantees.
 */
export const unpromisedGaps: readonly GapName[] = [
  'replyExtras',
  'petStatuses',
  'propertyOrder',
  'messages',
  'dateSkew',
]

/** What the interface leaves open at each gap. */
export const gapDescriptions: { readonly [Name in GapName]: GapDescription } = {
  omittedStatus: {
    operations: ['createPet'],
    about: 'The status of a pet that is added without one.',
  },
  nullStatus: {
    operations: ['createPet'],
    about: 'A new pet whose status is null: 400, or treated as omitted.',
  },
  emptyName: { operations: ['createPet'], about: 'A new pet with an empty name.' },
  maxNameLength: {
    operations: ['createPet'],
    about: 'The maximum length of a name in a new pet, in characters; a longer one gets 400.',
  },
  unknownProperties: {
    operations: ['createPet'],
    about: 'Unknown properties of a new pet, including id.',
  },
  duplicateProperties: {
    operations: ['createPet'],
    about: 'A property given twice in a new pet: the last one counts, or 400.',
  },
  unknownCategory: {
    operations: ['createPet'],
    about: 'A new pet whose category has no pet in the seed.',
  },
  idSequence: {
    operations: ['createPet'],
    about:
      'The ids of new pets: counting up from the highest, odd numbers above 2^53 (which a double cannot hold), or random (positive int64, seeded).',
  },
  integerForms: {
    operations: ['createPet', 'listPets', 'getPet'],
    about:
      'An integer in an unusual form, such as 1.0 or 1e3 in a new pet, 01 in a query, 01 or -0 in a path: accepted, or refused as not an integer. 1.0 and 1e3 in a query or a path never are integers.',
  },
  missingContentType: { operations: ['createPet'], about: 'A body without a Content-Type.' },
  listOrder: {
    operations: ['listPets'],
    about: 'The order of the list; the same seed shuffles the same way.',
  },
  invalidQuery: {
    operations: ['listPets'],
    about:
      'An invalid limit or status: 400, or it is ignored: an integer out of range counts as the nearest limit, any other limit as 20, and the filter is dropped.',
  },
  repeatedQuery: {
    operations: ['listPets'],
    about: 'A limit or status given more than once: 400, or the first or last one counts.',
  },
  unknownQuery: { about: 'Unknown query parameters.' },
  invalidPetId: { operations: ['getPet'], about: 'A petId that is not an int64: 404, or 400.' },
  deprecatedSince: {
    operations: ['getPet'],
    about: 'The instant in the Deprecation header of GET /pets/{petId}.',
  },
  deprecationHeaders: {
    operations: ['getPet'],
    about:
      'How replies announce the deprecation: by RFC 9745 and 8594, by the older draft, or not at all.',
  },
  deprecationOn: {
    operations: ['getPet'],
    about:
      'Which replies of a deprecated operation announce its removal: all, or only those with 2xx.',
  },
  afterSunset: {
    operations: ['getPet'],
    about: 'GET /pets/{petId} from 5 December 2030 on: 404, 410, or unchanged.',
  },
  sunsetInstant: {
    operations: ['getPet'],
    about:
      'When GET /pets/{petId} is removed on 5 December 2030: at the start of the day, in UTC, or in its last second.',
  },
  storeOrders: {
    operations: ['listOrders'],
    about: 'GET /store/orders: 501, 404, or an empty list.',
  },
  trailingSlash: {
    about: 'A path with a trailing slash, such as /pets/: 404, or the same as without it.',
  },
  unknownRouteWithoutKey: {
    operations: [],
    about: 'An unknown path or method without a valid key: 401, or 404 and 405.',
  },
  bearerScheme: {
    about:
      'How the scheme in Authorization may be written: in any letter case, or exactly as Bearer.',
  },
  unauthorizedQuota: {
    about: 'Whether X-RateLimit-Remaining counts down for requests without a valid key.',
  },
  unauthorizedLimit: {
    about:
      'What a request without a valid key gets once its X-RateLimit-Remaining is used up: still 401, or 429.',
  },
  errorCodes: { about: 'How error codes are written.' },
  quotaWindow: {
    about:
      'When requests stop counting: at the end of the UTC minute or day, a minute or day after the second of the first request, or each by itself (sliding).',
  },
  reportedWindow: {
    about:
      'The window that X-RateLimit-* describes; in a 429 for a full window it is always that one.',
  },
  countedRequests: {
    about: 'Which requests count: all that are admitted, or only those with a 2xx reply.',
  },
  refusalOrder: {
    about:
      "What an invalid request gets when its key is over a limit or banned: 429, or its own 400, 404, 405 or 501, which then doesn't count towards a ban.",
  },
  retryAfterFormat: { about: 'The form of Retry-After: seconds from now, or an HTTP date.' },
  retryAfterPrecision: {
    about:
      'How exact Retry-After is: the instant from which requests are served, or five seconds later, as cautious services do.',
  },
  banAfter: {
    about: 'How many refusals in one window are allowed before the next request bans the key.',
  },
  banDuration: { about: 'How long a ban lasts.' },
  banStatus: { about: 'The status of replies to a banned key.' },
  replyExtras: { about: 'An extra, undocumented property in each pet and error.' },
  petStatuses: {
    operations: ['listPets', 'createPet', 'getPet'],
    about:
      'The statuses of pets in replies: those listed, or also reserved for every pending pet with an odd id.',
  },
  propertyOrder: {
    about:
      'The order of the properties of pets and errors: as the interface lists them, or different each time.',
  },
  messages: {
    about: "The wording of error messages: this sandbox's, or uninformative text.",
  },
  dateSkew: {
    about:
      'How far the Date of replies is ahead of the clock that counts requests and times retries.',
  },
}

const schemaByKind = {
  instant,
  duration: durationFrom(1, lastInstantAt),
  count: either(whole(0, 1e9), oneOf(['never'])),
  shift: either(durationFrom(1, lastInstantAt), oneOf(['none'])),
} as const

/** What callers give for a choice, by the kind of its gap. */
type SettingOf = { [Kind in keyof typeof schemaByKind]: Given<(typeof schemaByKind)[Kind]> }

/** The schema of a choice at a gap. */
export function choiceAt(name: GapName): Schema<unknown, Choice> {
  const gap: Gap = gaps[name]
  const schema: Schema<unknown, Choice> =
    gap.kind === 'choice' ? oneOf<Choice>(gap.choices) : schemaByKind[gap.kind]
  return described(gapDescriptions[name].about, schema)
}

/** The schemas of choices; each is made of its row, whose comment it keeps. */
type ChoiceSchemas = {
  readonly [Name in keyof typeof gaps]: Optional<
    ValueAt<(typeof gaps)[Name], SettingOf>,
    GapChoices[Name] | undefined
  >
}

const schemas = mapTable(gaps, (name) => optional(choiceAt(name))) as ChoiceSchemas

/** Choices from outside. */
export const gapSettings: NamedSchema<ChoiceSchemas, GapSettings> = object(schemas, {
  title: 'gaps',
  example: '{ "retryAfterFormat": "http-date" }',
})

/** Choices as callers write them; gaps left out stay as they are. */
export interface GapSettings extends GivenOf<ChoiceSchemas> {}

/**
 * Reads choices from outside, on top of those in force.
 *
 * @throws {@link InputError} naming the gap and its choices; then nothing changes.
 */
export function parseGaps(value: unknown, inForce: GapChoices = defaultGaps): GapChoices {
  return withChoices(readInput(gapSettings, value), inForce)
}

/** Lays choices that were read over those in force. */
export function withChoices(
  read: Read<typeof gapSettings>,
  inForce: GapChoices = defaultGaps,
): GapChoices {
  return Object.freeze({ ...inForce, ...definedOf(read) })
}

/** The choices in force, as callers write them. */
export type GapView = { readonly [Name in GapName]: Choice }

/** Writes choices as callers write them. */
export function viewGaps(chosen: GapView): GapView {
  return mapTable(gaps, (name) => formatChoice(name, chosen[name]))
}

/** A gap whose choice is not its default. */
export interface ChangedGap {
  readonly gap: GapName
  readonly choice: Choice
  readonly default: Choice
}

/** The gaps whose choice is not the default. */
export function changedGaps(inForce: GapView): ChangedGap[] {
  const defaults = viewGaps(defaultGaps)
  return gapNames
    .filter((gap) => inForce[gap] !== defaults[gap])
    .map((gap) => ({ gap, choice: inForce[gap], default: defaults[gap] }))
}
