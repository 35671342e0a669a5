/** Lays rows of cells out in columns, two blanks apart; a number's column is set to the right. */
export function formatTable(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    })
  }
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0
      return /^[\d,]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width)
    })
    return `${indent}${cells.join('  ')}`.trimEnd()
  })
  return lines.join('\n')
}
