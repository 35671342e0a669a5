import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InputError, isRecord, show } from '../../input/input-error.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import {
  isServeOption,
  type ServeArguments,
  serveOptionNames,
  serveOptions,
} from './serve-options.ts'

/** The config file that is read when there is one in the current folder. */
const usualFile = 'petstore-sandbox.config.json'

/**
 * Reads the config file: the one that is named, else the usual one if it is there.
 *
 * @param named As given by `--config` or the environment.
 * @throws {@link CliError} with the place in the file.
 */
export async function readConfigFile(named: string | undefined): Promise<Partial<ServeArguments>> {
  if (named === undefined && !existsSync(usualFile)) return {}
  const file = named ?? usualFile
  return await readJsonFile(file, (value) => parseConfig(value, dirname(file)))
}

/** @param folder What paths in the file are relative to. */
function parseConfig(value: unknown, folder: string): Partial<ServeArguments> {
  if (!isRecord(value)) {
    throw new InputError(`Cannot use the config: found ${show(value)}; use an object of options`)
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, parseEntry(name, part, folder)]),
  )
}

function parseEntry(name: string, value: unknown, folder: string): unknown {
  if (!isServeOption(name) || name === 'config') {
    const known = serveOptionNames.filter((option) => option !== 'config')
    throw new InputError(
      `Cannot use the config: there is no option ${show(name)}; use ${known.join(', ')}`,
      [name],
    )
  }
  try {
    const { kind, parse } = serveOptions[name]
    const parsed = parse(value, name)
    return kind === 'path' ? resolve(folder, String(parsed)) : parsed
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(error.message, [name, ...error.path])
  }
}
