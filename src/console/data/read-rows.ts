import { parseJson } from '../../mock/api/json.ts'
import { isRecord } from '../../mock/input/record.ts'

/**
 * Parses pets and keys from a text: a JSON array, an object with such arrays as `list`, `pets` or `keys`, or CSV with a
 * header row. CSV values stay strings.
 *
 * @throws TypeError for any other text.
 */
export function readRows(name: string, text: string): readonly Readonly<Record<string, unknown>>[] {
  const isJson = /^\s*[[{]/.test(text)
  const rows = isJson ? jsonRows(name, text) : csvRows(text)
  if (rows.length === 0) {
    throw new TypeError(
      `Cannot import ${name}: found no rows; use a JSON array of objects, or CSV with a head`,
    )
  }
  return rows
}

function jsonRows(name: string, text: string) {
  let found: unknown
  try {
    found = parseJson(text)
  } catch {
    throw new TypeError(`Cannot import ${name}: it is not valid JSON`)
  }
  return isRecord(found)
    ? [found.list, found.pets, found.keys].flatMap(recordsIn)
    : recordsIn(found)
}

function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(value) ? value.list : value
  return Array.isArray(list) ? list.filter(isRecord) : []
}

function csvRows(text: string) {
  const [head = [], ...lines] = cellsOf(text)
  if (head.length < 2) return []
  return lines.map((cells) =>
    Object.fromEntries(
      head.flatMap((name, at) => {
        const cell = cells[at] ?? ''
        return cell === '' ? [] : [[name.trim(), cell]]
      }),
    ),
  )
}

/** Splits CSV (RFC 4180) into rows of cells. */
function cellsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  const cell = /("(?:[^"]|"")*"|[^,;\r\n]*)([,;]|\r?\n|$)/g
  for (const [, value = '', end = ''] of text.trim().matchAll(cell)) {
    rows.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end === '') break
    if (end.endsWith('\n')) rows.push([])
  }
  return rows
}
