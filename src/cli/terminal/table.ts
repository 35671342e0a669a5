/** Lays out rows of cells in columns, two spaces apart; columns of whole numbers are right-aligned. */
export function formatTable(rows: readonly (readonly string[])[], indent = ''): string {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const columns = Array.from({ length: count }, (_, column) => {
    const cells = rows.map((row) => row[column] ?? '')
    return {
      width: cells.reduce((most, cell) => Math.max(most, widthOf(cell)), 0),
      isNumeric: isNumeric(cells.slice(1)),
    }
  })
  const lines = rows.map((row) => {
    const cells = columns.map(({ width, isNumeric: isRight }, column) => {
      const cell = row[column] ?? ''
      const blanks = ' '.repeat(width - widthOf(cell))
      return isRight ? blanks + cell : cell + blanks
    })
    return `${indent}${cells.join('  ')}`.trimEnd()
  })
  return lines.join('\n')
}

function isNumeric(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length > 0 && filled.every((cell) => /^-?\d[\d,]*$/.test(cell))
}

/** Characters that take two columns of a terminal. */
const doubleWidth =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uff01-\uff60]/u

/** How many terminal columns a text takes. */
function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  const characters = [...new Intl.Segmenter().segment(text)]
  return characters.reduce((sum, { segment }) => sum + (doubleWidth.test(segment) ? 2 : 1), 0)
}
