import type { WhatIf } from '../../mock/controls/reports.ts'
import { fromTexts } from '../../mock/input/object.ts'
import { identity, readInput } from '../../mock/input/schema.ts'
import {
  defaultGaps,
  formatValue,
  type Gap,
  type GapName,
  type GapSettings,
  gapSettings,
  gaps,
} from '../../mock/spec/gaps.ts'

/** The choices that a gap lists, as text; none where there are too many to list. */
export function listedChoices(name: GapName): readonly string[] {
  const gap: Gap = gaps[name]
  return gap.kind === 'choice' ? gap.choices.map(String) : []
}

/** The default choice at a gap, as text. */
export function defaultChoice(name: GapName): string {
  return String(formatValue(name, defaultGaps[name]))
}

/** A choice at a gap beside another one, to begin with. */
export function otherChoice(name: GapName, chosen: string): string {
  const gap: Gap = gaps[name]
  const others = { instant: '2026-01-01T00:00:00Z', duration: '10m', count: 'never', shift: '1h' }
  const candidates = gap.kind === 'choice' ? listedChoices(name) : [others[gap.kind]]
  return candidates.find((one) => one !== chosen) ?? defaultChoice(name)
}

/**
 * Reads choices that were written as texts.
 *
 * @throws {@link InputError} with what is accepted.
 */
export function gapSettingsOf(texts: Readonly<Record<string, string>>): GapSettings {
  return readInput(identity(gapSettings), fromTexts(gapSettings, texts))
}

/** What another value of a gap would have meant to the requests so far. */
interface GapEffect {
  readonly value: string
  /** Number of requests with another response. */
  readonly count: number
  /** Ids of the first of them. */
  readonly ids: readonly number[]
}

/** Returns the other values of a gap that would have changed a response, the most far-reaching first. */
export function gapEffects(found: WhatIf | undefined, name: GapName): readonly GapEffect[] {
  return (found?.results ?? [])
    .flatMap(({ gaps: { [name]: value }, count = 0, ids = [] }) =>
      value === undefined || count === 0 ? [] : [{ value: String(value), count, ids }],
    )
    .sort((one, other) => other.count - one.count)
}
