import {
  formatValue,
  type GapName,
  type GapValues,
  gapDescriptions,
  gapNames,
  plausibleValues,
} from '../../mock/spec/gaps.ts'

/** A choice at a gap, as the engine reads it. */
export interface GapValue {
  readonly gap: GapName
  readonly value: string | number
}

/** The choices at all gaps but those in force; of what can be any instant, duration or count, one or two of them. */
export function otherValues(inForce: GapValues): GapValue[] {
  return gapNames.flatMap((gap) =>
    plausibleValues(gapDescriptions[gap])
      .filter((value) => value !== inForce[gap])
      .map((value) => ({ gap, value })),
  )
}

/** The choices under which a suite runs, where they differ from the baseline: at most one for each gap, in their order. */
export type Configuration = readonly GapValue[]

/** Puts choices into a row. */
export function configurationOf(choices: readonly GapValue[]): Configuration {
  return choices.toSorted((one, other) => gapNames.indexOf(one.gap) - gapNames.indexOf(other.gap))
}

/** Writes a choice as it is set, such as `banStatus=403`. */
export function valueText({ gap, value }: GapValue): string {
  return `${gap}=${formatValue(gap, value)}`
}

/** Writes a row as it is set, such as `banStatus=403,listOrder=shuffled`; `''` for the baseline choices. */
export function configurationText(row: Configuration): string {
  return row.map(valueText).join(',')
}

/** Whether a row has all the choices of another. */
export function hasAll(row: Configuration, part: Configuration): boolean {
  return part.every((one) => row.some((other) => isSame(one, other)))
}

/** The choices of a row that aren't among others. */
export function without(row: Configuration, others: Configuration): Configuration {
  return row.filter((one) => !others.some((other) => isSame(one, other)))
}

/** The choices of a row as they are set, by gap. */
export function valuesByGap(row: Configuration): Readonly<Partial<Record<GapName, string>>> {
  return Object.fromEntries(row.map(({ gap, value }) => [gap, String(formatValue(gap, value))]))
}

function isSame(one: GapValue, other: GapValue): boolean {
  return one.gap === other.gap && one.value === other.value
}
