import {
  formatValue,
  type GapName,
  type GapValues,
  gapDescriptions,
  gapNames,
  plausibleValues,
} from '../gaps.ts'

/** A value of a gap, as the engine reads it. */
export interface GapValue {
  readonly gap: GapName
  readonly value: string | number
}

/** Returns the values of all gaps that aren't in force; for an instant, a duration or a count, one or two of them. */
export function otherValues(inForce: GapValues): GapValue[] {
  return gapNames.flatMap((gap) =>
    plausibleValues(gapDescriptions[gap])
      .filter((value) => value !== inForce[gap])
      .map((value) => ({ gap, value })),
  )
}

/** Gap values of a test run that differ from the baseline: at most one for each gap, in the order of the gaps. */
export type Configuration = readonly GapValue[]

/** Creates a configuration from gap values. */
export function configurationOf(choices: readonly GapValue[]): Configuration {
  return choices.toSorted((one, other) => gapNames.indexOf(one.gap) - gapNames.indexOf(other.gap))
}

/** Formats a value as a setting, such as `banStatus=403`. */
export function valueText({ gap, value }: GapValue): string {
  return `${gap}=${formatValue(gap, value)}`
}

/** Formats a configuration as settings, such as `banStatus=403,listOrder=shuffled`; `''` for the baseline. */
export function configurationText(row: Configuration): string {
  return row.map(valueText).join(',')
}

/** Returns whether a configuration contains all values of another. */
export function hasAll(row: Configuration, part: Configuration): boolean {
  return part.every((one) => row.some((other) => isSame(one, other)))
}

/** Returns the values of a configuration as settings, by gap. */
export function valuesByGap(row: Configuration): Readonly<Partial<Record<GapName, string>>> {
  return Object.fromEntries(row.map(({ gap, value }) => [gap, String(formatValue(gap, value))]))
}

function isSame(one: GapValue, other: GapValue): boolean {
  return one.gap === other.gap && one.value === other.value
}
