import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../../input/input-error.ts'
import { readInput } from '../../input/schema.ts'
import { printable } from '../../reports/text.ts'
import type { Sandbox } from '../../sandbox.ts'
import { defaultSeed } from '../../seed/default-seed.ts'
import {
  type Seed,
  type SharedSandboxOptions,
  seedKeys,
  seedPets,
  seedSettings,
} from '../../state/beginning.ts'
import { sandboxLimits } from '../../state/limits.ts'
import { CliError } from '../cli-error.ts'
import { isFolder, readJsonFile } from '../files.ts'
import { limitsIn } from '../settings.ts'
import type { ServeSettings } from './serve-settings.ts'

/**
 * How often to look at the files, and how long they must be unchanged before they are read, since editors write in
 * several steps. Unlike notifications of the system, polling works with links, shares and mounts.
 */
const pollEveryMs = 100

/** What to watch, and what to do on a change. */
export interface SeedWatch {
  /** The seed file, or the folder with `pets.json`, `keys.json` or both. */
  readonly path: string
  readonly settings: ServeSettings
  readonly sandbox: Sandbox
  /** Called with one line for each change. */
  readonly tell: (line: string) => void
}

/**
 * Reseeds a sandbox whenever its seed file, or a file in its seed folder, changes; an invalid one changes nothing.
 *
 * @returns A function that ends the watch.
 */
export function watchSeed({ path, settings, sandbox, tell }: SeedWatch): () => void {
  let isEnded = false
  let reloads = Promise.resolve()
  const generated = generatedOnce(settings)
  const reload = async (): Promise<void> => {
    try {
      const { pets, keys } = await readSeedFile(path)
      const isGenerated = hasGeneratedPets(settings, pets !== undefined)
      // As at the start: a part that the file leaves out is that of the default seed.
      const seed = {
        pets: isGenerated ? await generated() : (pets ?? [...defaultSeed.pets]),
        keys: keys ?? seedKeys.write([...defaultSeed.keys]),
      }
      if (isEnded) return
      sandbox.reseed(seed)
    } catch (error) {
      if (!(error instanceof CliError || error instanceof InputError)) throw error
      tell(printable(`Kept the old seed: ${error.message}`))
      return
    }
    tell(`Reloaded ${path}: ${sandbox.pets.size} pets, ${sandbox.state().keys.all().length} keys`)
  }
  let seen = stampOfSeed(path)
  let loaded = seen
  const timer = setInterval(() => {
    const now = stampOfSeed(path)
    const isSettled = now === seen
    seen = now
    if (!isSettled || now === loaded) return
    loaded = now
    // One after the other, so that the last report is true.
    reloads = reloads.then(reload)
  }, pollEveryMs)
  return () => {
    isEnded = true
    clearInterval(timer)
  }
}

type SeedPets = Seed['pets']

/** Gives the generated pets, which are the same each time; `undefined` for those that the sandbox began with. */
function generatedOnce(settings: ServeSettings): () => Promise<SeedPets> {
  let pets: Promise<SeedPets> | undefined
  return async () => {
    // The file may have had some of its own by then.
    if (settings.petsFrom === 'seed-file') pets ??= generatedPets(settings)
    return await pets
  }
}

/** A text that changes when a seed does, be it a file or a folder; it may be gone for a while. */
function stampOfSeed(path: string): string {
  const files = isFolder(path) ? ['pets.json', 'keys.json'].map((name) => join(path, name)) : [path]
  return files.map(stampOf).join()
}

/** A stamp that differs after every change of a file, even to or from an unreadable one. */
function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch (error) {
    return String(error)
  }
}

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
