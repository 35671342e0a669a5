import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Gives the files in a folder, with the paths that they have in it. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
}

/**
 * Says in which files of a folder something of this machine stands: a path or a registry.
 *
 * @param places Where the package was built.
 */
export function tracesOfMachine(folder: string, places: readonly string[]): string[] {
  const paths = [...places, homedir()].map((path) => path.replace(/[\\/]*$/, '/'))
  const pattern = new RegExp(
    [
      ...paths.map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')),
      '\\bfile:///',
      '/(?:home|Users)/\\w+/',
      '[A-Z]:\\\\\\\\Users',
      '\\bregistry\\.[a-z]',
    ].join('|'),
  )
  return filesIn(folder).flatMap((file) => {
    const found = pattern.exec(readFileSync(join(folder, file), 'utf8'))
    return found === null ? [] : [`${file} has ${JSON.stringify(found[0])}`]
  })
}

/** Lists the bundled packages whose licence Vite didn't find. */
export function missingLicences(folder: string): string[] {
  const files = ['THIRD-PARTY.md', 'console/THIRD-PARTY.md', 'console/playground-THIRD-PARTY.md']
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, 'dist', file), 'utf8')
    const [, ...sections] = text.split(/^## (?=\S+ - \d)/m)
    return sections
      .filter((section) => section.length < 300)
      .map((section) => `no licence for ${section.trim().split('\n')[0]}`)
  })
}
