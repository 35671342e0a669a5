import { isUtf8 } from 'node:buffer'
import type { JSONPath, JSONVisitor } from 'jsonc-parser'
import { parseJson } from '../../contract/json.ts'
import { InputError, type RefusalReason } from '../../input/input-error.ts'
import { CliError } from '../terminal/cli-error.ts'
import { openFile } from './open-file.ts'
import { reasonOf } from './reason-of.ts'

/** The largest document, in bytes, unless another bound is set. */
const maxFileBytes = 2 ** 26

/**
 * Reads a JSON file, and its content with a reader.
 *
 * @param most How many bytes the file may have.
 * @throws {@link CliError} with the place in the file, as `file:line:column`.
 */
export async function readJsonFile<Value>(
  file: string,
  read: (value: unknown) => Value,
  most: number = maxFileBytes,
): Promise<Value> {
  const text = await readText(file, most)
  try {
    return read(parseJson(text))
  } catch (error) {
    if (error instanceof SyntaxError) {
      const { place, why } = await syntaxErrorIn(text)
      const reason = why === undefined ? '' : ` (${why})`
      throw errorAt(file, place, `Cannot read the file: it is not valid JSON${reason}`, 'not-json')
    }
    if (!(error instanceof InputError)) throw error
    throw errorAt(file, await placeOf(text, error.path), error.message)
  }
}

function errorAt(
  file: string,
  place: string | undefined,
  message: string,
  reason?: RefusalReason,
): CliError {
  return new CliError(`${place === undefined ? file : `${file}:${place}`}: ${message}`, 1, reason)
}

async function readText(file: string, most: number): Promise<string> {
  const bytes = await readBytes(file, most)
  if (isUtf8(bytes)) return textOf(bytes)
  const offset = firstInvalid(bytes)
  const before = textOf(bytes.subarray(0, offset))
  const byte = `0x${bytes.toString('hex', offset, offset + 1)}`
  throw errorAt(
    file,
    lineAndColumn(before, before.length),
    `Cannot read the file: found the byte ${byte}, which is not UTF-8; save the file as UTF-8`,
  )
}

async function readBytes(file: string, most: number): Promise<Buffer> {
  const opened = await openFile(file)
  try {
    const { size } = await opened.stat()
    if (size > most) {
      const [found, bound] = [size, most].map((bytes) => `${Math.ceil(bytes / 2 ** 20)} MiB`)
      throw new CliError(`Cannot read ${file}: it has ${found}; use at most ${bound}`, 1)
    }
    return await opened.readFile()
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`Cannot read ${file}: ${reasonOf(error)}`, 1)
  } finally {
    await opened.close()
  }
}

/** Decodes UTF-8 without a byte order mark. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

/** The offset of the first byte that isn't UTF-8. */
function firstInvalid(bytes: Buffer): number {
  let offset = 0
  for (let length = 1; length > 0; offset += length) length = characterLength(bytes, offset)
  return offset
}

/** How many bytes the UTF-8 character at an offset has; 0 if it is invalid. */
function characterLength(bytes: Buffer, offset: number): number {
  const first = bytes[offset] ?? 0xff
  if (first < 0x80) return 1
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  return isUtf8(bytes.subarray(offset, offset + length)) ? length : 0
}

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
