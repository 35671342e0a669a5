/** Leaves of `dist/types` only what an entry of the package leads to: nobody can import the rest. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('..', import.meta.url))
const relativeImport = /(?:\bfrom|\bimport\(|^import)\s*['"](\.[^'"]+)['"]/gm

const reached = new Set(
  Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [join(root, entry.types)],
  ),
)
// A set goes on to what is added to it on the way.
for (const file of reached) {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(relativeImport)) {
    reached.add(join(dirname(file), path.replace(/(?:\.d)?\.tsx?$/, '.d.ts')))
  }
}

const folder = join(root, 'dist/types')
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (entry.isFile() && !reached.has(file)) rmSync(file)
}
