import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** An import or re-export of a module. */
interface Import {
  /** As it is written, without a query. */
  readonly from: string
  /** The path within the repository that it leads to; `undefined` for a package. */
  readonly path: string | undefined
  readonly isOfTypes: boolean
}

/** What the rules of the house look at in one file. */
export interface Module {
  /** Within the repository, such as `src/state/keys.ts`. */
  readonly path: string
  readonly imports: readonly Import[]
  /** Names used that nothing in the language defines, such as `process`, and `Date.now` and `new Date()`. */
  readonly names: ReadonlySet<string>
  /** Places outside of functions that can change: `let`, and containers that are not read-only. */
  readonly mutables: readonly string[]
  readonly hasDefaultExport: boolean
  /** Where a type is asserted, as `line: as Type`; `as const` is none. */
  readonly casts: readonly string[]
  readonly lines: number
}

/** A node of a syntax tree, as ESTree has it. */
interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Reads all TypeScript files of `src/`. */
export function readModules(): Module[] {
  const root = join(import.meta.dirname, '../..')
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && path !== 'src/raw.d.ts')
    .map((path) => parseModule(path, readFileSync(join(root, path), 'utf8')))
}

/** Reads one file. */
export function parseModule(path: string, text: string): Module {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`Cannot parse ${path}: ${errors[0]?.message}`)
  const statements = program.body as unknown as readonly Node[]
  const imports: Import[] = []
  const names = new Set<string>()
  const casts: string[] = []
  for (const statement of statements) {
    visit(statement, (node, parent, key) => {
      const { source } = node
      if (isNode(source) && typeof source.value === 'string') {
        imports.push(importOf(path, source.value, isOfTypes(node)))
      }
      const name = nameUsed(node, parent, key)
      if (name !== undefined) names.add(name)
      const asserted = typeAsserted(node, text)
      if (asserted !== undefined) casts.push(`${lineOf(node, text)}: as ${asserted}`)
    })
  }
  return {
    path,
    imports,
    names,
    mutables: statements.flatMap(mutablesIn),
    hasDefaultExport: /^export (?:default\b|.*\bas default\b)/m.test(text),
    casts,
    lines: text.trimEnd().split('\n').length,
  }
}

function visit(
  node: Node,
  see: (node: Node, parent: Node | undefined, key: string) => void,
  parent?: Node,
  key = '',
): void {
  see(node, parent, key)
  for (const [name, value] of Object.entries(node)) {
    const children: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const child of children) if (isNode(child)) visit(child, see, node, name)
  }
}

function importOf(path: string, written: string, ofTypes: boolean): Import {
  const from = written.replace(/\?.*$/, '')
  const isRelative = from.startsWith('.')
  const folder = path.slice(0, path.lastIndexOf('/'))
  return {
    from,
    path: isRelative ? join(folder, from).replaceAll('\\', '/') : undefined,
    isOfTypes: ofTypes,
  }
}

function isOfTypes({ type, importKind, exportKind, specifiers }: Node): boolean {
  if (type === 'TSImportType' || importKind === 'type' || exportKind === 'type') return true
  return (
    Array.isArray(specifiers) &&
    specifiers.length > 0 &&
    specifiers.every((one: Node) => one.importKind === 'type' || one.exportKind === 'type')
  )
}

/** The type that an expression is said to have; `undefined` for what asserts none. */
function typeAsserted({ type, typeAnnotation }: Node, text: string): string | undefined {
  if (type !== 'TSAsExpression' && type !== 'TSTypeAssertion') return undefined
  if (!isNode(typeAnnotation)) return undefined
  const asserted = text.slice(Number(typeAnnotation.start), Number(typeAnnotation.end))
  return asserted === 'const' ? undefined : asserted.replace(/\s+/g, ' ')
}

function lineOf({ start }: Node, text: string): number {
  return text.slice(0, Number(start)).split('\n').length
}

function nameUsed(node: Node, parent: Node | undefined, key: string): string | undefined {
  const { type, object, property, callee } = node
  if (type === 'MemberExpression' && isNode(object) && isNode(property) && node.computed !== true) {
    if (object.name === 'globalThis') return String(property.name)
    if (object.name === 'Date') return `Date.${property.name}`
  }
  if (type === 'NewExpression' && isNode(callee) && callee.name === 'Date') {
    return Array.isArray(node.arguments) && node.arguments.length === 0 ? 'new Date()' : undefined
  }
  if (type !== 'Identifier' || parent === undefined) return undefined
  const isMember = key === 'property' && parent.computed !== true
  const isKey = key === 'key' && parent.computed !== true && parent.shorthand !== true
  return isMember || isKey ? undefined : String(node.name)
}

function mutablesIn(statement: Node): string[] {
  const { type, declaration, kind, declarations, body } = statement
  if (type.startsWith('Export') && isNode(declaration)) return mutablesIn(declaration)
  if (type === 'ClassDeclaration' && isNode(body)) return staticsIn(body)
  if (type !== 'VariableDeclaration' || !Array.isArray(declarations)) return []
  return declarations.flatMap(({ id, init }: { id: Node; init: unknown }) => {
    if (kind !== 'const') return [`${kind} ${id.name}`]
    return isContainer(init) && !isReadonly(id.typeAnnotation) ? [`const ${id.name}`] : []
  })
}

function staticsIn({ body }: Node): string[] {
  return (body as readonly Node[])
    .filter((one) => one.type === 'PropertyDefinition' && one.static && !one.readonly)
    .map((one) => `static ${(one.key as Node).name}`)
}

/** Objects that never change, or whose change nobody sees. */
const constants = ['RegExp', 'TextDecoder', 'TextEncoder', 'NumberFormat', 'DateTimeFormat']

/** Whether a value is an object that is made to be filled: an empty literal, or one made by `new`. */
function isContainer(init: unknown): boolean {
  if (!isNode(init)) return false
  if (init.type === 'ArrayExpression') return (init.elements as unknown[]).length === 0
  if (init.type === 'ObjectExpression') return (init.properties as unknown[]).length === 0
  if (init.type !== 'NewExpression' || !isNode(init.callee)) return false
  const { name, property } = init.callee
  return !constants.includes(String(isNode(property) ? property.name : name))
}

/** Whether a declared type lets nobody change the value: `readonly T[]`, `ReadonlyMap`, or a type of our own. */
function isReadonly(annotation: unknown): boolean {
  const type = isNode(annotation) ? annotation.typeAnnotation : undefined
  if (!isNode(type)) return false
  if (type.type === 'TSTypeOperator') return type.operator === 'readonly'
  const name = isNode(type.typeName) ? String(type.typeName.name) : ''
  const changing = ['', 'Array', 'Map', 'Set', 'WeakMap', 'WeakSet', 'Record', 'Partial']
  return type.type === 'TSTypeReference' && !changing.includes(name)
}
