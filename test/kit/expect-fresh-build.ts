import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** What `npm run build` builds from. */
const sources = ['src/**/*.*', 'build/*.ts', 'fixtures/{keys,pets}.json', 'vite.*.ts']

/** A file that every build writes anew. */
const built = 'dist/cli.js'

const advice = 'run "npm run build"'

/**
 * Checks that the built package is that of these sources; tests of the program or of an entry call it first.
 *
 * @throws Error when `dist/` is missing, or older than a source file.
 */
export function expectFreshBuild(): void {
  const builtAt = statSync(join(root, built), { throwIfNoEntry: false })?.mtimeMs
  if (builtAt === undefined) {
    throw new Error(`Cannot test the package: ${built} is missing; ${advice}`)
  }
  const files = globSync(sources, { cwd: root })
  const newer = files.find((file) => statSync(join(root, file)).mtimeMs > builtAt)
  if (newer === undefined) return
  throw new Error(`Cannot test the package: ${newer} was changed after the build; ${advice}`)
}
