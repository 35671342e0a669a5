import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it; Node's own way never ends where a file system takes none, as under `/proc`.
 *
 * @throws Node's error when it can't be made.
 */
export function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  const above = dirname(folder)
  if (found === undefined && above !== folder) makeFolder(above)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
