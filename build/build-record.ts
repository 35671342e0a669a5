import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { filesOf, sourceFiles } from './sources.ts'

/** What has a say in a build beside the sources. */
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']

/** Remembers what the last build was made of, and what it made, by their contents; not in `dist/`, which is published. */
export class BuildRecord {
  readonly #root: string
  readonly #file: string

  /** @param root The folder of the project. */
  constructor(root: string) {
    this.#root = root
    this.#file = join(root, 'node_modules/.cache/petstore-sandbox/built.txt')
  }

  /** A digest of all that has a say in what is built. */
  input(): string {
    const files = [...settings.map((name) => join(this.#root, name)), ...sourceFiles(this.#root)]
    return [process.version, process.env.NODE_ENV ?? '', this.#digestOf(files)].join(' ')
  }

  /** Whether what is built is what these sources have built. */
  isFresh(): boolean {
    if (!existsSync(this.#file)) return false
    return readFileSync(this.#file, 'utf8') === this.#textOf(this.input())
  }

  /** Forgets the last build. */
  clear(): void {
    rmSync(this.#file, { force: true })
  }

  /** Remembers what is built now, and the {@link input} that it was built from. */
  write(input: string): void {
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(this.#file, this.#textOf(input))
  }

  /** The record of an input, and of what is built now. */
  #textOf(input: string): string {
    const dist = join(this.#root, 'dist')
    return `${input}\n${this.#digestOf(existsSync(dist) ? filesOf(dist) : [])}\n`
  }

  #digestOf(files: readonly string[]): string {
    const hash = createHash('sha256')
    for (const file of files) {
      const content = readFileSync(file)
      hash.update(`${relative(this.#root, file)}\0${content.length}\0`).update(content)
    }
    return hash.digest('hex')
  }
}
