import { makeFolder } from '../input/make-folder.ts'
import type { TierName } from './coverage-report.ts'
import { Met } from './met.ts'

/** A cell that was met. */
export type News = readonly [tier: TierName, cell: string]

/** What a process has met, in a file of a folder. */
export class Fragment {
  readonly #met = new Met()
  readonly #folder: string
  /** Nobody can foresee it, so nothing can lie in wait under this name. */
  readonly #file = `petstore-${node()?.pid ?? 0}-${crypto.randomUUID()}.json`

  constructor(folder: string) {
    // Whole, since the process may go to another folder.
    this.#folder = wordingErrors(({ fs, path }) => {
      const { mkdirSync, statSync } = fs
      makeFolder(folder, { statSync, mkdirSync, dirname: path.dirname })
      return fs.realpathSync(folder)
    })
    this.#write()
  }

  /** Adds what was met, and writes the file at once: processes of test runners are often killed. */
  add(news: readonly News[], by: string | undefined): void {
    let isNew = false
    for (const [tier, cell] of news) isNew = this.#met.add(tier, cell, by) || isNew
    if (isNew) this.#write()
  }

  /** Replaces the file, so that whoever reads it meanwhile finds a whole one. */
  #write(): void {
    const [file, part] = [`${this.#folder}/${this.#file}`, `${this.#folder}/.${this.#file}.part`]
    wordingErrors(({ fs }) => {
      fs.writeFileSync(part, JSON.stringify(this.#met.fragment()), { flag: 'wx' })
      fs.renameSync(part, file)
    })
  }
}

/** The fragments of a process, one in each folder. */
class Fragments {
  readonly #byFolder = new Map<string, Fragment>()

  /**
   * Finds the fragment in a folder, and begins it at first.
   *
   * @throws Error when it can't be written.
   */
  open(folder: string): Fragment {
    const known = this.#byFolder.get(folder)
    if (known !== undefined) return known
    const fragment = new Fragment(folder)
    this.#byFolder.set(folder, fragment)
    return fragment
  }
}

/** Those of this process: all of its sandboxes share one in a folder. */
export const fragments: Fragments = new Fragments()

/** Does something with files; puts into words what goes wrong. */
function wordingErrors<Result>(
  act: (modules: { readonly fs: FileSystem; readonly path: Paths }) => Result,
): Result {
  try {
    const load = node()?.getBuiltinModule
    if (load === undefined) throw new Error('this host has no files')
    return act({ fs: load('node:fs'), path: load('node:path') })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`Cannot write coverage to the folder PETSTORE_COVERAGE_DIR: ${why}`)
  }
}

/** What of Node is used; its modules are not imported, so that pages are built without them. */
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

/** The process, where there is one: not in a page. */
function node(host: { readonly process?: NodeProcess } = globalThis): NodeProcess | undefined {
  return host.process
}
