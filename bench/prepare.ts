import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))

/**
 * Makes sure that what is measured is what the sources say.
 *
 * @throws Error when the build is missing or older than a source.
 */
export function requireBuild(): void {
  const newestAt = Math.max(
    ...['src', 'fixtures'].map((folder) => newestIn(projectFolder + folder)),
  )
  if (writtenAt(`${projectFolder}dist/server.js`) >= newestAt) return
  throw new Error('Cannot measure: dist is missing or older than src; run npm run build')
}

function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Math.max(...files.map((file) => writtenAt(`${file.parentPath}/${file.name}`)))
}

/** When a file was written, in Unix milliseconds; long ago where there is none. */
function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
}
