import { isRecord } from '../../input/record.ts'
import { formatInstant } from '../../input/values.ts'
import { cut } from '../../reports/text.ts'

/** Something that is not the same in two snapshots. */
export interface Difference {
  /** Where, in words: `free-key, minute, used`. */
  readonly place: string
  /** `undefined` for what isn't there. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What differs in one part of two snapshots. */
export interface PartDifferences {
  readonly part: string
  readonly differences: readonly Difference[]
}

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

/** How long a text may be. */
const mostCharacters = 160

/** What a property of a snapshot is called. */
function placeName(name: string): string {
  return placeNames.get(name) ?? cut(name, mostCharacters)
}

/** Compares two snapshots, part by part; those that are alike are left out. */
export function compareSnapshots(before: unknown, after: unknown): readonly PartDifferences[] {
  const [one, other] = [membersOf(before), membersOf(after)]
  return namesIn(one, other)
    .map((name) => ({
      part: placeName(name),
      differences: differencesIn(one?.get(name), other?.get(name), name, []),
    }))
    .filter(({ differences }) => differences.length > 0)
}

type Members = ReadonlyMap<string, unknown> | undefined

function namesIn(one: Members, other: Members): readonly string[] {
  return [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])]
}

/** @param name What it is called in the snapshot. */
function differencesIn(
  before: unknown,
  after: unknown,
  name: string,
  place: readonly string[],
): readonly Difference[] {
  const [one, other] = [membersOf(before), membersOf(after)]
  if (one !== undefined && other !== undefined) {
    return namesIn(one, other).flatMap((inner) => {
      // Where a part is little more than a list, the name of that says nothing.
      const there = ['list', 'keys'].includes(inner) ? place : [...place, placeName(inner)]
      return differencesIn(one.get(inner), other.get(inner), inner, there)
    })
  }
  const texts = { before: textOf(before, name), after: textOf(after, name) }
  return texts.before === texts.after ? [] : [{ place: place.join(', '), ...texts }]
}

/** What is in an object or a list, by name; `undefined` for what is told as a whole. */
function membersOf(value: unknown): Members {
  if (isRecord(value) && exchangeText(value) === undefined) return new Map(Object.entries(value))
  if (!Array.isArray(value)) return undefined
  const named = new Map(value.map((item, index) => [itemName(item) ?? `#${index + 1}`, item]))
  if (named.size === value.length) return named
  return new Map(value.map((item, index) => [`#${index + 1}`, item]))
}

/** What names an item of a list; `undefined` where nothing does. */
function itemName(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined
  const name = item.id ?? item.key ?? item.caller
  return /string|number|bigint/.test(typeof name) ? String(name) : undefined
}

/** A value in a few words; `undefined` for what isn't there. */
function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `${value.length} in a list`
  if (isRecord(value)) return exchangeText(value) ?? propertiesText(value)
  const isInstant = name.endsWith('At') && typeof value === 'number'
  return isInstant ? formatInstant(value) : cut(String(value), mostCharacters)
}

/** An exchange in a sentence, since nobody wants to read of its headers one by one; `undefined` for anything else. */
function exchangeText({ request, why }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isRecord(request) || why === undefined) return undefined
  return cut(`${request.method} ${request.url} → ${why}`, mostCharacters)
}

function propertiesText(value: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' || name === 'id' ? [] : [`${placeName(name)} ${String(inner)}`],
  )
  return told.length === 0 ? 'something' : cut(told.join(', '), mostCharacters)
}
