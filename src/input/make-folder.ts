/** What it takes of a host to make folders: parts of `node:fs` and `node:path`. */
interface FolderHost {
  statSync(
    path: string,
    options: { readonly throwIfNoEntry: false },
  ): { isDirectory(): boolean } | undefined
  mkdirSync(path: string): unknown
  dirname(path: string): string
}

/**
 * Makes a folder, and those above it; Node's own way never ends where a file system takes none, as under `/proc`.
 *
 * @throws Node's error when it can't be made.
 */
export function makeFolder(folder: string, host: FolderHost): void {
  const found = host.statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  const above = host.dirname(folder)
  if (found === undefined && above !== folder) makeFolder(above, host)
  try {
    host.mkdirSync(folder)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!host.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
