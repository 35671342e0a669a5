import { startLines, viteImport, vitePlugin } from './templates.ts'

/** Whitespace and whole comments, so that no code is mistaken for one. */
const space = String.raw`(?:\s|//[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`

/** An import statement with an end that is certain: a semicolon, or a line that can't go on. */
const statement = String.raw`import(?:\s+type)?(?:\s+[\w$*{},\s]+?\s+from)?\s*(?:'[^'\n\\]+'|"[^"\n\\]+")[ \t]*(?:;?[ \t]*(?://[^\r\n]*)?(?=\r?\n|$)|;)`

const imports = new RegExp(`^\ufeff?(?:${space}${statement})*`)

/** A property of an object that is a name, a number or a string. */
const property = String.raw`\w+\s*:\s*(?:'[^'\n\\]*'|"[^"\n\\]*"|[\w.]+)\s*,`

const objectStart = String.raw`^${space}export\s+default\s+(?:defineConfig\(\s*)?\{`

const pluginsStart = new RegExp(
  String.raw`${objectStart}(?:${space}${property})*${space}plugins\s*:\s*\[`,
)

/**
 * Inserts the lines that await the mocks after the imports of a module. Only the imports are parsed: any statement may
 * follow them.
 *
 * @returns `undefined` if the end of the imports isn't certain.
 */
export function withStart(text: string, mocks: string): string | undefined {
  const [head = ''] = imports.exec(text) ?? []
  const rest = text.slice(head.length)
  // A directive has to come first, and `with` continues an import.
  if (head.trim() === '' || new RegExp(`^${space}(?:['"]|(?:with|assert)\\b)`).test(rest)) {
    return undefined
  }
  const eol = eolOf(text)
  return head + eol + eol + startLines(mocks, semicolonOf(head)).join(eol) + rest
}

/**
 * Adds the plugin to a configuration of Vite, either as the first one of a list or as the only one.
 *
 * @returns `undefined` if the configuration isn't a plain object, or has its plugins elsewhere.
 */
export function withPlugin(text: string): string | undefined {
  const [head = ''] = imports.exec(text) ?? []
  const rest = text.slice(head.length)
  if (/\bpetstore\b/.test(text)) return undefined
  const eol = eolOf(text)
  const importLine = `${viteImport}${semicolonOf(head)}`
  const newHead = head === '' ? `${importLine}${eol}${eol}` : `${head}${eol}${importLine}`
  const [found] = pluginsStart.exec(rest) ?? []
  if (found !== undefined) {
    const others = rest.slice(found.length)
    const [indent = ''] = /^\s*/.exec(others) ?? []
    const isLast = others.slice(indent.length).startsWith(']')
    const first = indent.includes('\n')
      ? `${isLast ? '' : indent}${vitePlugin}${isLast ? '' : ','}`
      : `${vitePlugin}${isLast ? '' : ', '}`
    return newHead + found + first + others
  }
  const [start] = new RegExp(objectStart).exec(rest) ?? []
  if (start === undefined || /\bplugins\b/.test(text)) return undefined
  const others = rest.slice(start.length)
  const before = /^\s*\n/.test(others) ? `${eol}  ` : ' '
  return `${newHead}${start}${before}plugins: [${vitePlugin}],${others}`
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function semicolonOf(head: string): string {
  return /;\s*$/m.test(head) ? ';' : ''
}
