import { wholeText } from '../../mock/input/input-error.ts'

/** Characters that control a terminal, or the direction in which it shows what follows. */
const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Escapes control characters, so that a text stays on one line, in its order, and can't control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(controls, (character) => {
    const digits = character.charCodeAt(0).toString(16)
    return digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`
  })
}

/** Escapes in JSON what it may hold as it is, but would control a terminal; it is the same JSON. */
export function printableJson(json: string): string {
  return json.replaceAll(/[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
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

/** How many terminal columns a text takes; colours take none. */
function widthOf(painted: string): number {
  if (/^[ -~]*$/.test(painted)) return painted.length
  const text = painted.replace(/\p{Cc}\[\d+m/gu, '')
  const characters = [...new Intl.Segmenter().segment(text)]
  return characters.reduce((sum, { segment }) => sum + (doubleWidth.test(segment) ? 2 : 1), 0)
}

/** Addresses, of which renderers make links; punctuation at their end belongs to the sentence. */
const addressPattern = /((?:(?:https?|ftp):\/\/|www\.)\S*[^\s.,;:?!)'"])/i

/** Signs that mean something to Markdown wherever they stand: an underscore doesn't within a word. */
const markup =
  /\\(?=[!-/:-@[-`{-~]|$)|[`*[~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=\S)\$|(?<=\s)#(?=#*$)/gu

/** Signs that mean something only where a line begins: headings, quotes, lists, rules. */
const markupAtStart = /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|-(?=[\s-]*$))/

/**
 * Writes a text on one line so that Markdown finds no markup in it: no tag, no link, no mention. Plain characters stay as
 * they are.
 */
export function markdownText(text: string): string {
  const line = printable(text.replace(/\s+/g, ' '))
    .toWellFormed()
    .trim()
    .replace(/[\ufffe\uffff]/gu, '\ufffd')
  const [start = '', ...rest] = line.split(addressPattern)
  const parts = rest.map((part, index) => (index % 2 === 0 ? markdownCode(part) : escaped(part)))
  const begun = escaped(start)
    .replace(markupAtStart, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
  return [begun, ...parts].join('')
}

function escaped(text: string): string {
  return (
    text
      .replace(markup, '\\$&')
      .replace(/&(?=#?\w+;)/g, '&amp;')
      // Not every renderer takes a backslash before it.
      .replaceAll('<', '&lt;')
      // GitHub makes mentions and references of these after all escapes, but not of code.
      .replace(/@(?=[\w-])|#(?=\d)/g, '`$&`')
  )
}

/** Writes a text as code of Markdown, in which nothing has a meaning. */
export function markdownCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(0, ...runs) + 1)
  // One blank at both ends is left out by who reads it.
  const room = /^[` ]|[` ]$/.test(text) ? ' ' : ''
  return `${fence}${room}${printable(text.toWellFormed())}${room}${fence}`
}

/** Quotes a word for a POSIX shell where it has to be; it stays on one line, in its order, and can't control the terminal. */
export function shellWord(word: string): string {
  // Of a word that begins with "=", zsh makes the path of a program.
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word
  return word.search(controls) < 0 ? shellQuoted(word) : shellPrinted(word)
}

/** Quotes a text for a POSIX shell: within single quotes it reads everything as it is but these. */
export function shellQuoted(text: string): string {
  const isSafe = text.replaceAll('\n', '').search(controls) < 0
  return isSafe ? `'${text.replaceAll("'", "'\\''")}'` : shellPrinted(text)
}

/** What has a meaning to `printf`, within its single quotes, or, in a shell that someone types into, within double quotes. */
const printfMarks = /[\\'!\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Has `printf` make a text that no quotes can show: dash doesn't know `$'…'`. */
function shellPrinted(text: string): string {
  const [lineFeeds = ''] = /\n*$/.exec(text) ?? []
  const shown = text.slice(0, text.length - lineFeeds.length).replaceAll(printfMarks, octalText)
  // The shell takes line feeds from the end of what a command prints.
  const end = lineFeeds === '' ? '' : `'${lineFeeds}'`
  return `"$(printf %b '${shown}')"${end}`
}

function octalText(character: string): string {
  const bytes = new TextEncoder().encode(character)
  return [...bytes].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
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
