import { mapTable, namesOf } from '../../mock/input/record.ts'
import type { Finding } from '../audit/finding.ts'
import { coverageItems } from './cells.ts'
import {
  type CategoryName,
  type CoverageFragment,
  type CoverageReport,
  categories,
} from './coverage-report.ts'

/** The test that covered a cell first; `undefined` where none was announced. */
type Finder = string | undefined

/** Which cells were covered, and by which test first. */
export class Covered {
  readonly #cells: Readonly<Record<CategoryName, Map<string, Finder>>> = mapTable(
    categories,
    () => new Map(),
  )

  /** Notes a cell; returns whether that tells anything new. */
  add(tier: CategoryName, cell: string, by: Finder): boolean {
    const found = this.#cells[tier]
    // A name is worth more than none.
    if (found.get(cell) !== undefined || (by === undefined && found.has(cell))) return false
    found.set(cell, by)
    return true
  }

  /** Notes what a process has covered; returns whether that tells anything new. */
  addAll(fragment: Pick<CoverageFragment, 'categories'>): boolean {
    const news = namesOf(categories).flatMap((tier) =>
      (fragment.categories[tier]?.items ?? []).filter(
        ({ name, covered, coveredBy }) => covered && this.add(tier, name, coveredBy),
      ),
    )
    return news.length > 0
  }

  /** Reports on all cells, in the order of their tables. */
  report(): CoverageReport {
    return {
      categories: mapTable(categories, (tier) => {
        const found = this.#cells[tier]
        const shown = coverageItems[tier].map(({ name, snippet, steps }) => {
          const coveredBy = found.get(name)
          return {
            name,
            covered: found.has(name),
            ...(coveredBy === undefined ? {} : { coveredBy }),
            snippet,
            steps,
          }
        })
        return {
          covered: shown.filter(({ covered }) => covered).length,
          total: shown.length,
          items: shown,
        }
      }),
    }
  }
}

/** Reports on what several processes have covered together; what this version has no cell for is left out. */
export function mergeFragments(fragments: readonly CoverageFragment[]): CoverageReport {
  const all = new Covered()
  for (const fragment of fragments) all.addAll(fragment)
  return all.report()
}

/** The process, where there is one: not in a page, which is built without Node's modules. */
const { process: node }: { readonly process?: NodeJS.Process } = globalThis

/** Findings and coverage of all sandboxes of a process, in a file of a folder. */
export class FragmentFile {
  static readonly #byFolder = new Map<string, FragmentFile>()
  readonly #covered = new Covered()
  readonly #folder: string
  /** An unpredictable name, so that no other file can have it. */
  readonly #file = `petstore-${node?.pid}-${crypto.randomUUID()}.json`
  /** By sandbox; the key keeps no sandbox in memory. */
  readonly #findings = new Map<object, readonly Finding[]>()
  #requests = 0
  #hasNews = false

  /**
   * Returns the file of this process in a folder; creates it at first.
   *
   * @throws Error when it can't be written.
   */
  static in(folder: string): FragmentFile {
    const file = FragmentFile.#byFolder.get(folder) ?? new FragmentFile(folder)
    FragmentFile.#byFolder.set(folder, file)
    return file
  }

  private constructor(folder: string) {
    // An absolute path, since the process may change its current folder.
    this.#folder = wordingErrors((load) => {
      const { mkdirSync, realpathSync } = load('node:fs')
      mkdirSync(folder, { recursive: true })
      return realpathSync(folder)
    })
    this.#write()
    node?.once('exit', () => this.flush())
  }

  /** Counts a request, and adds what a sandbox has covered by it; news is written at once: test runners often kill processes. */
  add(report: CoverageReport | undefined): void {
    this.#requests++
    this.#hasNews = true
    if (report !== undefined && this.#covered.addAll(report)) this.#write()
  }

  /** Replaces the findings of a sandbox. */
  setFindings(sandbox: object, findings: readonly Finding[]): void {
    this.#findings.set(sandbox, findings)
    this.#write()
  }

  /** Writes the number of requests, if it has changed. */
  flush(): void {
    if (this.#hasNews) this.#write()
  }

  /** Replaces the file, so that a reader always finds a complete one. */
  #write(): void {
    this.#hasNews = false
    const [file, part] = [`${this.#folder}/${this.#file}`, `${this.#folder}/.${this.#file}.part`]
    const written = {
      requests: this.#requests,
      findings: [...this.#findings.values()].flat(),
      ...this.#covered.report(),
    }
    wordingErrors((load) => {
      const { writeFileSync, renameSync } = load('node:fs')
      writeFileSync(part, JSON.stringify(written), { flag: 'wx' })
      renameSync(part, file)
    })
  }
}

/** Does something with files; explains what fails. */
function wordingErrors<Result>(act: (load: NodeJS.Process['getBuiltinModule']) => Result): Result {
  try {
    if (node === undefined) throw new Error('this host has no files')
    return act(node.getBuiltinModule)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`Cannot write to the folder PETSTORE_CHECK_DIR: ${why}`)
  }
}
