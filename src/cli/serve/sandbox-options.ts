import type { Seed, SharedSandboxOptions } from '../../state/beginning.ts'
import { sandboxLimits } from '../../state/limits.ts'
import { readSeedFile } from '../files/seed-file.ts'
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
