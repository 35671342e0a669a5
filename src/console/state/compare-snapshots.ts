import { isRecord } from '../../input/record.ts'
import { itemName, placeName, summaryOf, valueText } from './snapshot-text.ts'

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
  /** How many there are beyond those. */
  readonly more: number
}

/** How many differences of a part are told one by one. */
const mostTold = 50

/** Deeper than any snapshot goes. */
const deepest = 8

/** Compares two snapshots, part by part; those that are alike are left out. */
export function compareSnapshots(before: unknown, after: unknown): readonly PartDifferences[] {
  const [one, other] = [recordOf(before), recordOf(after)]
  return namesIn(one, other).flatMap((part) => {
    const differences = [...differencesIn(own(one, part), own(other, part), [], part)]
    if (differences.length === 0) return []
    return [
      {
        part: placeName(part),
        differences: differences.slice(0, mostTold),
        more: Math.max(0, differences.length - mostTold),
      },
    ]
  })
}

function* differencesIn(
  before: unknown,
  after: unknown,
  place: readonly string[],
  name: string,
): Generator<Difference> {
  if (Object.is(before, after)) return
  if (place.length < deepest) {
    if (Array.isArray(before) && Array.isArray(after)) {
      yield* differencesOfItems(byName(before), byName(after), place)
      return
    }
    if (isRecord(before) && isRecord(after) && !isExchange(before)) {
      for (const inner of namesIn(before, after)) {
        const there = [...place, placeName(inner)]
        yield* differencesIn(own(before, inner), own(after, inner), there, inner)
      }
      return
    }
  }
  const [one, other] = [valueText(before, name), valueText(after, name)]
  if (one !== other) yield { place: place.join(', '), before: one, after: other }
}

function* differencesOfItems(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  place: readonly string[],
): Generator<Difference> {
  const isOnlyList = place[0] === 'list' || place[0] === placeName('keys')
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    // Where a part is little more than a list, its name says nothing.
    const there = [...(isOnlyList ? place.slice(1) : place), name]
    yield* differencesIn(before.get(name), after.get(name), there, '')
  }
}

/** The items of a list by what names them: an id, a key, or else their place. */
function byName(items: readonly unknown[]): ReadonlyMap<string, unknown> {
  const named = new Map(items.map((item, index) => [itemName(item) ?? `#${index + 1}`, item]))
  return named.size === items.length
    ? named
    : new Map(items.map((item, index) => [`#${index + 1}`, item]))
}

/** An exchange is told as a whole: of its headers nobody wants to read one by one. */
function isExchange(value: object): boolean {
  return summaryOf(value) !== undefined
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function namesIn(one: object, other: object): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}
