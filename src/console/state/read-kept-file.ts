import { parseJson } from '../../contract/json.ts'
import { isRecord } from '../../input/record.ts'
import { countText } from '../../reports/text.ts'
import type { FileFound } from './kept-files.ts'

/** The largest file that the page reads. */
const mostBytes = 64 * 2 ** 20

/**
 * Reads a file that somebody has chosen or dropped.
 *
 * @throws Error with a sentence that says what is wrong with it.
 */
export async function readFile(file: File): Promise<FileFound> {
  if (file.size > mostBytes) {
    throw new RangeError(`Cannot read ${file.name}: it is larger than ${mostBytes / 2 ** 20} MiB`)
  }
  const text = await file.text().catch(() => {
    throw new TypeError(`Cannot read ${file.name}: the browser can't; choose a JSON file`)
  })
  return readKeptFile(file.name, text)
}

/**
 * Tells what a text of JSON is.
 *
 * @throws TypeError for what is none of a snapshot, a capture and an archive.
 */
export function readKeptFile(name: string, text: string): FileFound {
  const found = jsonOf(name, text)
  if (isRecord(found) && typeof found.petstoreSandbox === 'number') {
    return { name, text, kind: 'snapshot', about: aboutSnapshot(found) }
  }
  if (isRecord(found) && typeof found.petstoreCapture === 'number') {
    return { name, text, kind: 'capture', about: lengthText(found.steps, 'step') }
  }
  if (isRecord(found) && isRecord(found.log)) {
    return { name, text, kind: 'archive', about: lengthText(found.log.entries, 'exchange') }
  }
  throw new TypeError(
    `Cannot use ${name}: it is neither a snapshot, a capture, nor an archive (HAR)`,
  )
}

function jsonOf(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new TypeError(
      `Cannot read ${name}: it is not valid JSON; use a snapshot, a capture or an archive (HAR)`,
    )
  }
}

function aboutSnapshot({ pets, keys, journal }: Readonly<Record<string, unknown>>): string {
  return [
    lengthText(listIn(pets), 'pet'),
    lengthText(keys, 'key'),
    lengthText(listIn(journal), 'request'),
  ].join(', ')
}

function listIn(part: unknown): unknown {
  return isRecord(part) ? part.list : undefined
}

function lengthText(list: unknown, what: string): string {
  return countText(Array.isArray(list) ? list.length : 0, what)
}
