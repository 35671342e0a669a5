import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseKeys, parsePets, parseSeed, type Seed } from '../../seed/seed.ts'
import { CliError } from '../terminal/cli-error.ts'
import { readJsonFile } from './read-json-file.ts'

/**
 * Reads a seed: a file `{ "pets": [...], "keys": [...] }`, or a folder with `pets.json`, `keys.json` or both.
 *
 * @throws {@link CliError} with the place in the file.
 */
export async function readSeedFile(path: string): Promise<Seed> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return await readJsonFile(path, (value) => {
      parseSeed(value)
      return value as Seed
    })
  }
  const files = (['pets', 'keys'] as const)
    .map((name) => ({ name, file: join(path, `${name}.json`) }))
    .filter(({ file }) => existsSync(file))
  if (files.length === 0) {
    throw new CliError(`Cannot read ${path}: the folder has neither pets.json nor keys.json`, 1)
  }
  const parsers = { pets: parsePets, keys: parseKeys }
  const parts = files.map(async ({ name, file }) => [
    name,
    await readJsonFile(file, (value) => {
      parsers[name](value)
      return value
    }),
  ])
  return Object.fromEntries(await Promise.all(parts)) as Seed
}
