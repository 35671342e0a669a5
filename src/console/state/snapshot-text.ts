import { isRecord } from '../../input/record.ts'

/** What the parts of a snapshot, and what is in them, are called where their own names say too little. */
const placeNames: ReadonlyMap<string, string> = new Map([
  ['petstoreSandbox', 'Version'],
  ['rateLimit', 'Limits'],
  ['clock', 'Clock'],
  ['gaps', 'Gaps'],
  ['seed', 'Seed'],
  ['keys', 'Keys'],
  ['quotas', 'Requests used'],
  ['faults', 'Faults'],
  ['pets', 'Pets'],
  ['journal', 'Requests'],
  ['baseAt', 'time'],
  ['anchorAt', 'set at'],
  ['startAt', 'begins'],
  ['endAt', 'ends'],
  ['bannedUntilAt', 'banned until'],
  ['categoryId', 'category'],
  ['highestId', 'highest id'],
  ['lastId', 'last id'],
  ['random', 'random numbers'],
])

/** What a property of a snapshot is called. */
export function placeName(name: string): string {
  return placeNames.get(name) ?? cut(name)
}

/** What names an item of a list; `undefined` where nothing does. */
export function itemName(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined
  const name = item.id ?? item.key ?? item.caller
  return /string|number|bigint/.test(typeof name) ? cut(String(name)) : undefined
}

/** An exchange in a sentence; `undefined` for anything else. */
export function summaryOf(value: object): string | undefined {
  if (!('request' in value && 'why' in value)) return undefined
  const { request, why } = value
  return isRecord(request) ? cut(`${request.method} ${request.url} → ${why}`) : undefined
}

/** A value in a few words; `undefined` for what isn't there. */
export function valueText(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `${value.length} in a list`
  if (isRecord(value)) return summaryOf(value) ?? propertiesText(value)
  const isInstant = name.endsWith('At') && typeof value === 'number' && Math.abs(value) <= 8.64e15
  return cut(isInstant ? new Date(value).toISOString().replace('.000', '') : String(value))
}

function propertiesText(value: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' || name === 'id' ? [] : [`${placeName(name)} ${String(inner)}`],
  )
  return told.length === 0 ? 'something' : cut(told.join(', '))
}

const mostCharacters = 160

function cut(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}
