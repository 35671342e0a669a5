import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/** An alias such as `Given<typeof options>`, which says nothing to a reader. */
interface Alias {
  readonly name: string
  readonly node: ts.TypeAliasDeclaration
  readonly type: ts.Type
}

/**
 * Copies declarations, and writes out the types that follow from tables and schemas: as interfaces with the
 * properties that they come to, or as unions of their members.
 *
 * @param from The folder of the declarations, as the build makes them.
 * @param to The folder of the copy, which has to have the packages that they import above it.
 */
export function expandTypes(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  const files = readdirSync(to, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => join(to, file))
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  const sources = files.flatMap((file) => program.getSourceFile(file) ?? [])
  const aliases = sources.flatMap((source) => aliasesIn(source, checker))
  const names = new Map(
    aliases
      .filter(({ type }) => isPlainObject(type))
      .map(({ type, name }) => [shapeOf(type, checker), name]),
  )
  const origins = new Map(
    sources.flatMap((source) => declaredIn(source).map((name) => [name, source.fileName])),
  )
  for (const source of sources) {
    const own = aliases.filter(({ node }) => node.getSourceFile() === source)
    const printer = new Printer(checker, names)
    if (own.length > 0) writeFileSync(source.fileName, rewritten(source, own, printer, origins))
  }
}

/** The names of the types that a file declares. */
function declaredIn(source: ts.SourceFile): string[] {
  return source.statements.flatMap((one) => {
    const isType =
      ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isClassDeclaration(one)
    return isType && one.name !== undefined ? [one.name.text] : []
  })
}

/** The names that a file imports. */
function importedIn(source: ts.SourceFile): string[] {
  return source.statements.filter(ts.isImportDeclaration).flatMap(({ importClause }) => {
    const bindings = importClause?.namedBindings
    const isNamed = bindings !== undefined && ts.isNamedImports(bindings)
    return isNamed ? bindings.elements.map(({ name }) => name.text) : []
  })
}

/** Finds the aliases to write out: those of schemas and tables, and those that go over properties of other types. */
function aliasesIn(source: ts.SourceFile, checker: ts.TypeChecker): Alias[] {
  return source.statements
    .filter(ts.isTypeAliasDeclaration)
    .filter(({ typeParameters }) => typeParameters === undefined)
    .filter((node) => {
      const text = node.type.getText(source)
      return /^Given<|^(?!Read).*\btypeof\b/s.test(text) || literalOf(node) !== undefined
    })
    .map((node) => {
      return { name: node.name.text, node, type: checker.getTypeAtLocation(node.name) }
    })
}

/** Gives the text of a file with its aliases written out, and with the imports that they need then. */
function rewritten(
  source: ts.SourceFile,
  aliases: readonly Alias[],
  printer: Printer,
  origins: ReadonlyMap<string, string>,
): string {
  let { text } = source
  const words = new Set<string>()
  // From the end, so that places stay.
  for (const { name, node, type } of aliases.toReversed()) {
    const written = literalOf(node)?.getText(source)
    const declaration =
      written === undefined ? printer.declare(name, type) : `export interface ${name} ${written}`
    for (const [word] of declaration.matchAll(/\b[A-Z]\w*/g)) words.add(word)
    text = text.slice(0, node.getStart()) + declaration + text.slice(node.end)
  }
  const known = [...declaredIn(source), ...importedIn(source)]
  const imports = [...words].flatMap((word) => {
    const origin = known.includes(word) ? undefined : origins.get(word)
    if (origin === undefined) return []
    const path = relative(dirname(source.fileName), origin).replace(/\.d\.ts$/, '.ts')
    return `import type { ${word} } from '${path.startsWith('.') ? path : `./${path}`}';\n`
  })
  return imports.join('') + text
}

/** What is written out already of a type that goes over the properties of another, which its sentence names. */
function literalOf({ type }: ts.TypeAliasDeclaration): ts.TypeNode | undefined {
  if (!ts.isIntersectionTypeNode(type) || !type.types.some(ts.isMappedTypeNode)) return undefined
  return type.types.find(ts.isTypeLiteralNode)
}

/** Writes types as a person would. */
class Printer {
  readonly #checker: ts.TypeChecker
  readonly #names: ReadonlyMap<string, string>

  /** @param names Names of object types by their shapes. */
  constructor(checker: ts.TypeChecker, names: ReadonlyMap<string, string>) {
    this.#checker = checker
    this.#names = names
  }

  declare(name: string, type: ts.Type): string {
    if (isPlainObject(type)) return `export interface ${name} ${this.#body(type)}`
    return `export type ${name} = ${type.isUnion() ? this.#union(type) : this.#print(type)};`
  }

  #print(type: ts.Type): string {
    const alias = type.aliasTypeArguments === undefined ? type.aliasSymbol?.name : undefined
    if (alias !== undefined) return alias
    if (type.isUnion()) return this.#union(type)
    const [signature] = type.getCallSignatures()
    if (signature !== undefined && type.getProperties().length === 0) return this.#call(signature)
    if (this.#checker.isTupleType(type)) return this.#text(type)
    if (this.#checker.isArrayType(type)) return this.#array(type)
    if (isPlainObject(type))
      return this.#names.get(shapeOf(type, this.#checker)) ?? this.#body(type)
    const name = type.symbol?.name
    const given = isReference(type) ? this.#checker.getTypeArguments(type) : []
    if (name !== 'Promise') return this.#text(type)
    return `${name}<${given.map((one) => this.#print(one)).join(', ')}>`
  }

  #text(type: ts.Type): string {
    const text = this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
    return text.replace(/\bimport\([^)]*\)\./g, '')
  }

  #array(type: ts.Type): string {
    const [item] = isReference(type) ? this.#checker.getTypeArguments(type) : []
    const text = item === undefined ? 'unknown' : this.#print(item)
    const isReadonly = this.#text(type).startsWith('readonly ')
    return `${isReadonly ? 'readonly ' : ''}${/ \| | => /.test(text) ? `(${text})` : text}[]`
  }

  #call(signature: ts.Signature): string {
    const given = signature.getParameters().map((one) => {
      const declaration = one.valueDeclaration
      const isParameter = declaration !== undefined && ts.isParameter(declaration)
      const isOptional = isParameter && this.#checker.isOptionalParameter(declaration)
      return `${one.name}${isOptional ? '?' : ''}: ${this.#print(this.#checker.getTypeOfSymbol(one))}`
    })
    return `(${given.join(', ')}) => ${this.#print(signature.getReturnType())}`
  }

  #union(type: ts.UnionType): string {
    const types = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
    const flags = types.filter(({ flags: one }) => one & ts.TypeFlags.BooleanLiteral)
    const isFlag = flags.length === 2
    const others = types.filter((one) => !isFlag || !flags.includes(one))
    const texts = others.map((one) => this.#print(one))
    const members = texts.map((text) => (/^\(.*=>/.test(text) ? `(${text})` : text))
    return [...(isFlag ? ['boolean'] : []), ...members].join(' | ')
  }

  #body(type: ts.Type): string {
    const properties = type.getProperties()
    const isOptional = (one: ts.Symbol): boolean => (one.flags & ts.SymbolFlags.Optional) !== 0
    const ordered = [
      ...properties.filter((one) => !isOptional(one)),
      ...properties.filter(isOptional),
    ]
    const lines = ordered.map((one) => {
      const description = ts.displayPartsToString(one.getDocumentationComment(this.#checker))
      const doc = description === '' ? '' : `  /** ${description.replaceAll('\n', '\n   * ')} */\n`
      const text = this.#print(this.#checker.getTypeOfSymbol(one))
      const name = /^\w+$/.test(one.name) ? one.name : JSON.stringify(one.name)
      return `${doc}  readonly ${name}${isOptional(one) ? '?' : ''}: ${text};\n`
    })
    return `{\n${lines.join('')}}`
  }
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return 'target' in type
}

/** Whether a type is an object type without a name of its own. */
function isPlainObject(type: ts.Type): boolean {
  const hasName = type.symbol !== undefined && !/^__/.test(type.symbol.name)
  const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
  return (
    isObject && !hasName && type.getCallSignatures().length === 0 && type.getProperties().length > 0
  )
}

/** The properties of a type, and theirs: two types may have the same names. */
function shapeOf(type: ts.Type, checker: ts.TypeChecker): string {
  const properties = type.getProperties().map((one) => {
    const mark = one.flags & ts.SymbolFlags.Optional ? '?' : ''
    const own = checker.getTypeOfSymbol(one)
    const text = isPlainObject(own)
      ? shapeOf(own, checker)
      : checker.typeToString(own, undefined, ts.TypeFormatFlags.NoTruncation)
    return `${one.name}${mark}: ${text}`
  })
  return `{ ${properties.sort().join()} }`
}
