import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** What the build reads; a folder is newer when a file was added to it or removed from it. */
const sources = [
  'src/**',
  'build/*.ts',
  'fixtures/{keys,pets}.json',
  'vite.*.ts',
  '{package,package-lock,tsconfig,tsconfig.build}.json',
]

/** The file that a build writes last; its time is that of the build's start. */
export const lastBuilt: string = join(root, 'dist/capture.schema.json')

/** Returns why `dist/` has to be built, or `undefined` if it is complete and newer than all of its sources. */
export function staleReason(): string | undefined {
  const builtAt = statSync(lastBuilt, { throwIfNoEntry: false })?.mtimeMs
  if (builtAt === undefined) return 'dist/ is missing or incomplete'
  const newer = globSync(sources, { cwd: root }).find(
    (file) => statSync(join(root, file)).mtimeMs > builtAt,
  )
  return newer === undefined ? undefined : `${newer} was changed after the build`
}
