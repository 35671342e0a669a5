import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonPath, type JsonTaker, splitJson } from '../../contract/json/json-splitter.ts'
import { FullError, InputError } from '../../input/input-error.ts'
import type { Bounds } from '../../state/memory/memory.ts'
import { IncomingSeed } from '../../state/snapshot/incoming-seed.ts'
import { CliError } from '../terminal/cli-error.ts'
import { isFolder } from './is-folder.ts'
import { reasonOf } from './reason-of.ts'
import { readSeedFile } from './seed-file.ts'
import { sizeOf } from './size-of.ts'

/** The largest file in which the place of a mistake is looked for, in bytes: that takes some milliseconds. */
const searchedBytes = 2 ** 18

/**
 * Reads what `readSeedFile()` reads, part by part, so that requests are answered meanwhile.
 *
 * @param bounds Those of the sandbox that is to begin with it.
 * @throws {@link CliError} with the place in the file, where that is short; {@link InputError} when there is no room.
 */
export async function readIncomingSeed(path: string, bounds: Bounds): Promise<IncomingSeed> {
  let file = path
  try {
    const seed = new IncomingSeed(bounds)
    if (!isFolder(path)) {
      await splitJson(createReadStream(file), seed, seed.longestPart)
      return seed
    }
    const names = ['pets', 'keys'].filter((name) => existsSync(join(path, `${name}.json`)))
    for (const name of names) {
      file = join(path, `${name}.json`)
      await splitJson(createReadStream(file), partOf(seed, name), seed.longestPart)
    }
    if (names.length > 0) return seed
  } catch (error) {
    const isWrong = error instanceof InputError || error instanceof SyntaxError
    if (error instanceof FullError) throw error
    if (isWrong && sizeOf(file) > searchedBytes) throw errorIn(file, error)
    await readSeedFile(path)
    if (isWrong) throw errorIn(file, error)
    // What the system says; a bug is none of the file's.
    const isOfSystem = error instanceof Error && 'code' in error
    throw isOfSystem ? new CliError(`Cannot read ${file}: ${reasonOf(error)}`, 1) : error
  }
  await readSeedFile(path)
  throw new CliError(`Cannot read ${path}: it changed while it was read; save it again`, 1)
}

/** Takes a document as a part of a seed. */
function partOf(seed: IncomingSeed, name: string): JsonTaker {
  const within = (path: JsonPath): JsonPath => [name, ...path]
  return {
    opens: (path, kind) => seed.opens(within(path), kind),
    take: (path, text) => seed.take(within(path), text),
    closes() {},
  }
}

function errorIn(file: string, error: InputError | SyntaxError): CliError {
  if (error instanceof InputError) return new CliError(`${file}: ${error.message}`, 1)
  return new CliError(`${file}: Cannot read the file: it is not valid JSON (${error.message})`, 1)
}
