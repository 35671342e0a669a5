import { statSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Sandbox } from '../sandbox.ts'
import { CliError } from './cli-error.ts'
import { readSeedFile } from './seed-file.ts'

/** How long a file has to be left alone before it is read: editors write in several steps. */
const settleMs = 50

/**
 * Reseeds a sandbox whenever its seed file, or a file in its seed folder, changes; one that can't be used leaves
 * the old seed in place.
 *
 * @param tell Called with one line for each change.
 * @returns What ends it.
 */
export function watchSeed(
  file: string,
  sandbox: Sandbox,
  tell: (line: string) => void,
): () => void {
  const isFolder = statSync(file).isDirectory()
  let timer: NodeJS.Timeout | undefined
  const reload = (): void => {
    readSeedFile(file).then(
      (seed) => {
        sandbox.reseed(seed)
        tell(`Reloaded ${file}: ${sandbox.pets.size} pets, ${sandbox.keys.list().length} keys`)
      },
      (error: unknown) => {
        if (!(error instanceof CliError)) throw error
        tell(`Kept the old seed: ${error.message}`)
      },
    )
  }
  // The folder, since many an editor puts a new file in the old one's place.
  const watcher = watch(isFolder ? file : dirname(file), (_event, changed) => {
    if (!isFolder && changed !== null && changed !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(reload, settleMs)
  })
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
