import { choicesText, gapNames, gaps } from '../../contract/gaps.ts'
import { formatTable } from './table.ts'

/** Lists all gaps, with their choices, the default first. */
export function gapTable(): string {
  const rows = gapNames.map((name) => [
    name,
    gaps[name].spec,
    choicesText(gaps[name]),
    gaps[name].about,
  ])
  return formatTable([['Gap', 'Spec', 'Choices, the default first', 'What is left open'], ...rows])
}
