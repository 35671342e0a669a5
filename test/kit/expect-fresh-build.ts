import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

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

/** A file that every build writes anew. */
const built = 'dist/cli/main.cjs'

const advice = 'run "npm run build"'

/**
 * Checks that the built package is that of these sources; tests of the program or of an entry call it first.
 *
 * @throws Error when `dist/` is missing, or older than a source file.
 */
export function expectFreshBuild(): void {
  const path = join(root, built)
  if (!existsSync(path)) throw new Error(`Cannot test the package: ${built} is missing; ${advice}`)
  const builtAt = statSync(path).mtimeMs
  const newer = sources.flatMap(filesOf).find((file) => statSync(file).mtimeMs > builtAt)
  if (newer === undefined) return
  const found = newer.slice(root.length + 1)
  throw new Error(`Cannot test the package: ${found} was changed after the build; ${advice}`)
}

/** The file itself, or all those in a folder. */
function filesOf(source: string): string[] {
  const path = join(root, source)
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
