import type { GapName } from '../../contract/gaps.ts'
import type { Cell, TierName } from './cell.ts'
import { cellsByGap, type GapCells, gapCells } from './gap-cells.ts'
import { outcomeCells } from './outcome-cells.ts'
import { situationCells } from './situation-cells.ts'
import { type ValueChoices, valueCells, valueChoices } from './value-cells.ts'

/** All that is counted, by tier: each made of the tables of the interface, its gaps and the faults. */
export const cells: Readonly<Record<TierName, readonly Cell[]>> = {
  outcomes: outcomeCells,
  values: valueCells,
  situations: situationCells,
  gaps: gapCells,
}

/** The choices that requests have at their values. */
export const choicesOfRequests: readonly ValueChoices[] = valueChoices

/** The cells at each gap. */
export const choicesAtGaps: Readonly<Record<GapName, GapCells>> = cellsByGap
