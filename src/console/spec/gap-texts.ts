import {
  defaultGaps,
  formatValue,
  type Gap,
  type GapName,
  type GapSettings,
  gapSettings,
  gaps,
} from '../../mock/api/gaps.ts'
import { fromTexts } from '../../mock/input/object.ts'
import { namesOf } from '../../mock/input/record.ts'
import { identity, readInput } from '../../mock/input/schema.ts'
import type { WhatIf } from '../../sandbox/controls/reports.ts'

/** Returns the values that a gap lists, as text; empty for a gap with too many values to list. */
export function listedChoices(name: GapName): readonly string[] {
  const gap: Gap = gaps[name]
  return gap.kind === 'enum' ? gap.values.map(String) : []
}

/** Returns the default value of a gap, as text. */
export function defaultChoice(name: GapName): string {
  return String(formatValue(name, defaultGaps[name]))
}

/** Returns a gap value other than the chosen one, to start with. */
export function otherChoice(name: GapName, chosen: string): string {
  const gap: Gap = gaps[name]
  const others = { instant: '2026-01-01T00:00:00Z', duration: '10m', count: 'never', shift: '1h' }
  const candidates = gap.kind === 'enum' ? listedChoices(name) : [others[gap.kind]]
  return candidates.find((one) => one !== chosen) ?? defaultChoice(name)
}

/**
 * Parses gap values from texts.
 *
 * @throws {@link InputError} with the accepted values.
 */
export function gapSettingsOf(texts: Readonly<Record<string, string>>): GapSettings {
  return readInput(identity(gapSettings), fromTexts(gapSettings, texts))
}

/** Effect of another gap value on the requests so far. */
interface GapEffect {
  readonly value: string
  /** Number of requests with another response. */
  readonly count: number
  /** Ids of the first of these requests. */
  readonly ids: readonly number[]
}

/** Returns the other values of a gap that would have changed a response, largest number of changes first. */
export function gapEffects(found: WhatIf | undefined, name: GapName): readonly GapEffect[] {
  return (found?.results ?? [])
    .flatMap(({ gaps: { [name]: value }, count = 0, ids = [] }) =>
      value === undefined || count === 0 ? [] : [{ value: String(value), count, ids }],
    )
    .sort((one, other) => other.count - one.count)
}

/** Returns the gaps with a value that changes a response, and their values that do, as text. */
export function changingValues(found: WhatIf | undefined): ReadonlyMap<GapName, readonly string[]> {
  const values = new Map<GapName, readonly string[]>()
  for (const { gaps: tried, changesResponse } of found?.results ?? []) {
    for (const name of changesResponse ? namesOf(tried) : []) {
      values.set(name, [...(values.get(name) ?? []), String(tried[name])])
    }
  }
  return values
}
