import { type Signal, signal } from '@preact/signals'

/** A file that the page can read; archives (HAR) it doesn't keep. */
export interface FileFound {
  readonly name: string
  readonly kind: 'snapshot' | 'capture' | 'archive'
  /** What is in it, in a few words. */
  readonly about: string
  /** The name of the sandbox that it was taken of; `undefined` for a file from elsewhere. */
  readonly sandbox?: string
  /** Its JSON. */
  readonly text: string
}

/** A snapshot or a capture that the page keeps. */
export interface KeptFile extends FileFound {
  readonly id: number
}

/** How many files are kept. */
export const mostFiles = 12

/** How long the texts of all files may be together. */
const mostCharacters = 2 ** 28

/** The snapshots and captures that the page keeps for as long as it is open, whichever sandbox it shows. */
export class KeptFiles {
  readonly list: Signal<readonly KeptFile[]> = signal([])
  #lastId = 0

  /** @throws RangeError when there is no room. */
  add(file: FileFound): void {
    const list = this.list.peek()
    const length = list.reduce((sum, { text }) => sum + text.length, file.text.length)
    if (list.length >= mostFiles || length > mostCharacters) {
      const why = list.length >= mostFiles ? `${mostFiles} files are kept` : 'there is no room'
      throw new RangeError(`Cannot keep ${file.name}: ${why}; remove one first`)
    }
    this.#lastId++
    const isNamed = (name: string): boolean => list.some((one) => one.name === name)
    const name = isNamed(file.name) ? numbered(file.name, this.#lastId) : file.name
    this.list.value = [...list, { ...file, name, id: this.#lastId }]
  }

  remove(id: number): void {
    this.list.value = this.list.peek().filter((file) => file.id !== id)
  }
}

/** The name of another file of the same name: `a (2).json`. */
function numbered(name: string, count: number): string {
  return name.replace(/(?:\.\w+)*$/, (ending) => ` (${count})${ending}`)
}
