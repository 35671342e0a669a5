import { type Stats, statSync, unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../contract/input.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Seed } from '../seed/seed.ts'
import { CliError } from './cli-error.ts'
import { printable } from './printable.ts'

/** How often a file is looked at; unlike news from the system, this sees through links, shares and mounts. */
const lookEveryMs = 100

/** How long a file has to be left alone before it is read: editors write in several steps. */
const settleMs = 50

/** What to watch, and what to do then. */
export interface SeedWatch {
  /** The seed file, or the folder with `pets.json`, `keys.json` or both. */
  readonly path: string
  readonly sandbox: Sandbox
  /** Reads the seed; throws a CliError or an InputError for one that can't be used. */
  readonly read: () => Promise<Seed>
  /** Called with one line for each change. */
  readonly tell: (line: string) => void
}

/**
 * Reseeds a sandbox whenever its seed file, or a file in its seed folder, changes; one that can't be used leaves the
 * old seed in place.
 *
 * @returns What ends it.
 */
export function watchSeed({ path, sandbox, read, tell }: SeedWatch): () => void {
  const isFolder = statSync(path).isDirectory()
  const files = isFolder ? ['pets.json', 'keys.json'].map((name) => join(path, name)) : [path]
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  let reloads = Promise.resolve()
  const reload = async (): Promise<void> => {
    try {
      const seed = await read()
      if (isEnded) return
      sandbox.reseed(seed)
    } catch (error) {
      if (!(error instanceof CliError || error instanceof InputError)) throw error
      tell(printable(`Kept the old seed: ${error.message}`))
      return
    }
    tell(`Reloaded ${path}: ${sandbox.pets.size} pets, ${sandbox.keys.list().length} keys`)
  }
  const look = (now: Stats, before: Stats): void => {
    // A file that there isn't is told of once.
    if (now.mtimeMs === 0 && before.mtimeMs === 0) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      // One after the other, so that what is told last holds.
      reloads = reloads.then(reload)
    }, settleMs)
  }
  for (const file of files) watchFile(file, { interval: lookEveryMs }, look)
  return () => {
    isEnded = true
    clearTimeout(timer)
    for (const file of files) unwatchFile(file, look)
  }
}
