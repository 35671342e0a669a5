import { statSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../../input/input-error.ts'
import { printable } from '../../reports/text.ts'
import type { Sandbox } from '../../sandbox.ts'
import { defaultSeed } from '../../seed/default-seed.ts'
import { type Seed, seedKeys } from '../../state/beginning.ts'
import { CliError } from '../terminal/cli-error.ts'
import { generatedPets, hasGeneratedPets, readSeedFile } from './sandbox-options.ts'
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

/** Whether there is a folder; where that can't be found out, there is none. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
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
