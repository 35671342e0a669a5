import { isRecord } from '../../input/record.ts'
import { show } from '../../input/show.ts'

/** What `expect.any(String)` and its like are, in every runner. */
interface AsymmetricMatcher {
  asymmetricMatch(found: unknown): boolean
}

/**
 * Says where a value is not as expected; `undefined` if it is. Of objects, only the properties that are expected count,
 * and `undefined` expects none.
 *
 * @param place What the value is called, such as `body`.
 */
export function differenceIn(expected: unknown, found: unknown, place: string): string | undefined {
  if (isAsymmetric(expected)) {
    return expected.asymmetricMatch(found) ? undefined : `${place} is ${show(found)}`
  }
  if (Array.isArray(expected)) return differenceInArrays(expected, found, place)
  if (isRecord(expected)) {
    if (!isRecord(found)) return `${place} is ${show(found)}`
    return firstOf(Object.entries(expected), ([name, part]) => {
      const own = Object.hasOwn(found, name) ? found[name] : undefined
      return differenceIn(part, own, `${place}.${name}`)
    })
  }
  return isEqual(expected, found) ? undefined : `${place} is ${show(found)}`
}

function differenceInArrays(
  expected: readonly unknown[],
  found: unknown,
  place: string,
): string | undefined {
  if (!Array.isArray(found) || found.length !== expected.length) return `${place} is ${show(found)}`
  const items: readonly unknown[] = found
  return firstOf([...expected.entries()], ([index, part]) =>
    differenceIn(part, items[index], `${place}[${index}]`),
  )
}

function firstOf<Item>(
  items: readonly Item[],
  differ: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const difference = differ(item)
    if (difference !== undefined) return difference
  }
  return undefined
}

/** Whether two single values are the same; a bigint is a number that is written in another way. */
function isEqual(expected: unknown, found: unknown): boolean {
  if (Object.is(expected, found)) return true
  const areNumbers = [expected, found].every((one) => ['bigint', 'number'].includes(typeof one))
  return areNumbers && String(expected) === String(found)
}

function isAsymmetric(expected: unknown): expected is AsymmetricMatcher {
  return isRecord(expected) && typeof expected.asymmetricMatch === 'function'
}
