import type { SandboxOptions } from '../../sandbox.ts'
import type { Seed } from '../../seed/seed.ts'
import type { ClockSettings } from '../../state/clock.ts'
import { readSeedFile } from '../files/seed-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { ServeSettings } from './serve-options.ts'

/**
 * Makes the options of a sandbox from those of `serve`.
 *
 * @throws {@link CliError} for a seed file that can't be used, or pets in two places of one layer.
 */
export async function sandboxOptions(options: ServeSettings): Promise<SandboxOptions> {
  return {
    seed: await readSeed(options),
    randomSeed: options.seed,
    gaps: options.gap,
    clock: clockSettings(options),
    rateLimit: options['rate-limit'],
    journalSize: options['journal-size'],
  }
}

/**
 * Reads the seed file, if there is one, and makes the pets that are asked for.
 *
 * @throws {@link CliError} for a file that can't be used, or pets in both and none of them higher.
 */
export async function readSeed({
  pets,
  petsFrom,
  seed: randomSeed,
  'seed-file': file,
}: ServeSettings): Promise<Seed> {
  const seed = file === undefined ? {} : await readSeedFile(file)
  const hasPets = seed.pets !== undefined
  if (pets === undefined || (hasPets && petsFrom === 'seed-file')) return seed
  if (!hasPets || petsFrom === 'pets') return { ...seed, pets: await generated(pets, randomSeed) }
  throw new CliError(`Cannot use --pets: ${file} has pets too; use one of them`, 2)
}

/** Makes pets with faker, which is loaded only here, since that takes a third as long as all the rest. */
async function generated(count: number, seed: number) {
  const { generatePets } = await import('../../seed/generate-pets.ts')
  return generatePets({ count, seed })
}

function clockSettings({ clock, frozen, scale }: ServeSettings): ClockSettings {
  return {
    ...(clock === undefined ? {} : { now: clock }),
    ...(frozen ? { mode: 'frozen' } : {}),
    ...(scale === undefined ? {} : { scale }),
  }
}
