import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

const relativeImport = /(?:\bfrom|\bimport\(|^import)\s*['"](\.[^'"]+)['"]/gm

/** Lists the files of the built package that its entries and its program lead to, whether they exist or not. */
export function reachedFiles(root: string): string[] {
  const named = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )
  // Others are no part of the build.
  const built = named.filter((target) => target.startsWith('./dist/'))
  const pages = ['index', 'playground', 'start'].map((name) => `dist/console/${name}.html`)
  const others = ['dist/cli.js', ...pages]
  const files = new Set([...built, ...others].map((file) => join(root, file)))
  // A set goes on to what is added to it on the way.
  for (const file of files) {
    if (!/\.(?:js|d\.ts)$/.test(file) || !existsSync(file)) continue
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(relativeImport)) {
      files.add(join(dirname(file), path.replace(/(?:\.d)?\.tsx?$/, '.d.ts')))
    }
  }
  return [...files]
}
