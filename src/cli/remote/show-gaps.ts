import { formatTable, wrap } from '../../checks/reports/text.ts'
import { gapDescriptions, gapNames, gaps, valuesText } from '../../mock/api/gaps.ts'
import type { GapsOptions } from '../options.ts'
import { firstLines } from '../terminal.ts'

/** Prints what the spec leaves open, and the values of each gap. */
export function showGaps(options: GapsOptions, stdout: NodeJS.WriteStream): void {
  const table = firstLines(gapTable(stdout.columns), options.all)
  stdout.write(`${options.json ? gapJson() : table}\n`)
}

function gapJson(): string {
  const rows = gapNames.map((name) => ({
    gap: name,
    spec: gaps[name].spec,
    values: valuesText(gaps[name]).split(', '),
    summary: gapDescriptions[name].summary,
  }))
  return JSON.stringify(rows)
}

/**
 * Lists all gaps with their values, the default first.
 *
 * @param width Number of columns of the terminal; if a row needs more, its description follows below.
 */
export function gapTable(width: number = Number.POSITIVE_INFINITY): string {
  const rows = gapNames.map((name) => [
    name,
    gaps[name].spec,
    valuesText(gaps[name]),
    gapDescriptions[name].summary,
  ])
  const table = formatTable([
    ['Gap', 'Spec', 'Values, the default first', 'What is left open'],
    ...rows,
  ])
  if (table.split('\n').every(({ length }) => length <= width)) return table
  return rows
    .flatMap(([name, spec, values, summary]) => [
      name,
      ...[`${values}`, `${summary} Spec ${spec}.`]
        .flatMap((text) => wrap(text, width - indent.length))
        .map((line) => indent + line),
    ])
    .join('\n')
}

/** Indentation of lines below a gap. */
const indent = '   '
