import type { JSONPath, JSONVisitor } from 'jsonc-parser'

/** The longest text in which a place is looked for, in characters: a second's work at most. */
const searchedLength = 2 ** 25

/** Says where and why a text is not valid JSON, as `line:column`; without a place if it is nested too deeply, or long. */
export async function syntaxErrorIn(
  text: string,
): Promise<{ readonly place: string | undefined; readonly why: string | undefined }> {
  const { printParseErrorCode } = await import('jsonc-parser')
  let why: string | undefined
  const place = await search(text, (found) => ({
    onError(code, _offset, _length, line, column) {
      why = printParseErrorCode(code)
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
      found(line, column, 'stop')
    },
  }))
  return { place, why }
}

/**
 * Gives the place of a part of a JSON text, as `line:column`; of a part that is missing, that of what should have it.
 *
 * @returns `undefined` if it is nested too deeply for the parser, or the text is too long.
 */
export async function placeOf(
  text: string,
  path: readonly (string | number)[],
): Promise<string | undefined> {
  return await search(text, (found) => {
    let known = -1
    /** Returns whether to look into it. */
    const look = (line: number, column: number, pathOf: () => JSONPath): boolean => {
      const at = pathOf()
      if (at.length <= known || at.some((name, index) => name !== path[index])) return false
      known = at.length
      found(line, column, known === path.length ? 'stop' : 'go on')
      return true
    }
    return {
      // Without these, it would not know where what isn't looked into ends.
      onObjectEnd() {},
      onArrayEnd() {},
      onObjectBegin: (_offset, _length, line, column, pathOf) => look(line, column, pathOf),
      onArrayBegin: (_offset, _length, line, column, pathOf) => look(line, column, pathOf),
      onLiteralValue(_value, _offset, _length, line, column, pathOf) {
        look(line, column, pathOf)
      },
    }
  })
}

/** Notes a place, counted from 0; the last one counts. */
type Note = (line: number, column: number, then: 'go on' | 'stop') => void

class Stopped extends Error {}

async function search(
  text: string,
  visitorOf: (found: Note) => JSONVisitor,
): Promise<string | undefined> {
  if (text.length > searchedLength) return undefined
  const { visit } = await import('jsonc-parser')
  let place = '1:1'
  const found: Note = (line, column, then) => {
    place = `${line + 1}:${column + 1}`
    if (then === 'stop') throw new Stopped()
  }
  try {
    visit(text, visitorOf(found), { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    const isTooDeep = error instanceof RangeError && error.message.includes('call stack')
    if (isTooDeep) return undefined
    if (!(error instanceof Stopped)) throw error
  }
  return place
}

/** The place of an offset, as `line:column`, both from 1 on. */
export function lineAndColumn(text: string, offset: number): string {
  let line = 1
  let start = 0
  for (;;) {
    const end = text.indexOf('\n', start)
    if (end < 0 || end >= offset) return `${line}:${offset - start + 1}`
    line++
    start = end + 1
  }
}
