/** What of Node is used, where it is there: not in a page. */
interface NodeHost {
  readonly process?: NodeProcess
}

interface NodeProcess {
  readonly pid?: number
  readonly getBuiltinModule?: (name: 'node:fs') => FileSystem
}

interface FileSystem {
  mkdirSync(path: string, options: { readonly recursive: true }): unknown
  writeFileSync(path: string, text: string, options: { readonly flag: 'wx' }): void
  renameSync(from: string, to: string): void
  realpathSync(path: string): string
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
