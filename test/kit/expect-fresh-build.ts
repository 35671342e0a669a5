import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sourceFiles } from '../../build/sources.ts'

const root = join(import.meta.dirname, '../..')

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
  const newer = sourceFiles(root).find((file) => statSync(file).mtimeMs > builtAt)
  if (newer === undefined) return
  const found = newer.slice(root.length + 1)
  throw new Error(`Cannot test the package: ${found} was changed after the build; ${advice}`)
}
