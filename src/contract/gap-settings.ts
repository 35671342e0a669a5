import { type Optional, object, optional } from '../input/object.ts'
import { definedOf, mapTable } from '../input/record.ts'
import { type Given, type Read, readInput, type Schema } from '../input/schema.ts'
import {
  type Duration,
  durationFrom,
  either,
  type Instant,
  instant,
  lastInstantAt,
  oneOf,
  whole,
} from '../input/values.ts'
import {
  defaultGaps,
  formatChoice,
  type Gap,
  type GapChoices,
  type GapName,
  gapNames,
  gaps,
  type ValueAt,
} from './gaps.ts'
import { gapDescriptions } from './openapi/gap-descriptions.ts'

const schemaByKind = {
  instant,
  duration: durationFrom(1, lastInstantAt),
  count: either(whole(0, 1e9), oneOf(['never'])),
  shift: either(durationFrom(1, lastInstantAt), oneOf(['none'])),
} as const

/** What callers give for a choice, by the kind of its gap. */
interface SettingOf {
  instant: Instant
  duration: Duration
  count: number | 'never'
  shift: Duration | 'none'
}

type Choice = string | number

/** The schema of a choice at a gap. */
export function choiceAt(name: GapName): Schema<unknown, Choice> {
  const gap: Gap = gaps[name]
  const schema: Schema<unknown, Choice> =
    gap.kind === 'choice' ? oneOf<Choice>(gap.choices) : schemaByKind[gap.kind]
  return {
    ...schema,
    describe: () => ({ ...schema.describe(), description: gapDescriptions[name].about }),
  }
}

// Each row's schema is made of the row.
const schemas = mapTable(gaps, (name) => optional(choiceAt(name))) as {
  readonly [Name in GapName]: Optional<
    ValueAt<(typeof gaps)[Name], SettingOf>,
    GapChoices[Name] | undefined
  >
}

/** Choices from outside. */
export const gapSettings = object(schemas, {
  title: 'gaps',
  example: '{ "retryAfterFormat": "http-date" }',
})

/** Choices as callers write them; gaps left out stay as they are. */
export type GapSettings = Given<typeof gapSettings>

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
  const usual = viewGaps(defaultGaps)
  return gapNames
    .filter((gap) => inForce[gap] !== usual[gap])
    .map((gap) => ({ gap, choice: inForce[gap], default: usual[gap] }))
}
