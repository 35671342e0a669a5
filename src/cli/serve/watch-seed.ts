import { statSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../../input/input-error.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { Seed } from '../../seed/seed.ts'
import { CliError } from '../terminal/cli-error.ts'
import { printable } from '../terminal/printable.ts'

/**
 * How often the files are looked at, and how long they have to be left alone before they are read, since editors write
 * in several steps. Unlike news from the system, looking sees through links, shares and mounts.
 */
const lookEveryMs = 100

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
  let seen = files.map(stampOf).join()
  let loaded = seen
  const timer = setInterval(() => {
    const now = files.map(stampOf).join()
    const isSettled = now === seen
    seen = now
    if (!isSettled || now === loaded) return
    loaded = now
    // One after the other, so that what is told last holds.
    reloads = reloads.then(reload)
  }, lookEveryMs)
  return () => {
    isEnded = true
    clearInterval(timer)
  }
}

/** What is another after every change of a file, also to or from one that can't be read. */
function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch (error) {
    return String(error)
  }
}
