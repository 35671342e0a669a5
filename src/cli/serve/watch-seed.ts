import { statSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../../input/input-error.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { Seed } from '../../state/beginning.ts'
import { CliError } from '../terminal/cli-error.ts'
import { printable } from '../terminal/printable.ts'

/**
 * How often to look at the files, and how long they must be unchanged before they are read, since editors write in
 * several steps. Unlike notifications of the system, polling works with links, shares and mounts.
 */
const pollEveryMs = 100

/** What to watch, and what to do on a change. */
export interface SeedWatch {
  /** The seed file, or the folder with `pets.json`, `keys.json` or both. */
  readonly path: string
  readonly sandbox: Sandbox
  /** Reads the seed; throws a CliError or an InputError for an invalid one. */
  readonly read: () => Promise<Seed>
  /** Called with one line for each change. */
  readonly tell: (line: string) => void
}

/**
 * Reseeds a sandbox whenever its seed file, or a file in its seed folder, changes; an invalid one changes nothing.
 *
 * @returns A function that ends the watch.
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
    // One after the other, so that the last report is true.
    reloads = reloads.then(reload)
  }, pollEveryMs)
  return () => {
    isEnded = true
    clearInterval(timer)
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
