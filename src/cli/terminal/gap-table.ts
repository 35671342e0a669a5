import { choicesText, gapNames, gaps } from '../../contract/gaps.ts'
import { gapDescriptions } from '../../contract/openapi/gap-descriptions.ts'
import { formatTable } from './table.ts'
import { wrap } from './wrap.ts'

/**
 * Lists all gaps, with their choices, the default first.
 *
 * @param width The columns of the terminal; where a row needs more, what is left open is below it.
 */
export function gapTable(width: number = Number.POSITIVE_INFINITY): string {
  const rows = gapNames.map((name) => [
    name,
    gaps[name].spec,
    choicesText(gaps[name]),
    gapDescriptions[name].about,
  ])
  const table = formatTable([
    ['Gap', 'Spec', 'Choices, the default first', 'What is left open'],
    ...rows,
  ])
  if (table.split('\n').every(({ length }) => length <= width)) return table
  return rows
    .map(([name, spec, choices, about]) => {
      const below = [`${choices}`, `${about} Spec ${spec}.`].flatMap((text) =>
        wrap(text, width - indent.length),
      )
      return [name, ...below.map((line) => indent + line)].join('\n')
    })
    .join('\n')
}

/** How far what stands below is set in. */
const indent = '   '
