import { mapTable, namesOf } from '../input/record.ts'
import { formatDuration, formatInstant } from '../input/values.ts'

/**
 * What the interface leaves open, and the choices there, the default first.
 *
 * `kind` says what can be chosen: one of a list, an instant, a duration, a count or `never`, or a duration or `none`.
 */
export const gaps = {
  omittedStatus: { spec: '2', kind: 'choice', choices: ['available', 'absent', 'pending', 'sold'] },
  nullStatus: { spec: '2', kind: 'choice', choices: ['reject', 'omit'] },
  emptyName: { spec: '2', kind: 'choice', choices: ['accept', 'reject'] },
  unknownProperties: { spec: '2', kind: 'choice', choices: ['ignore', 'reject'] },
  duplicateProperties: { spec: '2', kind: 'choice', choices: ['last', 'reject'] },
  unknownCategory: { spec: '2', kind: 'choice', choices: ['accept', 'reject'] },
  idSequence: { spec: '2', kind: 'choice', choices: ['sequential', 'large', 'random'] },
  integerForms: { spec: '2', kind: 'choice', choices: ['accept', 'reject'] },
  missingContentType: { spec: '4.2', kind: 'choice', choices: ['reject', 'accept'] },
  listOrder: {
    spec: '4.1',
    kind: 'choice',
    choices: ['id-ascending', 'id-descending', 'shuffled'],
  },
  invalidQuery: { spec: '4.1', kind: 'choice', choices: ['reject', 'ignore'] },
  repeatedQuery: { spec: '4.1', kind: 'choice', choices: ['reject', 'first', 'last'] },
  unknownQuery: { spec: '4.1', kind: 'choice', choices: ['ignore', 'reject'] },
  invalidPetId: { spec: '4.3', kind: 'choice', choices: ['not-found', 'bad-request'] },
  deprecatedSince: { spec: '4.3', kind: 'instant', default: Date.UTC(2025, 11, 5) },
  deprecationHeaders: { spec: '9', kind: 'choice', choices: ['standard', 'draft', 'none'] },
  deprecationOn: { spec: '9', kind: 'choice', choices: ['every-reply', 'success'] },
  afterSunset: { spec: '4.3', kind: 'choice', choices: ['not-found', 'gone', 'keep'] },
  sunsetInstant: { spec: '4.3', kind: 'choice', choices: ['start-of-day', 'end-of-day'] },
  storeOrders: {
    spec: '4.4',
    kind: 'choice',
    choices: ['not-implemented', 'not-found', 'empty-list'],
  },
  trailingSlash: { spec: '4', kind: 'choice', choices: ['not-found', 'same'] },
  unknownRouteWithoutKey: { spec: '5', kind: 'choice', choices: ['unauthorized', 'not-found'] },
  bearerScheme: { spec: '5', kind: 'choice', choices: ['any-case', 'exact'] },
  unauthorizedQuota: { spec: '8', kind: 'choice', choices: ['counted', 'not-counted'] },
  unauthorizedLimit: { spec: '8', kind: 'choice', choices: ['never', 'limited'] },
  errorCodes: { spec: '7', kind: 'choice', choices: ['snake_case', 'UPPER_CASE', 'opaque'] },
  quotaWindow: { spec: '8', kind: 'choice', choices: ['calendar', 'first-request', 'sliding'] },
  reportedWindow: { spec: '8', kind: 'choice', choices: ['tightest', 'minute', 'day'] },
  countedRequests: { spec: '8', kind: 'choice', choices: ['all', 'successful'] },
  refusalOrder: { spec: '7', kind: 'choice', choices: ['limit-first', 'request-first'] },
  retryAfterFormat: { spec: '8', kind: 'choice', choices: ['seconds', 'http-date'] },
  retryAfterPrecision: { spec: '8', kind: 'choice', choices: ['exact', 'padded'] },
  banAfter: { spec: '8', kind: 'count', default: 10 },
  banDuration: { spec: '8', kind: 'duration', default: 300_000 },
  banStatus: { spec: '8', kind: 'choice', choices: [429, 403] },
  replyExtras: { spec: '9', kind: 'choice', choices: ['none', 'present'] },
  petStatuses: { spec: '9', kind: 'choice', choices: ['listed', 'one-more'] },
  propertyOrder: { spec: '9', kind: 'choice', choices: ['as-listed', 'shuffled'] },
  messages: { spec: '9', kind: 'choice', choices: ['plain', 'other'] },
  dateSkew: { spec: '9', kind: 'shift', default: 'none' },
} as const satisfies Record<string, Gap>

type Choice = string | number

/** One row of {@link gaps}. */
export type Gap = {
  readonly spec: string
} & (
  | { readonly kind: 'choice'; readonly choices: readonly [Choice, ...Choice[]] }
  | { readonly kind: 'instant'; readonly default: number }
  | { readonly kind: 'duration'; readonly default: number }
  | { readonly kind: 'count'; readonly default: number }
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
