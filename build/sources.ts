import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What `npm run build` builds from. */
const sources = [
  'src',
  'build',
  'fixtures/pets.json',
  'fixtures/keys.json',
  'vite.config.ts',
  'vite.cli.config.ts',
  'vite.console.config.ts',
]

/** Lists the files that `dist/` is built from, by their whole paths. */
export function sourceFiles(root: string): string[] {
  return sources.flatMap((source) => filesOf(join(root, source)))
}

/** The file itself, or all those in a folder, in the same order everywhere. */
export function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
