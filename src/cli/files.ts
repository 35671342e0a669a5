import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ParseError } from 'jsonc-parser'
import { parseJson } from '../mock/api/json.ts'
import { InputError } from '../mock/input/input-error.ts'
import { CliError, reasonOf, writeReasonOf } from './cli-error.ts'
import { report } from './terminal.ts'

/** Returns whether a folder exists; `false` if that can't be found out. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}

/**
 * Creates a folder and its parents, one by one: Node's own `recursive` never ends where nothing can be created, as in
 * `/proc`.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(folder)) throw error
  }
}

/** Lists the JSON files in a folder in order; names that begin with a dot are still being written. */
export function jsonFilesIn(folder: string): string[] {
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('.json') && !name.startsWith('.'),
  )
  return names.sort().map((name) => join(folder, name))
}

/**
 * Checks that a file can be written later, and creates its folder, so that long work isn't lost at the end.
 *
 * @throws {@link CliError} if it can't be written.
 */
export function expectPlace(file: string): void {
  try {
    const target = targetOf(file)
    makeFolder(dirname(target))
    const found = statSync(target, { throwIfNoEntry: false })
    // A pipe or a device is written to directly.
    if (found?.isDirectory()) expectFile(target)
    if (found === undefined || found.isFile()) {
      accessSync(dirname(target), constants.W_OK | constants.X_OK)
    }
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${writeReasonOf(error)}`, 1)
  }
}

/**
 * Writes a file atomically, or to a stream such as a pipe.
 *
 * @param mode Permissions of a new file.
 * @throws {@link CliError} if it can't be written; an old file then stays.
 */
export function writeFile(file: string, text: string, mode: number): void {
  try {
    if (isStream(file)) writeFileSync(file, text)
    else replaceFile(file, text, mode)
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${writeReasonOf(error)}`, 1)
  }
}

/** Whether a path is a stream, such as a pipe, which can't be replaced. */
function isStream(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

/**
 * Removes the port file of an earlier process, so that its port isn't mistaken for the new one.
 *
 * @throws {@link CliError} if it can't be removed.
 */
export function clearPortFile(file: string): void {
  try {
    if (isFile(file)) rmSync(targetOf(file))
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${reasonOf(error)}`, 1)
  }
}

/**
 * Removes a port file at the end, unless another process has written its own port since. An error must not keep the
 * process from ending.
 */
export function removePortFile(file: string, port: number): void {
  try {
    if (isFile(file) && readFileSync(file, 'utf8') === String(port)) rmSync(targetOf(file))
  } catch (error) {
    report(`Cannot remove ${file}: ${reasonOf(error)}`)
  }
}

/** Returns whether a regular file exists. */
export function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}

/**
 * Replaces a file atomically: writes another one beside it and renames that. Follows links.
 *
 * @param mode Permissions of the new file; by default the owner's alone.
 * @throws Node's error if it can't be written; the old file then stays.
 */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const target = targetOf(file)
  expectFile(target)
  const part = join(dirname(target), partNames(target).join(randomUUID()))
  try {
    writeFileSync(part, text, { flag: 'wx', mode, flush: true })
    renameSync(part, target)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Follows links, also to a file that doesn't exist yet. */
export function targetOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    return isLink ? targetOf(resolve(dirname(file), readlinkSync(file))) : file
  }
}

/** Throws for anything but a file, such as a device, which must not be replaced. A missing file is accepted. */
export function expectFile(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found !== undefined) expectFileIn(found)
}

function expectFileIn(found: Stats): void {
  if (!found.isFile()) {
    throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file')
  }
}

/** Prefix and suffix of temporary file names. */
function partNames(target: string): readonly [prefix: string, suffix: string] {
  return [`.${basename(target)}.`, '.part']
}

/** Removes temporary files of processes that were killed while saving; no other process may be using the target. */
export function removeLeftovers(target: string): void {
  const [prefix, suffix] = partNames(target)
  for (const name of readdirSync(dirname(target))) {
    const isPart = name.startsWith(prefix) && name.endsWith(suffix)
    if (isPart && /^[\da-f-]{36}$/.test(name.slice(prefix.length, -suffix.length))) {
      rmSync(join(dirname(target), name), { force: true })
    }
  }
}

/** Default maximum size of a document, in bytes. */
const maxFileBytes = 2 ** 26

/** Number of bytes that are read beyond the maximum: files of `/proc` can't be read byte by byte. */
const blockBytes = 2 ** 16

/**
 * Reads a JSON file, and parses its content with `read`, which also gets its text.
 *
 * @param most Maximum size in bytes.
 * @throws {@link CliError} with the place in the file, as `file:line:column`.
 */
export async function readJsonFile<Value>(
  file: string,
  read: (value: unknown, text: string) => Value,
  most: number = maxFileBytes,
): Promise<Value> {
  const text = await readText(file, most)
  try {
    return read(parseJson(text), text)
  } catch (error) {
    const isSyntax = error instanceof SyntaxError
    if (!isSyntax && !(error instanceof InputError)) throw error
    const { place, why } = await findIn(text, isSyntax ? [] : error.path)
    if (!isSyntax) throw errorAt(file, place, error.message)
    const reason = why === undefined ? '' : ` (${why})`
    throw errorAt(file, place, `Cannot read the file: it is not valid JSON${reason}`)
  }
}

function errorAt(file: string, place: string | undefined, message: string): CliError {
  return new CliError(`${place === undefined ? file : `${file}:${place}`}: ${message}`, 2)
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

/**
 * Reads a file.
 *
 * @param most Maximum size in bytes.
 * @throws {@link CliError} for larger files, and for anything but a file, such as a pipe that may never have data.
 */
export async function readBytes(file: string, most: number = maxFileBytes): Promise<Buffer> {
  try {
    // Opens a pipe without waiting for a writer.
    const opened = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const found = await opened.stat()
      expectFileIn(found)
      if (found.size > most) throw tooLarge(file, mebibytes(found.size), most)
      // What grows has more than its size, and so do the files of /proc.
      const end = most + blockBytes - 1
      const bytes = await buffer(opened.createReadStream({ end, autoClose: false }))
      if (bytes.length > most) throw tooLarge(file, `more than ${mebibytes(most)}`, most)
      return bytes
    } finally {
      await opened.close()
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`Cannot read ${file}: ${reasonOf(error)}`, 2)
  }
}

function tooLarge(file: string, found: string, most: number): CliError {
  return new CliError(`Cannot read ${file}: it has ${found}; use at most ${mebibytes(most)}`, 2)
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`
}

/** Decodes UTF-8 without a byte order mark. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

/** Returns the offset of the first byte that isn't UTF-8, as decoding and encoding changes it. */
function firstInvalid(bytes: Buffer): number {
  const encoded = Buffer.from(bytes.toString('utf8'))
  return bytes.findIndex((byte, offset) => byte !== encoded[offset])
}

/** Maximum length of a text that is searched for a place, in characters: a second's work at most. */
const searchedLength = 2 ** 25

/**
 * Finds the syntax error in a JSON text; if there is none, the place of a path, or of its nearest existing parent.
 *
 * @returns Empty if the text is too long, or nested too deeply for the parser.
 */
async function findIn(
  text: string,
  path: readonly (string | number)[],
): Promise<{ readonly place?: string; readonly why?: string }> {
  if (text.length > searchedLength) return {}
  const { findNodeAtLocation, parseTree, printParseErrorCode } = await import('jsonc-parser')
  const errors: ParseError[] = []
  try {
    const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
    const [wrong] = errors
    if (wrong !== undefined) {
      const words = printParseErrorCode(wrong.error).replace(/\B[A-Z]/g, ' $&')
      return { place: lineAndColumn(text, wrong.offset), why: words.toLowerCase() }
    }
    const parts = [...path]
    let node = root
    while (root !== undefined && parts.length > 0) {
      node = findNodeAtLocation(root, parts)
      if (node !== undefined) break
      parts.pop()
    }
    return { place: lineAndColumn(text, (node ?? root)?.offset ?? 0) }
  } catch (error) {
    if (error instanceof RangeError) return {}
    throw error
  }
}

/** Returns the place of an offset as `line:column`, both counted from 1. */
function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`
}
