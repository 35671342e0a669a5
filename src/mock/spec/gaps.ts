import { type GivenOf, type NamedSchema, type Optional, object, optional } from '../input/object.ts'
import { definedOf, mapTable, namesOf } from '../input/record.ts'
import { described, type Input, type Output, readInput, type Schema } from '../input/schema.ts'
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
import { deprecationGaps } from './gaps/deprecation.ts'
import { errorGaps } from './gaps/errors.ts'
import type { Choice, Chosen, Gap, ValueAt } from './gaps/gap.ts'
import { limitGaps } from './gaps/limits.ts'
import { listGaps } from './gaps/lists.ts'
import { petGaps } from './gaps/pets.ts'
import { responseGaps } from './gaps/responses.ts'

/** What the interface leaves open; the type is put together so that each row keeps its comment. */
type Gaps = typeof petGaps &
  typeof listGaps &
  typeof errorGaps &
  typeof deprecationGaps &
  typeof limitGaps &
  typeof responseGaps

/** What the interface leaves open, and the choices there, the default first. */
export const gaps: Gaps = {
  ...petGaps,
  ...listGaps,
  ...errorGaps,
  ...deprecationGaps,
  ...limitGaps,
  ...responseGaps,
}

export type { Gap }

export type GapName = keyof typeof gaps

/** The choice made at each gap, as the engine reads it. */
export type GapChoices = Chosen<typeof gaps>

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
export function formatValue(name: GapName, choice: Choice): Choice {
  const { kind } = gaps[name]
  if (kind === 'instant') return formatInstant(Number(choice))
  if (kind === 'duration' || (kind === 'shift' && typeof choice === 'number')) {
    return formatDuration(Number(choice))
  }
  return choice
}

/** Lists the choices at a gap, the default first. */
export function valuesText(gap: Gap): string {
  if (gap.kind === 'choice') return gap.choices.join(', ')
  if (gap.kind === 'instant') return `${formatInstant(gap.default)}, any instant`
  if (gap.kind === 'duration') return `${formatDuration(gap.default)}, any duration`
  if (gap.kind === 'shift') return `${gap.default}, any duration`
  return `${gap.default}, any number, never`
}

/** Each gap, whatever its kind. */
export const gapDescriptions: { readonly [Name in GapName]: Gap } = gaps

/**
 * The gaps with a choice that no clause mentions: a service may make it at any time, and a client that breaks depends on
 * more than the interface guarantees.
 */
export const unpromisedGaps: readonly GapName[] = gapNames.filter(
  (name) => gapDescriptions[name].promised === false,
)

/** The choices that a gap lists, or the default and others that a service may well have. */
export function plausibleChoices(gap: Gap): readonly Choice[] {
  return gap.kind === 'choice' ? gap.choices : [gap.default, ...gap.plausible]
}

const schemaByKind = {
  instant,
  duration: durationFrom(1, lastInstantAt),
  count: either(whole(0, 1e9), oneOf(['never'])),
  shift: durationFrom(1, lastInstantAt),
} as const

/** What callers give for a choice, by the kind of its gap. */
type SettingOf = { [Kind in keyof typeof schemaByKind]: Input<(typeof schemaByKind)[Kind]> }

function schemaOf(gap: Gap): Schema<unknown, Choice> {
  if (gap.kind === 'choice') return oneOf<Choice>(gap.choices)
  if (gap.kind === 'shift') return either(schemaByKind.shift, oneOf([gap.default]))
  return schemaByKind[gap.kind]
}

/** The schema of a choice at a gap. */
export function gapValue(name: GapName): Schema<unknown, Choice> {
  const gap = gapDescriptions[name]
  return described(gap.about, schemaOf(gap))
}

/** The schemas of choices; each is made of its row, whose comment it keeps. */
type ChoiceSchemas = {
  readonly [Name in keyof typeof gaps]: Optional<
    ValueAt<(typeof gaps)[Name], SettingOf>,
    GapChoices[Name] | undefined
  >
}

const schemas = mapTable(gaps, (name) => optional(gapValue(name))) as ChoiceSchemas

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
  read: Output<typeof gapSettings>,
  inForce: GapChoices = defaultGaps,
): GapChoices {
  return Object.freeze({ ...inForce, ...definedOf(read) })
}

/** The choices in force, as callers write them. */
export type GapView = { readonly [Name in GapName]: Choice }

/** Writes choices as callers write them. */
export function viewGaps(chosen: GapView): GapView {
  return mapTable(gaps, (name) => formatValue(name, chosen[name]))
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
