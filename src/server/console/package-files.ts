import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files of the package, each read once: a page waits for its script. */
export class PackageFiles {
  readonly #read = new Map<string, Promise<Buffer | undefined>>()
  #folder: string | undefined

  /**
   * Gives what a file has; `undefined` for one that isn't there.
   *
   * @param path Within the package.
   */
  read(path: string): Promise<Buffer | undefined> {
    const known = this.#read.get(path)
    if (known !== undefined) return known
    this.#folder ??= packageFolder()
    const bytes = readFile(join(this.#folder, path)).catch(() => {
      // It may be built later.
      this.#read.delete(path)
      return undefined
    })
    this.#read.set(path, bytes)
    return bytes
  }
}

/** The folder of the package, which this is somewhere in, as a source or built. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) {
    folder = dirname(folder)
  }
  return folder
}
