import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { defaultGaps, gapDescriptions, gapNames, viewGaps } from '../../../src/mock/api/gaps.ts'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The entries of the package, with the declarations of each. */
const entries = Object.entries(manifest.exports).flatMap(([entry, target]) =>
  typeof target === 'string' ? [] : [{ entry, file: root + target.types.slice(2) }],
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

/** A name in the declarations, and what an editor shows when it points at it. */
interface Shown {
  readonly path: string
  readonly text: string
}

const { Class, Interface, TypeAlias, Value } = ts.SymbolFlags

/** The exports of an entry, and the members of all types of ours that they lead to. */
class Entry {
  readonly shown: Shown[] = []
  readonly #seen = new Set<ts.Type>()

  constructor(file: string) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile)
    for (const one of checker.getExportsOfModule(module as ts.Symbol)) {
      const isAlias = (one.flags & ts.SymbolFlags.Alias) !== 0
      this.#add(isAlias ? checker.getAliasedSymbol(one) : one, one.name)
    }
  }

  #add(symbol: ts.Symbol, path: string): void {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
    this.shown.push({ path, text })
    if (isTypeName(symbol)) this.#visit(checker.getDeclaredTypeOfSymbol(symbol), path)
    if (symbol.flags & Value) this.#visit(checker.getTypeOfSymbol(symbol), path)
  }

  #visit(type: ts.Type, from: string): void {
    if (this.#seen.has(type)) return
    this.#seen.add(type)
    const name =
      type.aliasTypeArguments === undefined ? (type.aliasSymbol ?? type.symbol) : undefined
    const isNamed = name !== undefined && isTypeName(name) && isOurs(name.declarations)
    const path = isNamed ? name.name : from
    if (isNamed) this.#add(name, path)
    for (const one of partsOf(type)) this.#visit(one, path)
    if (checker.isTupleType(type)) return
    for (const one of type.getProperties()) {
      const isHidden = one.name.includes('#') || one.name === 'prototype'
      if (isOurs(one.declarations) && !isHidden) this.#add(one, `${path}.${one.name}`)
    }
  }
}

function isTypeName({ flags }: ts.Symbol): boolean {
  return (flags & (Class | Interface | TypeAlias)) !== 0
}

/** Whether something is declared in the package; members of mapped types may have no declaration. */
function isOurs(declarations: readonly ts.Node[] = []): boolean {
  const files = declarations.map((one) => one.getSourceFile().fileName)
  return files.length === 0 || files.some((file) => file.startsWith(`${root}dist/`))
}

/** The types that a type is made of, beside those of its properties. */
function partsOf(type: ts.Type): readonly ts.Type[] {
  if (type.isUnionOrIntersection()) return type.types
  const calls = [...type.getCallSignatures(), ...type.getConstructSignatures()]
  const constraint = type.isTypeParameter() ? type.getConstraint() : undefined
  return [
    ...calls
      .filter(({ declaration }) => isOurs(declaration && [declaration]))
      .flatMap((call) => [
        ...call.getParameters().map((one) => checker.getTypeOfSymbol(one)),
        call.getReturnType(),
      ]),
    ...('target' in type ? checker.getTypeArguments(type as ts.TypeReference) : []),
    ...(type.aliasTypeArguments ?? []),
    ...checker.getIndexInfosOfType(type).map((one) => one.type),
    ...(constraint === undefined ? [] : [constraint]),
  ]
}

/** A full sentence, which doesn't open with a clause such as What or How. */
const sentence = /^(?!(?:What|Who|How|Those|That|Where|When)\b)[A-Z].*\.$/s

const main = new Entry(`${root}dist/types/index.d.ts`).shown

describe('what an editor shows', () => {
  it.each(entries)('describes all of $entry', ({ file }) => {
    const { shown } = new Entry(file)
    expect(shown).not.toEqual([])
    const odd = shown.filter(({ text }) => !sentence.test(text))
    expect(odd.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
  })

  it.each(gapNames)(
    'says of the gap %s what the documents say, with default and clause',
    (name) => {
      const { summary, spec } = gapDescriptions[name]
      const value = String(viewGaps(defaultGaps)[name])
      const setting = main.find(({ path }) => path === `GapSettings.${name}`)
      expect(setting?.text.replaceAll('\n', ' ')).toBe(
        `${summary} Default: \`${value}\` (spec ${spec}).`,
      )
    },
  )
})
