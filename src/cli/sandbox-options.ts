import type { SandboxOptions } from '../sandbox.ts'
import type { Seed } from '../seed/seed.ts'
import type { ClockSettings } from '../state/clock.ts'
import { CliError } from './cli-error.ts'
import { readSeedFile } from './seed-file.ts'
import type { ServeArguments } from './serve-options.ts'

/**
 * Makes the options of a sandbox from those of `serve`.
 *
 * @throws {@link CliError} for options that exclude each other or a seed file that can't be used.
 */
export async function sandboxOptions(options: ServeArguments): Promise<SandboxOptions> {
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
 * @throws {@link CliError} for a file that can't be used, or pets in both.
 */
export async function readSeed({
  pets,
  seed: randomSeed,
  'seed-file': file,
}: ServeArguments): Promise<Seed> {
  const seed = file === undefined ? {} : await readSeedFile(file)
  if (pets === undefined) return seed
  if (seed.pets === undefined) return { ...seed, pets: await generated(pets, randomSeed) }
  throw new CliError(`Cannot use --pets: ${file} has pets too; use one of them`, 2)
}

/** Makes pets with faker, which is loaded only here, since that takes longer than all the rest. */
async function generated(count: number, seed: number) {
  const { generatePets } = await import('../seed/generate-pets.ts')
  return generatePets({ count, seed })
}

function clockSettings({ clock, frozen, scale }: ServeArguments): ClockSettings {
  if (frozen && scale !== undefined) {
    throw new CliError('Cannot use --scale: --frozen stops the clock; use one of them', 2)
  }
  return {
    ...(clock === undefined ? {} : { now: clock }),
    ...(frozen ? { mode: 'frozen' } : {}),
    ...(scale === undefined ? {} : { scale }),
  }
}
