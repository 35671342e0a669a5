/** What of Node is used, where it is there: not in a page. */
interface NodeHost {
  readonly process?: NodeProcess
}

interface NodeProcess {
  readonly pid?: number
  readonly getBuiltinModule?: GetModule
}

interface GetModule {
  (name: 'node:fs'): FileSystem
  (name: 'node:path'): Paths
}

interface FileSystem {
  statSync(
    path: string,
    options: { readonly throwIfNoEntry: false },
  ): { isDirectory(): boolean } | undefined
  mkdirSync(path: string): unknown
  writeFileSync(path: string, text: string, options: { readonly flag: 'wx' }): void
  renameSync(from: string, to: string): void
  realpathSync(path: string): string
}

interface Paths {
  dirname(path: string): string
}

function host(found: NodeHost = globalThis): NodeProcess | undefined {
  return found.process
}

/** The number of the process. */
export function processId(): number {
  return host()?.pid ?? 0
}

/**
 * Node's files; not imported, so that pages are built without them.
 *
 * @throws Error in a host without files.
 */
export function fileSystem(): FileSystem {
  const files = host()?.getBuiltinModule?.('node:fs')
  if (files !== undefined) return files
  throw new Error('Cannot write coverage: this host has no files')
}

/**
 * How Node takes paths apart; not imported either.
 *
 * @throws Error in a host without files.
 */
export function paths(): Paths {
  const found = host()?.getBuiltinModule?.('node:path')
  if (found !== undefined) return found
  throw new Error('Cannot write coverage: this host has no files')
}
