import { parseJson } from '../../contract/json/json.ts'
import { isRecord } from '../../input/record.ts'
import { countText } from '../../reports/text.ts'
import type { KeptFile } from './kept-files.ts'

/** The largest file that the page reads; the command line reads larger ones. */
const mostBytes = 64 * 2 ** 20

/**
 * Reads a file that somebody has chosen or dropped.
 *
 * @throws Error with a sentence that says what is wrong with it.
 */
export async function readFile(file: File): Promise<Omit<KeptFile, 'id'>> {
  if (file.size > mostBytes) {
    throw new RangeError(
      `Cannot read ${file.name}: it is larger than ${mostBytes / 2 ** 20} MiB; use petstore-sandbox snapshot restore FILE`,
    )
  }
  const text = await file.text().catch(() => {
    throw new TypeError(`Cannot read ${file.name}: the browser can't; choose a JSON file`)
  })
  return readKeptFile(file.name, text)
}

/**
 * Tells what a text of JSON is.
 *
 * @throws TypeError for what is neither a snapshot nor a capture.
 */
export function readKeptFile(name: string, text: string): Omit<KeptFile, 'id'> {
  const found = jsonOf(name, text)
  if (isRecord(found) && typeof found.petstoreSandbox === 'number') {
    return { name, text, kind: 'snapshot', about: aboutSnapshot(found) }
  }
  if (isRecord(found) && typeof found.petstoreCapture === 'number') {
    return { name, text, kind: 'capture', about: lengthText(found.steps, 'step') }
  }
  throw new TypeError(
    `Cannot use ${name}: it is neither a snapshot nor a capture of petstore-sandbox`,
  )
}

function jsonOf(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new TypeError(`Cannot read ${name}: it is not valid JSON; use a snapshot or a capture`)
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
