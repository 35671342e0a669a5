import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Gives a room its own copies of small modules that others have too, so that what is loaded on demand shares nothing with
 * what is there at once: bundlers would split that into files, which compress worse than one.
 *
 * @param room The folder in `src/` whose modules get the copies.
 * @param modules What is copied, in `src/`: modules that import only each other, and of which nobody compares instances.
 */
export function ownCopies(room: string, modules: readonly string[]): Plugin {
  const pathOf = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url))
  const folder = pathOf(`${room}/`)
  const copied = new Set(modules.map(pathOf))
  /** What tells a copy from the module; a slash in it would hide what the file is. */
  const mark = `?of=${room.replaceAll('/', '-')}`
  return {
    name: 'own-copies',
    enforce: 'pre',
    async resolveId(source, importer = '', options) {
      const isOfRoom = importer.startsWith(folder) || importer.endsWith(mark)
      if (!isOfRoom || !source.startsWith('.')) return undefined
      const found = await this.resolve(source, importer, options)
      return found !== null && copied.has(found.id) ? found.id + mark : undefined
    },
  }
}
