import { type Signal, signal } from '@preact/signals'
import { countText } from '../../checks/reports/text.ts'
import { parseJson } from '../../mock/api/json.ts'
import { isRecord } from '../../mock/input/record.ts'

/** A file that the page keeps. */
export interface FileFound {
  readonly name: string
  readonly kind: 'snapshot' | 'capture'
  /** Short description of the content. */
  readonly summary: string
  /** Name of the sandbox that the snapshot is from; `undefined` for an imported file. */
  readonly sandbox?: string
  /** Its JSON. */
  readonly text: string
}

/** Storage of kept files. */
export interface KeptStorage {
  load(): Promise<readonly FileFound[]>
  save(files: readonly FileFound[]): Promise<void>
}

/** Maximum size of a file that the page reads, in bytes. */
const maxBytes = 64 * 2 ** 20

/** Snapshots and captures that the page keeps, independent of the shown sandbox. */
export class KeptFiles {
  /** Kept files, with unique names. */
  readonly list: Signal<readonly FileFound[]> = signal([])
  readonly #storage: KeptStorage | undefined

  /**
   * @param storage Keeps the files beyond a reload; without it, they last as long as the page.
   */
  constructor(storage?: KeptStorage) {
    this.#storage = storage
    void storage
      ?.load()
      .then((files) => {
        this.list.value = [...files, ...this.list.peek()]
      })
      .catch(() => {})
  }

  add(file: FileFound): void {
    const list = this.list.peek()
    let { name } = file
    for (let count = 2; list.some((one) => one.name === name); count++) {
      name = file.name.replace(/(?:\.\w+)*$/, ` (${count})$&`)
    }
    this.#keep([...list, { ...file, name }])
  }

  remove(name: string): void {
    this.#keep(this.list.peek().filter((file) => file.name !== name))
  }

  #keep(files: readonly FileFound[]): void {
    this.list.value = files
    // In a private window, or with a full disk, they last as long as the page.
    void this.#storage?.save(files).catch(() => {})
  }
}

/**
 * Reads a file that the user picked or dropped.
 *
 * @throws Error with a message for the user.
 */
export async function readFile(file: File): Promise<FileFound> {
  return fileOf(file.name, await readText(file))
}

/**
 * Returns the text of a file.
 *
 * @throws Error with a message for the user if the file is too large or can't be read.
 */
export async function readText(file: File): Promise<string> {
  if (file.size > maxBytes) {
    throw new RangeError(`Cannot read ${file.name}: it is larger than ${maxBytes / 2 ** 20} MiB`)
  }
  return await file.text().catch(() => {
    throw new TypeError(`Cannot read ${file.name}: the browser can't; use a JSON file`)
  })
}

/**
 * Parses a JSON file and returns it with its kind.
 *
 * @throws TypeError for JSON that is neither a snapshot nor a capture.
 */
export function fileOf(name: string, text: string): FileFound {
  const found = jsonOf(name, text)
  if (typeof found.petstoreSandbox === 'number') {
    const { pets, keys, requests } = found
    const summary = [
      lengthText(membersOf(pets).list, 'pet'),
      lengthText(keys, 'key'),
      lengthText(membersOf(requests).list, 'request'),
    ]
    return { name, text, kind: 'snapshot', summary: summary.join(', ') }
  }
  if (typeof found.petstoreCapture === 'number') {
    return { name, text, kind: 'capture', summary: lengthText(found.steps, 'step') }
  }
  throw new TypeError(`Cannot use ${name}: it is neither a snapshot nor a capture`)
}

function jsonOf(name: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(parseJson(text))
  } catch {
    throw new TypeError(`Cannot read ${name}: it is not valid JSON; use a snapshot or a capture`)
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function lengthText(list: unknown, what: string): string {
  return countText(Array.isArray(list) ? list.length : 0, what)
}
