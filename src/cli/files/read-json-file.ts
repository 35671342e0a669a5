import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import type { ParseError } from 'jsonc-parser'
import { parseJson } from '../../contract/int64.ts'
import { InputError } from '../../input/input-error.ts'
import { CliError } from '../terminal/cli-error.ts'

/**
 * Reads a JSON file with a parser of what is in it.
 *
 * @throws {@link CliError} with the place in the file, as `file:line:column`.
 */
export async function readJsonFile<Value>(
  file: string,
  parse: (value: unknown) => Value,
): Promise<Value> {
  const text = readText(file)
  try {
    return parse(parseJson(text))
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new CliError(await syntaxErrorIn(file, text), 1)
    }
    if (!(error instanceof InputError)) throw error
    throw new CliError(`${await placeOf(file, text, error.path)}: ${error.message}`, 1)
  }
}

function readText(file: string): string {
  try {
    const bytes = readFileSync(file)
    if (!isUtf8(bytes)) throw encodingErrorIn(file, bytes)
    return textOf(bytes)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`Cannot read ${file}: ${reasonOf(error)}`, 1)
  }
}

/** Decodes UTF-8, and leaves a mark at its beginning out. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

function encodingErrorIn(file: string, bytes: Buffer): CliError {
  const offset = firstInvalid(bytes)
  const before = textOf(bytes.subarray(0, offset))
  const byte = `0x${bytes.toString('hex', offset, offset + 1)}`
  return new CliError(
    `${file}:${lineAndColumn(before, before.length)}: Cannot read the file: found the byte ${byte}, which is not UTF-8; save the file as UTF-8`,
    1,
  )
}

/** Where the first character begins that is not UTF-8. */
function firstInvalid(bytes: Buffer): number {
  let offset = 0
  for (let length = 1; length > 0; offset += length) length = characterLength(bytes, offset)
  return offset
}

/** How many bytes a character of UTF-8 has; 0 where there is none. */
function characterLength(bytes: Buffer, offset: number): number {
  const first = bytes[offset] ?? 0xff
  if (first < 0x80) return 1
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  return isUtf8(bytes.subarray(offset, offset + length)) ? length : 0
}

/** Says why a file could not be used, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file or folder'
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not open it'
  if (code === 'EISDIR') return 'it is a directory'
  if (code === 'ENOTDIR') return 'a part of its path is not a directory'
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full'
  if (code === 'EFBIG') return 'it would be larger than a file may be here'
  if (code === 'EROFS') return 'the disk is read-only'
  if (code === 'ELOOP') return 'it is a link that leads to itself'
  return error instanceof Error ? error.message : String(error)
}

async function syntaxErrorIn(file: string, text: string): Promise<string> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser')
  const why = 'Cannot read the file: it is not valid JSON'
  const errors: ParseError[] = []
  const options = { disallowComments: true, allowTrailingComma: false }
  if (!isParsed(() => parseTree(text, errors, options))) return `${file}: ${why}`
  const [first] = errors
  const code = first === undefined ? 'InvalidSymbol' : printParseErrorCode(first.error)
  const words = code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return `${file}:${lineAndColumn(text, first?.offset ?? 0)}: ${why} (${words})`
}

/** Says where in a file a part is; the file alone where that is nested deeper than the parser can follow. */
async function placeOf(
  file: string,
  text: string,
  path: readonly (string | number)[],
): Promise<string> {
  const { parseTree, findNodeAtLocation } = await import('jsonc-parser')
  let offset = 0
  const isFound = isParsed(() => {
    const tree = parseTree(text)
    if (tree === undefined) return
    // The path of a file that is one of the lists begins within it.
    const node = findNodeAtLocation(tree, [...path]) ?? findNodeAtLocation(tree, path.slice(1))
    offset = node?.offset ?? 0
  })
  return isFound ? `${file}:${lineAndColumn(text, offset)}` : file
}

/** Runs a parser that recurses; tells whether the stack was large enough. */
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

function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}
