import { type Duration, durationFrom } from '../input/duration.ts'
import { type Instant, instant, lastInstantAt } from '../input/instant.ts'
import { type Optional, object, optional } from '../input/object.ts'
import { definedOf, mapTable } from '../input/record.ts'
import { described, type Given, named, type Read, readInput, type Schema } from '../input/schema.ts'
import { either, oneOf, whole } from '../input/values.ts'
import {
  defaultGaps,
  formatChoice,
  type Gap,
  type GapChoices,
  type GapName,
  gaps,
  type ValueAt,
} from './gaps.ts'

const schemaByKind = {
  instant,
  duration: durationFrom(1, lastInstantAt),
  count: either(whole(0, 1e9), oneOf(['never'])),
} as const

/** What callers give for a choice, by the kind of its gap. */
interface SettingOf {
  instant: Instant
  duration: Duration
  count: number | 'never'
}

type Choice = string | number

function schemaOf(gap: Gap): Schema<unknown, Choice> {
  const schema = gap.kind === 'choice' ? oneOf<Choice>(gap.choices) : schemaByKind[gap.kind]
  return described<Schema<unknown, Choice>>(gap.about, schema)
}

// Each row's schema is made of the row.
const schemas = mapTable(gaps, (name) => optional(schemaOf(gaps[name]))) as {
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

const everyChoice = object(mapTable(gaps, (name) => schemaOf(gaps[name])))

/** The choices in force, as the controls show them. */
export const gapView: Schema<GapView> = named('Gaps', {
  use: everyChoice.use,
  describe: everyChoice.describe,
  read: (found) => viewGaps(everyChoice.read(found)),
  write: (view) => view,
})

/** Writes choices as callers write them. */
export function viewGaps(chosen: GapView): GapView {
  return mapTable(gaps, (name) => formatChoice(name, chosen[name]))
}
