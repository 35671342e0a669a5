import { accessSync, constants, createReadStream, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { splitJson } from '../../contract/json/json-splitter.ts'
import { joinedPieces } from '../../control/http/pieces/joined-pieces.ts'
import { InputError } from '../../input/input-error.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { SandboxPool } from '../../sandbox-pool.ts'
import { snapshotPieces } from '../../state/snapshot/snapshot-pieces.ts'
import { readJsonFile, searchedBytes } from '../files/read-json-file.ts'
import { reasonOf, writeReasonOf } from '../files/reason-of.ts'
import {
  expectFile,
  removeLeftovers,
  replaceFileByPieces,
  targetOf,
} from '../files/replace-file.ts'
import { sizeOf } from '../files/size-of.ts'
import { CliError } from '../terminal/cli-error.ts'
import { StateIntake } from './state-intake.ts'

/**
 * Resumes from a state file, if it exists: the default sandbox's snapshot, with those of the named ones and their
 * settings. It is read piece by piece, however large it is.
 *
 * @throws {@link CliError} with the place, for a broken or newer file, which stays as it is; or if the state couldn't
 * be saved there later.
 */
export async function loadState(file: string, sandbox: Sandbox, pool: SandboxPool): Promise<void> {
  if (!isResumed(file)) return
  try {
    await splitJson(createReadStream(file), new StateIntake(sandbox, pool))
  } catch (error) {
    throw await loadErrorOf(error, file)
  }
}

/** Adds the place in the file to what is wrong with it. */
async function loadErrorOf(error: unknown, file: string): Promise<unknown> {
  const isWrong = error instanceof InputError || error instanceof SyntaxError
  if (!isWrong) return new CliError(`Cannot read ${file}: ${reasonOf(error)}`, 1)
  if (sizeOf(file) <= searchedBytes) {
    await readJsonFile(file, () => {
      throw error
    })
  }
  if (error instanceof InputError) return new CliError(`${file}: ${error.message}`, 1)
  return new CliError(`${file}: Cannot read the file: it is not valid JSON (${error.message})`, 1)
}

/** Returns whether the file exists; checks that it can be replaced later, and removes what a killed process has left. */
function isResumed(file: string): boolean {
  try {
    const target = targetOf(file)
    accessSync(dirname(target), constants.W_OK | constants.X_OK)
    removeLeftovers(target)
    expectFile(target)
    return existsSync(target)
  } catch (error) {
    throw new CliError(`Cannot keep the state in ${file}: ${writeReasonOf(error)}`, 1)
  }
}

/**
 * Writes the state of all sandboxes as it is now, atomically and piece by piece: requests are answered meanwhile.
 *
 * @throws {@link CliError} when it can't be written; the old file then stays.
 */
export async function saveState(file: string, sandbox: Sandbox, pool: SandboxPool): Promise<void> {
  try {
    await replaceFileByPieces(file, joinedPieces(statePieces(sandbox, pool)))
  } catch (error) {
    throw new CliError(`Cannot save the state to ${file}: ${writeReasonOf(error)}`, 1)
  }
}

/** Takes the state of all sandboxes at once, and gives it as JSON in pieces that are made when they are asked for. */
function statePieces(sandbox: Sandbox, pool: SandboxPool): Iterable<string> {
  const own = snapshotPieces(sandbox.state())
  const named = pool.names().map((name) => ({
    name,
    pieces: snapshotPieces(pool.get(name).state()),
    settings: pool.settingsPieces(name),
  }))
  return {
    *[Symbol.iterator]() {
      yield '{'
      yield* own
      yield ',"sandboxes":{'
      let before = ''
      for (const { name, pieces, settings } of named) {
        yield `${before}${JSON.stringify(name)}:{`
        yield* pieces
        yield ',"settings":'
        yield* settings
        yield '}'
        before = ','
      }
      yield '}}\n'
    },
  }
}
