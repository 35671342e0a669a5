import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readInput } from '../../input/schema.ts'
import {
  type Seed,
  type SharedSandboxOptions,
  seedKeys,
  seedPets,
  seedSettings,
} from '../../state/beginning.ts'
import { sandboxLimits } from '../../state/limits.ts'
import { isFolder } from '../files/is-folder.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { limitsIn } from '../usage/settings.ts'
import type { ServeSettings } from './serve-settings.ts'

/**
 * Makes the options of a sandbox from those of `serve`.
 *
 * @throws {@link CliError} for an invalid seed file, or if one layer gives pets in two ways.
 */
export async function sandboxOptions(settings: ServeSettings): Promise<SharedSandboxOptions> {
  const { seed, gap, clock, frozen, scale } = settings
  return {
    seed: await readSeed(settings),
    randomSeed: seed,
    gaps: gap,
    clock: { now: clock, mode: frozen ? 'frozen' : undefined, scale },
    rateLimit: settings['rate-limit'],
    journalSize: settings['journal-size'],
    limits: limitsIn(sandboxLimits, settings.limit),
    coverage: settings.coverage ? true : undefined,
  }
}

/**
 * Reads the seed file, if any, and generates the pets asked for.
 *
 * @throws {@link CliError} for an invalid file, or if both give pets in the same layer.
 */
async function readSeed(settings: ServeSettings): Promise<Seed> {
  const file = settings['seed-file']
  const seed = file === undefined ? {} : await readSeedFile(file)
  const isGenerated = hasGeneratedPets(settings, seed.pets !== undefined)
  return isGenerated ? { ...seed, pets: await generatedPets(settings) } : seed
}

/**
 * Whether pets are generated.
 *
 * @param hasPets Whether the seed file has some.
 * @throws {@link CliError} if both give pets in the same layer.
 */
export function hasGeneratedPets(
  { pets, petsFrom, 'seed-file': file }: ServeSettings,
  hasPets: boolean,
): boolean {
  if (pets === undefined || (hasPets && petsFrom === 'seed-file')) return false
  if (!hasPets || petsFrom === 'pets') return true
  throw new CliError(`Cannot use --pets: ${file} has pets too; use one of them`, 2)
}

/** Generates pets with faker, which is loaded only now, since that takes a third as long as everything else. */
export async function generatedPets({ pets: count = 0, seed }: ServeSettings) {
  const { generatePets } = await import('../../seed/generate-pets.ts')
  return generatePets({ count, seed })
}

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
