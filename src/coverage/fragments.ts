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
    this.#folder = wordingErrors((load) => {
      const { mkdirSync, statSync, realpathSync } = load('node:fs')
      makeFolder(folder, { statSync, mkdirSync, dirname: load('node:path').dirname })
      return realpathSync(folder)
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
    wordingErrors((load) => {
      const { writeFileSync, renameSync } = load('node:fs')
      writeFileSync(part, JSON.stringify(this.#met.fragment()), { flag: 'wx' })
      renameSync(part, file)
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
    const fragment = this.#byFolder.get(folder) ?? new Fragment(folder)
    this.#byFolder.set(folder, fragment)
    return fragment
  }
}

/** Those of this process: all of its sandboxes share one in a folder. */
export const fragments: Fragments = new Fragments()

/** Does something with files; puts into words what goes wrong. */
function wordingErrors<Result>(act: (load: NodeJS.Process['getBuiltinModule']) => Result): Result {
  try {
    const load = node()?.getBuiltinModule
    if (load === undefined) throw new Error('this host has no files')
    return act(load)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`Cannot write coverage to the folder PETSTORE_COVERAGE_DIR: ${why}`)
  }
}

/** The process, where there is one: not in a page, which is built without Node's modules. */
function node(
  host: { readonly process?: Partial<NodeJS.Process> } = globalThis,
): Partial<NodeJS.Process> | undefined {
  return host.process
}
