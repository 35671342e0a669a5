import {
  formatValue,
  type GapChoices,
  type GapName,
  gapDescriptions,
  gapNames,
  plausibleChoices,
} from '../../mock/spec/gaps.ts'

/** A choice at a gap, as the engine reads it. */
export interface GapChoice {
  readonly gap: GapName
  readonly choice: string | number
}

/** The choices at all gaps but those in force; of what can be any instant, duration or count, one or two of them. */
export function otherChoices(inForce: GapChoices): GapChoice[] {
  return gapNames.flatMap((gap) =>
    plausibleChoices(gapDescriptions[gap])
      .filter((choice) => choice !== inForce[gap])
      .map((choice) => ({ gap, choice })),
  )
}

/** The choices under which a suite runs, where they differ from the baseline: at most one for each gap, in their order. */
export type Row = readonly GapChoice[]

/** Puts choices into a row. */
export function rowOf(choices: readonly GapChoice[]): Row {
  return choices.toSorted((one, other) => gapNames.indexOf(one.gap) - gapNames.indexOf(other.gap))
}

/** Writes a choice as it is set, such as `banStatus=403`. */
export function choiceText({ gap, choice }: GapChoice): string {
  return `${gap}=${formatValue(gap, choice)}`
}

/** Writes a row as it is set, such as `banStatus=403,listOrder=shuffled`; `''` for the baseline choices. */
export function rowText(row: Row): string {
  return row.map(choiceText).join(',')
}

/** Whether a row has all the choices of another. */
export function hasAll(row: Row, part: Row): boolean {
  return part.every((one) => row.some((other) => isSame(one, other)))
}

/** The choices of a row that aren't among others. */
export function without(row: Row, others: Row): Row {
  return row.filter((one) => !others.some((other) => isSame(one, other)))
}

/** The choices of a row as they are set, by gap. */
export function choicesByGap(row: Row): Readonly<Partial<Record<GapName, string>>> {
  return Object.fromEntries(row.map(({ gap, choice }) => [gap, String(formatValue(gap, choice))]))
}

function isSame(one: GapChoice, other: GapChoice): boolean {
  return one.gap === other.gap && one.choice === other.choice
}
