import type { ParseError } from 'jsonc-parser'

/** Says where and why a text is not valid JSON, as `line:column`; without a place if it is nested too deeply. */
export async function syntaxErrorIn(
  text: string,
): Promise<{ readonly place: string | undefined; readonly why: string | undefined }> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser')
  const errors: ParseError[] = []
  const options = { disallowComments: true, allowTrailingComma: false }
  if (!isParsed(() => parseTree(text, errors, options))) return { place: undefined, why: undefined }
  const [first] = errors
  const code = first === undefined ? 'InvalidSymbol' : printParseErrorCode(first.error)
  return {
    place: lineAndColumn(text, first?.offset ?? 0),
    why: code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(),
  }
}

/** Gives the place of a part of a JSON text, as `line:column`; `undefined` if it is nested too deeply for the parser. */
export async function placeOf(
  text: string,
  path: readonly (string | number)[],
): Promise<string | undefined> {
  const { parseTree, findNodeAtLocation } = await import('jsonc-parser')
  let offset = 0
  const isFound = isParsed(() => {
    const tree = parseTree(text)
    if (tree === undefined) return
    // What is missing is looked for where it would be.
    const paths = path.map((_, index) => path.slice(0, path.length - index))
    const node = paths.map((one) => findNodeAtLocation(tree, one)).find((one) => one !== undefined)
    offset = (node ?? tree).offset
  })
  return isFound ? lineAndColumn(text, offset) : undefined
}

/** Runs a recursive parser; returns whether the stack was deep enough. */
function isParsed(parse: () => void): boolean {
  try {
    parse()
    return true
  } catch (error) {
    const isTooDeep = error instanceof RangeError && error.message.includes('call stack')
    if (!isTooDeep) throw error
    return false
  }
}

/** The place of an offset, as `line:column`, both from 1 on. */
export function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}
