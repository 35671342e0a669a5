import { type GivenOf, type NamedSchema, type Optional, object, optional } from '../input/object.ts'
import { definedOf, mapTable, namesOf } from '../input/record.ts'
import { described, type Input, type Output, readInput, type Schema } from '../input/schema.ts'
import {
  durationFrom,
  either,
  formatDuration,
  formatInstant,
  instant,
  integer,
  lastInstantAt,
  oneOf,
} from '../input/values.ts'
import { deprecationGaps } from './gaps/deprecation.ts'
import { errorGaps } from './gaps/errors.ts'
import type { Chosen, Gap, Value, ValueAt } from './gaps/gap.ts'
import { limitGaps } from './gaps/limits.ts'
import { listGaps } from './gaps/lists.ts'
import { petGaps } from './gaps/pets.ts'
import { responseGaps } from './gaps/responses.ts'

/** The gaps of all tables. The type is an intersection so that each row gets its comment in the build. */
type Gaps = typeof petGaps &
  typeof listGaps &
  typeof errorGaps &
  typeof deprecationGaps &
  typeof limitGaps &
  typeof responseGaps

/** Behaviour that the spec leaves open: each gap with its values, the default first. */
export const gaps: Gaps = {
  ...petGaps,
  ...listGaps,
  ...errorGaps,
  ...deprecationGaps,
  ...limitGaps,
  ...responseGaps,
}

export type { Gap }

/** Name of a gap: a question that the spec leaves open. */
export type GapName = keyof typeof gaps

/** The value of each gap, as the engine reads it. */
export type GapValues = Chosen<typeof gaps>

/** The names of all gaps, in the order of the table. */
export const gapNames: readonly GapName[] = namesOf(gaps)

/** The default value of each gap. */
export const defaultGaps: GapValues = Object.freeze(
  // Each row's default is of the row's kind.
  mapTable(gaps, (name) => defaultOf(gaps[name])) as GapValues,
)

function defaultOf(gap: Gap): Value {
  return gap.kind === 'enum' ? gap.values[0] : gap.default
}

/** Formats a gap's value as it is written in options. */
export function formatValue(name: GapName, choice: Value): Value {
  const { kind } = gaps[name]
  if (kind === 'instant') return formatInstant(Number(choice))
  if (kind === 'duration' || (kind === 'shift' && typeof choice === 'number')) {
    return formatDuration(Number(choice))
  }
  return choice
}

/** Lists the values of a gap, the default first. */
export function valuesText(gap: Gap): string {
  if (gap.kind === 'enum') return gap.values.join(', ')
  if (gap.kind === 'instant') return `${formatInstant(gap.default)}, any instant`
  if (gap.kind === 'duration') return `${formatDuration(gap.default)}, any duration`
  if (gap.kind === 'shift') return `${gap.default}, any duration`
  return `${gap.default}, any number, never`
}

/** The gaps of all kinds under one type. */
export const gapDescriptions: { readonly [Name in GapName]: Gap } = gaps

/**
 * Gaps about behaviour that no clause mentions. A service may change it at any time, and a client that breaks then
 * relies on more than the spec guarantees.
 */
export const unpromisedGaps: readonly GapName[] = gapNames.filter(
  (name) => gapDescriptions[name].promised === false,
)

/** Returns all values that a gap lists, or the default and other values that a service may well have. */
export function plausibleValues(gap: Gap): readonly Value[] {
  return gap.kind === 'enum' ? gap.values : [gap.default, ...gap.plausible]
}

const schemaByKind = {
  instant,
  duration: durationFrom(1, lastInstantAt),
  count: either(integer(0, 1e9), oneOf(['never'])),
  shift: durationFrom(1, lastInstantAt),
} as const

/** The input type of a gap's value, by the kind of the gap. */
type SettingOf = { [Kind in keyof typeof schemaByKind]: Input<(typeof schemaByKind)[Kind]> }

function schemaOf(gap: Gap): Schema<unknown, Value> {
  if (gap.kind === 'enum') return oneOf<Value>(gap.values)
  if (gap.kind === 'shift') return either(schemaByKind.shift, oneOf([gap.default]))
  return schemaByKind[gap.kind]
}

/** The schema of a choice at a gap. */
export function gapValue(name: GapName): Schema<unknown, Value> {
  const gap = gapDescriptions[name]
  return described(gap.summary, schemaOf(gap))
}

/** The schemas of all gap values; each keeps the comment of its row. */
type ChoiceSchemas = {
  readonly [Name in keyof typeof gaps]: Optional<
    ValueAt<(typeof gaps)[Name], SettingOf>,
    GapValues[Name] | undefined
  >
}

// Each row's schema reads values of the row's kind.
const schemas = mapTable(gaps, (name) => optional(gapValue(name))) as ChoiceSchemas

/** Gap values from outside. */
export const gapSettings: NamedSchema<ChoiceSchemas, GapSettings> = object(schemas, {
  title: 'gaps',
  example: '{ "retryAfterFormat": "http-date" }',
})

/** Gap values in a snapshot or a capture; those of gaps that only an earlier version had are ignored. */
export const savedGaps: NamedSchema<ChoiceSchemas, GapSettings> = object(schemas, {
  title: 'gaps',
  unknown: 'ignore',
})

/** Gap values as users write them; omitted gaps keep their value. */
export interface GapSettings extends GivenOf<ChoiceSchemas> {}

/**
 * Parses gap values from outside and merges them into the current ones.
 *
 * @throws {@link InputError} naming the gap and its values; nothing changes then.
 */
export function parseGaps(value: unknown, inForce: GapValues = defaultGaps): GapValues {
  return withValues(readInput(gapSettings, value), inForce)
}

/** Merges parsed gap values into the current ones. */
export function withValues(
  read: Output<typeof gapSettings>,
  inForce: GapValues = defaultGaps,
): GapValues {
  return Object.freeze({ ...inForce, ...definedOf(read) })
}

/** The current value of each gap, as users write it. */
export type GapView = { readonly [Name in keyof typeof gaps]: Value }

/** Formats gap values as users write them. */
export function viewGaps(chosen: GapView): GapView {
  return mapTable(gaps, (name) => formatValue(name, chosen[name]))
}

/** A gap whose value isn't the default. */
export interface ChangedGap {
  /** Name of the gap. */
  readonly gap: GapName
  /** Its current value; a duration or an instant is text. */
  readonly value: Value
  /** Its default. */
  readonly default: Value
}

/** Lists the gaps whose value isn't the default. */
export function changedGaps(inForce: GapView): ChangedGap[] {
  const defaults = viewGaps(defaultGaps)
  return gapNames
    .filter((gap) => inForce[gap] !== defaults[gap])
    .map((gap) => ({ gap, value: inForce[gap], default: defaults[gap] }))
}
