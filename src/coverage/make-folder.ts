/**
 * Makes a folder, and those above it; Node's own way never ends where a file system takes none, as under `/proc`.
 *
 * @param load Node's `process.getBuiltinModule`, which a page lacks.
 * @throws Node's error when it can't be made.
 */
export function makeFolder(folder: string, load: NodeJS.Process['getBuiltinModule']): void {
  const { mkdirSync, statSync } = load('node:fs')
  const isThere = (): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (isThere()) return
  const above = load('node:path').dirname(folder)
  if (above !== folder) makeFolder(above, load)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere()) throw error
  }
}
