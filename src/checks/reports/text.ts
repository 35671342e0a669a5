import { escapeXml, wholeText } from '../../mock/input/input-error.ts'
import { formatDuration } from '../../mock/input/values.ts'

/** Characters that control a terminal, or the text direction. */
const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Escapes control characters, so that a text stays on one line, in its order, and can't control the terminal. */
export function printable(text: string): string {
  if (text.search(controls) < 0) return text
  return text.replaceAll(controls, (character) => {
    const digits = character.charCodeAt(0).toString(16)
    return digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`
  })
}

/** Escapes characters that JSON allows but that would control a terminal; the JSON value stays the same. */
export function printableJson(json: string): string {
  return json.replaceAll(/[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Escapes a multi-line text for XML and HTML; shows characters that control a terminal or that XML can't contain. */
export function xmlText(text: string): string {
  return escapeXml(text.split('\n').map(printable).join('\n'))
}

/** Wraps a text at spaces; a word that is too long gets a line of its own. */
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

/** Wraps a text, and indents all lines but the first. */
export function hanging(text: string, width: number, indent: string): string[] {
  const [first = '', ...rest] = wrap(text, width - indent.length)
  return [first, ...rest.map((line) => indent + line)]
}

/** Formats rows as columns, two spaces apart; columns of whole numbers are right-aligned. */
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

/** Characters that are two terminal columns wide. */
const doubleWidth =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uff01-\uff60]/u

/** Returns the width of a text in terminal columns, without its colours. */
function widthOf(painted: string): number {
  if (/^[ -~]*$/.test(painted)) return painted.length
  const text = painted.replace(/\p{Cc}\[\d+m/gu, '')
  const characters = [...new Intl.Segmenter().segment(text)]
  return characters.reduce((sum, { segment }) => sum + (doubleWidth.test(segment) ? 2 : 1), 0)
}

/** URLs, which renderers turn into links; punctuation at their end belongs to the sentence. */
const addressPattern = /((?:(?:https?|ftp):\/\/|www\.)\S*[^\s.,;:?!)'"])/i

/** Characters with a meaning in Markdown wherever they are; an underscore has one only outside words. */
const markup =
  /\\(?=[!-/:-@[-`{-~]|$)|[`*[~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=\S)\$|(?<=\s)#(?=#*$)/gu

/** Characters with a meaning only at the start of a line: headings, quotes, lists, rules. */
const markupAtStart = /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|-(?=[\s-]*$))/

/**
 * Writes a text on one line, so that Markdown finds no markup in it, such as tags, links or mentions. Plain characters
 * stay as they are.
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
      // Some renderers ignore a backslash before it.
      .replaceAll('<', '&lt;')
      // GitHub turns these into mentions and references despite all escapes, but not in code.
      .replace(/@(?=[\w-])|#(?=\d)/g, '`$&`')
  )
}

/** Writes a string as in JavaScript and JSON, without characters that would control a terminal. */
export function quoted(text: string): string {
  return printableJson(JSON.stringify(text))
}

/** Returns more backticks than any run of them in a text has, so that they can enclose it in Markdown. */
function fenceFor(text: string, least: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length)
  return '`'.repeat(Math.max(least, ...runs.map((length) => length + 1)))
}

/** Writes a text as a block of Markdown code, in which no character has a meaning. */
export function markdownBlock(text: string, language: string): string {
  const fence = fenceFor(text, 3)
  const lines = text.toWellFormed().split('\n').map(printable)
  return [fence + language, ...lines, fence].join('\n')
}

/** Writes a text as Markdown code, in which no character has a meaning. */
export function markdownCode(text: string): string {
  const fence = fenceFor(text, 1)
  // Renderers remove one space from both ends.
  const room = /^[` ]|[` ]$/.test(text) ? ' ' : ''
  return `${fence}${room}${printable(text.toWellFormed())}${room}${fence}`
}

/** Quotes a word for a POSIX shell if necessary; shows control characters but line feeds escaped. */
export function shellWord(word: string): string {
  // zsh expands a word that starts with "=" to the path of a program.
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word
  return shellQuoted(word.split('\n').map(printable).join('\n'))
}

/**
 * Returns the command that runs a program of a project's packages. pnpm writes its name into `package.json`, and npx then
 * rejects the project.
 *
 * @param agent `npm_config_user_agent`, which package managers set.
 */
export function packageRunner(agent = ''): string {
  if (agent.startsWith('yarn/')) return 'yarn'
  return agent.startsWith('pnpm/') ? 'pnpm exec' : 'npx'
}

/** Quotes a text for a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Quotes a URL for curl; turns off curl's patterns if the URL contains brackets or braces, except those of IPv6. */
export function curlAddress(address: string): string {
  const hasPattern = /[[\]{}]/.test(address.replace(/^https?:\/\/\[[\da-f:.]+\]/i, ''))
  return `${hasPattern ? '-g ' : ''}${shellQuoted(address)}`
}

/** Shortens a long text, such as the name of a pet, with an ellipsis. */
export function cut(text: string, length: number = 60): string {
  // A text never has fewer UTF-16 units than characters.
  if (text.length <= length) return text
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}

/** Formats a number of items: `1 request`, `2,000 requests`. */
export function countText(count: number, what: string): string {
  return `${wholeText(count)} ${what}${count === 1 ? '' : 's'}`
}

/** Formats a frequency: `once`, `twice`, `3 times`. */
export function timesText(count: number): string {
  if (count === 0) return 'never'
  if (count === 1) return 'once'
  return count === 2 ? 'twice' : `${count} times`
}

/** Formats a duration in whole seconds, at least one, such as `1m5s`. */
export function secondsText(ms: number, maxUnits?: number): string {
  return formatDuration(Math.max(Math.round(ms / 1_000), 1) * 1_000, maxUnits)
}

/** Returns the method and the path of a request. */
export function requestText(request: { readonly method: string; readonly url: string }): string {
  return `${request.method} ${pathOf(request)}`
}

/** Returns the URL of a request without the host. */
export function pathOf({ url }: { readonly url: string }): string {
  return url.replace(/^https?:\/\/[^/]*/i, '')
}
