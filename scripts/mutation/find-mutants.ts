import { readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { type Change, isNode, operators, type SyntaxNode } from './operators.ts'

/** A changed file. */
export interface Mutant extends Change {
  /** Relative to the project's folder. */
  readonly path: string
  readonly line: number
  /** What stood there. */
  readonly before: string
}

/** Finds all changes that can be made to a file. */
export function findMutants(path: string): Mutant[] {
  const source = readFileSync(path, 'utf8')
  const program: unknown = parseAst(source, { lang: 'ts' })
  const textOf = ({ start, end }: SyntaxNode): string => source.slice(start, end)
  const found: Mutant[] = []
  const visit = (node: SyntaxNode): void => {
    if (isLeftAlone(node)) return
    for (const [operator, changesAt] of Object.entries(operators)) {
      for (const change of changesAt({ node, textOf })) {
        const { start, end, text } = change
        const before = source.slice(start, end)
        const line = source.slice(0, start).split('\n').length
        const mutant = { operator, ...change, path, line, before }
        if (text !== before && isReadable(mutant)) found.push(mutant)
      }
    }
    for (const [field, value] of Object.entries(node)) {
      if (field === 'key' && node.computed !== true) continue
      for (const part of [value].flat()) if (isNode(part)) visit(part)
    }
  }
  if (isNode(program)) visit(program)
  return found
}

/** Types mean nothing when tests run, and a changed import would only fail to load. */
function isLeftAlone({ type }: SyntaxNode): boolean {
  const isOfValues = ['TSAsExpression', 'TSSatisfiesExpression'].includes(type)
  return (type.startsWith('TS') && !isOfValues) || type === 'ImportDeclaration'
}

/** What no parser accepts would be found by any test. */
function isReadable(mutant: Mutant): boolean {
  try {
    parseAst(sourceOf(mutant), { lang: 'ts' })
    return true
  } catch {
    return false
  }
}

/** The whole file with the change made. */
export function sourceOf({ path, start, end, text }: Mutant): string {
  const source = readFileSync(path, 'utf8')
  return source.slice(0, start) + text + source.slice(end)
}
