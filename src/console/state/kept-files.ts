import { type ReadonlySignal, signal } from '@preact/signals'

/** A snapshot or a capture that the page keeps. */
export interface KeptFile {
  readonly id: number
  readonly name: string
  readonly kind: 'snapshot' | 'capture'
  /** What is in it, in a few words. */
  readonly about: string
  /** Its JSON. */
  readonly text: string
}

const mostFiles = 12

/** How long the texts of all files may be together. */
const mostCharacters = 2 ** 28

/** The snapshots and captures that the page keeps for as long as it is open, whichever sandbox it shows. */
export class KeptFiles {
  readonly #list = signal<readonly KeptFile[]>([])
  #lastId = 0

  get list(): ReadonlySignal<readonly KeptFile[]> {
    return this.#list
  }

  /** @throws RangeError when there is no room. */
  add(file: Omit<KeptFile, 'id'>): void {
    const list = this.#list.peek()
    if (list.length >= mostFiles) {
      throw new RangeError(
        `Cannot keep ${file.name}: ${mostFiles} files are kept; remove one first`,
      )
    }
    const held = list.reduce((sum, { text }) => sum + text.length, file.text.length)
    if (held > mostCharacters) {
      throw new RangeError(
        `Cannot keep ${file.name}: there is no room for it; remove another first`,
      )
    }
    this.#lastId++
    const isNamed = (name: string): boolean => list.some((one) => one.name === name)
    const name = isNamed(file.name) ? numbered(file.name, this.#lastId) : file.name
    this.#list.value = [...list, { ...file, name, id: this.#lastId }]
  }

  remove(id: number): void {
    this.#list.value = this.#list.peek().filter((file) => file.id !== id)
  }
}

/** The name of another file of the same name: `a (2).json`. */
function numbered(name: string, count: number): string {
  return name.replace(/(?:\.\w+)*$/, (ending) => ` (${count})${ending}`)
}
