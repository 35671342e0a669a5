import { host, type NodeFiles } from '../../mock/api/real-time.ts'
import { mapTable, namesOf } from '../../mock/input/record.ts'
import type { Finding } from '../audit/finding.ts'
import { coverageItems } from './cells.ts'
import {
  type CategoryName,
  type CoverageFragment,
  type CoverageReport,
  categories,
} from './coverage-report.ts'

/** Test that covered an item first; `undefined` if tests weren't announced. */
type Finder = string | undefined

/** Covered items, each with the test that covered it first. */
export class Covered {
  readonly #cells: Readonly<Record<CategoryName, Map<string, Finder>>> = mapTable(
    categories,
    () => new Map(),
  )

  /** Records an item; returns whether that adds information. */
  add(tier: CategoryName, cell: string, by: Finder): boolean {
    const found = this.#cells[tier]
    // The name of a test replaces an unknown one.
    if (found.get(cell) !== undefined || (by === undefined && found.has(cell))) return false
    found.set(cell, by)
    return true
  }

  /** Records what a process has covered; returns whether that adds information. */
  addAll(fragment: Pick<CoverageFragment, 'categories'>): boolean {
    const added = namesOf(categories).flatMap((tier) =>
      (fragment.categories[tier]?.items ?? []).filter(
        ({ name, covered, coveredBy }) => covered && this.add(tier, name, coveredBy),
      ),
    )
    return added.length > 0
  }

  /** Returns all items, in the order of their tables, and whether each is covered. */
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

/** Merges the coverage of several processes; leaves out items that this version doesn't have. */
export function mergeFragments(fragments: readonly CoverageFragment[]): CoverageReport {
  const all = new Covered()
  for (const fragment of fragments) all.addAll(fragment)
  return all.report()
}

/** Findings and coverage of all sandboxes of a process, written to a file in a folder. */
export class FragmentFile {
  static readonly #byFolder = new Map<string, FragmentFile>()
  readonly #covered = new Covered()
  readonly #folder: string
  /** Unpredictable name, so that no other file can have it. */
  readonly #file = `petstore-${host.process?.pid}-${crypto.randomUUID()}.json`
  /** Findings by sandbox; the key keeps no sandbox in memory. */
  readonly #findings = new Map<object, readonly Finding[]>()
  #requests = 0
  #hasChanged = false

  /**
   * Returns the file of this process in a folder; creates the file on first use.
   *
   * @throws Error if the file can't be written.
   */
  static in(folder: string): FragmentFile {
    const file = FragmentFile.#byFolder.get(folder) ?? new FragmentFile(folder)
    FragmentFile.#byFolder.set(folder, file)
    return file
  }

  private constructor(folder: string) {
    // The path is absolute, since the process may change its current folder.
    this.#folder = wordingErrors(({ mkdirSync, realpathSync }) => {
      mkdirSync(folder, { recursive: true })
      return realpathSync(folder)
    })
    this.#write()
    host.process?.once('exit', () => this.flush())
  }

  /**
   * Counts a request and adds what it covered; new items are written at once, since test runners often kill processes.
   */
  add(report: CoverageReport | undefined): void {
    this.#requests++
    this.#hasChanged = true
    if (report !== undefined && this.#covered.addAll(report)) this.#write()
  }

  /** Replaces the findings of a sandbox. */
  setFindings(sandbox: object, findings: readonly Finding[]): void {
    this.#findings.set(sandbox, findings)
    this.#write()
  }

  /** Writes the number of requests if it has changed. */
  flush(): void {
    if (this.#hasChanged) this.#write()
  }

  /** Replaces the file, so that a reader always finds a complete one. */
  #write(): void {
    this.#hasChanged = false
    const [file, part] = [`${this.#folder}/${this.#file}`, `${this.#folder}/.${this.#file}.part`]
    const written = {
      requests: this.#requests,
      findings: [...this.#findings.values()].flat(),
      ...this.#covered.report(),
    }
    wordingErrors(({ writeFileSync, renameSync }) => {
      writeFileSync(part, JSON.stringify(written), { flag: 'wx' })
      renameSync(part, file)
    })
  }
}

/** Accesses files; adds to an error what couldn't be done. */
function wordingErrors<Result>(act: (files: NodeFiles) => Result): Result {
  try {
    const { process } = host
    if (process === undefined) throw new Error('this host has no files')
    return act(process.getBuiltinModule('node:fs'))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`Cannot write to the folder PETSTORE_CHECK_DIR: ${why}`)
  }
}
