/**
 * Writes dist/types.md from the built declarations: for each entry of the package its exports, with the types
 * that these name. Types that follow from a schema or a table are written out.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const page = join(root, 'dist/types.md')

const entries = Object.entries(manifest.exports).flatMap(([entry, target]) =>
  typeof target === 'string'
    ? []
    : [{ name: entry.replace('.', manifest.name), file: join(root, target.types) }],
)
const program = ts.createProgram(
  entries.map(({ file }) => file),
  {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ['node'],
  },
)
const checker = program.getTypeChecker()
const ownFolder = join(root, 'dist/types/')

/** The types that any file of ours declares, by name. */
const declared = new Map<string, ts.Symbol>()
for (const source of program.getSourceFiles()) {
  if (!source.fileName.startsWith(ownFolder)) continue
  for (const node of source.statements) {
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
    if (!isType && !ts.isClassDeclaration(node)) continue
    const symbol = node.name && checker.getSymbolAtLocation(node.name)
    if (symbol !== undefined) declared.set(symbol.name, symbol)
  }
}

/** The names by which entries export what is declared under another one. */
const exportedNames = new Map<ts.Symbol, string>()

/** The exports of an entry. */
function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`Cannot read ${file}: run "npm run build"`)
  return checker.getExportsOfModule(module).map((one) => {
    const symbol = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one
    if (symbol.name !== one.name) exportedNames.set(symbol, one.name)
    return symbol
  })
}

/** The doc comment of a symbol, with its tags. */
function sentencesOf(symbol: ts.Symbol): string {
  const text = (parts: ts.SymbolDisplayPart[] = []): string => ts.displayPartsToString(parts)
  const tags = symbol.getJsDocTags(checker).map((tag) => `@${tag.name} ${text(tag.text)}`)
  return [text(symbol.getDocumentationComment(checker)), ...tags]
    .join('\n')
    .replace(/\{\s*@link ([^}]*?)\s*\}/g, '`$1`')
    .trim()
}

function commentOf(symbol: ts.Symbol): string {
  const lines = sentencesOf(symbol).split('\n')
  if (lines.length > 1) return `  /**\n${lines.map((line) => `   * ${line}\n`).join('')}   */\n`
  return lines[0] === '' ? '' : `  /** ${lines[0]} */\n`
}

/** A declaration as it stands, or written out where it follows from something that users can't see. */
function textOf(symbol: ts.Symbol): string {
  const texts = (symbol.declarations ?? []).map((node) => {
    const text = ts.isVariableDeclaration(node) ? `const ${node.getText()};` : node.getText()
    return text.replace(/^export (?:declare )?/, '')
  })
  const text = texts.join('\n')
  const isDerived =
    /\b(?:Input|Output|GivenOf|ReadOf)</.test(text) || /^type [\s\S]*\btypeof /.test(text)
  return (isDerived ? writtenOut(symbol) : text).replace(/\bimport\([^)]*\)\./g, '')
}

/** What unions of ours come to, with their names. */
const unions = [...declared.values()].flatMap((symbol) => {
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const isNamed =
    type.isUnion() && type.types.length > 2 && type.types.every((one) => one.isLiteral())
  return isNamed ? [[type.types.map(print).join(' | '), symbol.name] as const] : []
})

function print(type: ts.Type): string {
  return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
}

function named(type: ts.Type): string {
  return wrapped(unions.reduce((text, [union, name]) => text.replaceAll(union, name), print(type)))
}

/** Puts each property of a long object type on a line of its own. */
function wrapped(text: string): string {
  if (text.length < 100 || /\{.*\{/.test(text)) return text
  return text.replace(/\{ (.*?) \}/, (_, inner: string) => {
    return `{\n      ${inner.replaceAll('; ', ';\n      ')}\n    }`
  })
}

function writtenOut(symbol: ts.Symbol): string {
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  if (type.isUnion()) {
    const members = type.types.map((one) => `\n  | ${named(one)}`)
    return `type ${symbol.name} =${members.join('')};`
  }
  const members = type.getProperties().map((one) => {
    const mark = one.flags & ts.SymbolFlags.Optional ? '?' : ''
    return `${commentOf(one)}  readonly ${one.name}${mark}: ${named(checker.getTypeOfSymbol(one))};\n`
  })
  return `interface ${symbol.name} {\n${members.join('')}}`
}

const listed = new Set<ts.Symbol>()

/** Describes an entry: its exports, then the types that their declarations name. */
function sectionOf({ name, file }: (typeof entries)[number]): string {
  const symbols = new Set(exportsOf(file))
  let section = `## ${name}\n`
  // A set goes on to what is added to it on the way.
  for (const symbol of symbols) {
    if (listed.has(symbol)) continue
    listed.add(symbol)
    const name = exportedNames.get(symbol) ?? symbol.name
    const text = textOf(symbol).replace(new RegExp(`\\b${symbol.name}\\b`, 'g'), name)
    for (const [word] of text
      .replace(/\/\*[\s\S]*?\*\/|\bkeyof \w+/g, '')
      .matchAll(/\b[A-Z]\w*\b/g)) {
      const named = declared.get(word)
      if (named !== undefined) symbols.add(named)
    }
    section += `\n### ${name}\n\n${sentencesOf(symbol).replaceAll('\n@', '\n\n@')}\n\n\`\`\`ts\n${text}\n\`\`\`\n`
  }
  return section
}

writeFileSync(
  page,
  `# Types

Everything that the package exports, with its types; the build makes this page of the declarations.

${entries.map(sectionOf).join('\n')}`,
)
