import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** Writes a table of Markdown; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...body.map(line)].join('\n')
}

/** Writes text as code, unless there is none. */
export function inCode(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

/** Writes a block of code. */
export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

/** Writes a file of this repository as a block of code, in the language that its name ends in. */
export function codeOf(path: string): string {
  return codeBlock(path.split('.').at(-1) ?? '', readFileSync(new URL(path, root), 'utf8'))
}
