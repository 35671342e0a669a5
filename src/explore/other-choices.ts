import { type Gap, type GapChoices, type GapName, gapNames, gaps } from '../contract/gaps.ts'

/** A choice at a gap, as the engine reads it. */
export interface GapChoice {
  readonly gap: GapName
  readonly choice: string | number
}

/** The choices at all gaps but those in force; of what can be any instant, duration or count, one or two of them. */
export function otherChoices(inForce: GapChoices): GapChoice[] {
  return gapNames.flatMap((gap) =>
    choicesBeside(gaps[gap], inForce[gap]).map((choice) => ({ gap, choice })),
  )
}

const dayMs = 86_400_000

function choicesBeside(gap: Gap, inForce: string | number): (string | number)[] {
  return candidates(gap, inForce).filter((choice) => choice !== inForce)
}

function candidates(gap: Gap, inForce: string | number): readonly (string | number)[] {
  switch (gap.kind) {
    case 'choice':
      return gap.choices
    case 'instant':
      return [Number(inForce) - dayMs]
    case 'duration':
      return [Number(inForce) * 2]
    case 'count':
      return [0, gap.default, 'never']
    case 'shift':
      return [gap.default, 3_600_000]
  }
}
