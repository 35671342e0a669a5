import { escapeXml, wholeText } from '../input/input-error.ts'

/** Characters that control a terminal, or the direction in which it shows what follows. */
const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Escapes control characters, so that a text stays on one line, in its order, and can't control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(controls, (character) => {
    const digits = character.charCodeAt(0).toString(16)
    return digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`
  })
}

/** Breaks a text into lines of a width, at blanks; a longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length > width && line !== '') {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/** Breaks a text into lines of a width, of which all but the first are set in. */
export function hanging(text: string, width: number, indent: string): string[] {
  const [first = '', ...rest] = wrap(text, width - indent.length)
  return [first, ...rest.map((line) => indent + line)]
}

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

/** Writes a text so that Markdown finds nothing in it: each sign that means something becomes a character reference. */
export function markdownText(text: string): string {
  return escapeXml(printable(text.replace(/\s+/g, ' ')))
    .replaceAll('&#39;', "'")
    .replace(/[\\`*_[\]~|@$#]|:(?=\/)|^[-+=]|(?<=^\d+)[.)]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Quotes a word for a shell where it has to be; control characters are escaped, since what prints it would not keep them. */
export function shellWord(word: string): string {
  if (word.search(controls) >= 0) return `$'${printable(word.replaceAll(/[\\']/g, '\\$&'))}'`
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word)
}

/** Quotes a text for a POSIX shell: within single quotes it reads everything as it is but these. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Cuts a long text, such as the name of a pet, and marks the cut. */
export function cut(text: string, length: number = 60): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}

/** Says how many there are of something: `1 request`, `2,000 requests`. */
export function countText(count: number, what: string): string {
  return `${wholeText(count)} ${what}${count === 1 ? '' : 's'}`
}

/** Writes how often: `once`, `twice`, `3 times`. */
export function timesText(count: number): string {
  if (count === 0) return 'never'
  if (count === 1) return 'once'
  return count === 2 ? 'twice' : `${count} times`
}
