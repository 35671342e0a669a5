import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readInput } from '../../input/schema.ts'
import { type Seed, seedKeys, seedPets, seedSettings } from '../../state/beginning.ts'
import { CliError } from '../terminal/cli-error.ts'
import { isFolder } from './is-folder.ts'
import { readJsonFile } from './read-json-file.ts'

/**
 * Reads a seed: a file `{ "pets": [...], "keys": [...] }`, or a folder with `pets.json`, `keys.json` or both.
 *
 * @throws {@link CliError} with the place in the file.
 */
export async function readSeedFile(path: string): Promise<Seed> {
  if (!isFolder(path)) {
    const seed = await readJsonFile(path, (value) => readInput(seedSettings, value))
    return seedSettings.write(seed)
  }
  const [pets, keys] = [join(path, 'pets.json'), join(path, 'keys.json')]
  const hasPets = existsSync(pets)
  const hasKeys = existsSync(keys)
  if (!hasPets && !hasKeys) {
    throw new CliError(`Cannot read ${path}: the folder has neither pets.json nor keys.json`, 1)
  }
  return seedSettings.write({
    pets: hasPets
      ? await readJsonFile(pets, (found) => readInput(seedPets, found, 'pets'))
      : undefined,
    keys: hasKeys
      ? await readJsonFile(keys, (found) => readInput(seedKeys, found, 'keys'))
      : undefined,
  })
}
