import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { JSONPath, JSONVisitor } from 'jsonc-parser'
import { parseJson } from '../contract/json.ts'
import { InputError, type RefusalReason } from '../input/input-error.ts'
import { makeFolder } from '../input/make-folder.ts'
import { CliError, reasonOf, writeReasonOf } from './cli-error.ts'
import { isRunning } from './processes.ts'

/** Whether there is a folder; where that can't be found out, there is none. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}

/**
 * Makes sure that a file can be written later on, and makes its folder if there is none: what takes long shouldn't end with
 * nothing.
 *
 * @throws {@link CliError} when it can't be written.
 */
export function expectPlace(file: string): void {
  try {
    const target = targetOf(file)
    makeFolder(dirname(target), { statSync, mkdirSync, dirname })
    const found = statSync(target, { throwIfNoEntry: false })
    // A pipe or a device is written to as it is.
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
 * @param mode The permissions of a new file.
 * @throws {@link CliError} when it can't be written; an old file then stays.
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
 * Removes a port file left by an earlier process, so that nobody mistakes its port for the new one.
 *
 * @throws {@link CliError} when it can't be removed.
 */
export function clearPortFile(file: string): void {
  try {
    if (isFile(file)) rmSync(targetOf(file))
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${reasonOf(error)}`, 1)
  }
}

/**
 * Writes the port file atomically, readable by everybody.
 *
 * @throws {@link CliError} when it can't be written.
 */
export function writePortFile(file: string, port: number): void {
  writeFile(file, String(port), 0o666)
}

/**
 * Removes a port file at the end, unless another process has written its own port since.
 *
 * @param tell Called with one line if it can't be removed, which must not keep the process from ending.
 */
export function removePortFile(file: string, port: number, tell: (line: string) => void): void {
  try {
    if (isFile(file) && readFileSync(file, 'utf8') === String(port)) rmSync(targetOf(file))
  } catch (error) {
    tell(`Cannot remove ${file}: ${reasonOf(error)}`)
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}

/**
 * Replaces a file atomically: writes another one beside it and renames that. Follows links.
 *
 * @param mode The permissions of the new file; by default the owner's alone.
 * @throws Node's error when it can't be written; the old file then stays.
 */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const target = targetOf(file)
  expectFile(target)
  const part = partOf(target)
  const descriptor = openSync(part, 'wx', mode)
  try {
    writeThrough(descriptor, text)
    renameSync(part, target)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  syncFolder(dirname(target))
}

/** Where a file is written before it takes its place: nobody can foretell the name, and put a link there. */
function partOf(target: string): string {
  const name = `${partPrefix(target)}${process.pid}.${randomBytes(8).toString('hex')}${partSuffix}`
  return join(dirname(target), name)
}

/** Has a folder's new names outlive a loss of power; Windows has no way to ask for it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Follows links, also to a file that doesn't exist yet. */
export function targetOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if (!isMissing(error)) throw error
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    return isLink ? targetOf(resolve(dirname(file), readlinkSync(file))) : file
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Throws for anything but a file, such as a device, which must not be replaced; what doesn't exist yet will do. */
export function expectFile(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found !== undefined) expectFileIn(found)
}

function expectFileIn(found: Stats): void {
  if (!found.isFile()) {
    throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file')
  }
}

const partSuffix = '.part'

function partPrefix(target: string): string {
  return `.${basename(target)}.`
}

/** Removes the leftovers of processes that were killed while saving. */
export function removeLeftovers(target: string): void {
  const [folder, prefix] = [dirname(target), partPrefix(target)]
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(partSuffix)) continue
    const [, id] =
      /^(\d+)(?:\.[\da-f]+)?$/.exec(name.slice(prefix.length, -partSuffix.length)) ?? []
    if (id !== undefined && !isOther(Number(id))) rmSync(join(folder, name), { force: true })
  }
}

/** Whether another process has this id. */
function isOther(id: number): boolean {
  return id !== process.pid && isRunning(id)
}

/** Writes a string, flushes it to the disk, and closes the file. */
function writeThrough(descriptor: number, text: string): void {
  try {
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written)
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

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

/**
 * Reads a file.
 *
 * @param most How many bytes it may have.
 * @throws {@link CliError} for what is larger, or isn't a file, such as a pipe, for which nobody may ever have anything.
 */
export async function readBytes(file: string, most: number = maxFileBytes): Promise<Buffer> {
  try {
    // Without waiting for somebody to write to a pipe.
    const opened = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const found = await opened.stat()
      expectFileIn(found)
      if (found.size > most) throw new CliError(tooLargeText(file, found.size, most), 1)
      return await opened.readFile()
    } finally {
      await opened.close()
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`Cannot read ${file}: ${reasonOf(error)}`, 1)
  }
}

function tooLargeText(file: string, ...sizes: readonly [found: number, most: number]): string {
  const [found, bound] = sizes.map((bytes) => `${Math.ceil(bytes / 2 ** 20)} MiB`)
  return `Cannot read ${file}: it has ${found}; use at most ${bound}`
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
async function syntaxErrorIn(
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
async function placeOf(
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
function lineAndColumn(text: string, offset: number): string {
  let line = 1
  let start = 0
  for (;;) {
    const end = text.indexOf('\n', start)
    if (end < 0 || end >= offset) return `${line}:${offset - start + 1}`
    line++
    start = end + 1
  }
}
