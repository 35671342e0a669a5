import { makeFolder } from '../input/make-folder.ts'
import type { TierName } from './cells/cell.ts'
import { Met } from './met.ts'
import { fileSystem, paths, processId } from './node-host.ts'
import { fragmentOf } from './report-of.ts'

/** A cell that was met. */
export type News = readonly [tier: TierName, cell: string]

/** What a process has met, in a file of a folder. */
class Fragment {
  readonly #met = new Met()
  readonly #folder: string
  /** Nobody can foresee it, so nothing can lie in wait under this name. */
  readonly #file = `petstore-${processId()}-${crypto.randomUUID()}.json`

  constructor(folder: string) {
    // Whole, since the process may go to another folder.
    this.#folder = wordingErrors(() => {
      const { mkdirSync, realpathSync, statSync } = fileSystem()
      makeFolder(folder, { statSync, mkdirSync, dirname: paths().dirname })
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
    wordingErrors(() => {
      const { writeFileSync, renameSync } = fileSystem()
      writeFileSync(part, JSON.stringify(fragmentOf(this.#met)), { flag: 'wx' })
      renameSync(part, file)
    })
  }
}

/** Does something with files; puts into words what goes wrong. */
function wordingErrors<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`Cannot write coverage to the folder PETSTORE_COVERAGE_DIR: ${why}`)
  }
}

/** The fragments of a process, one in each folder. */
class Fragments {
  readonly #byFolder = new Map<string, Fragment>()

  /**
   * Gives the fragment in a folder, and begins it at first.
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
