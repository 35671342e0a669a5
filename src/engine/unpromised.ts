import type { GapChoices } from '../contract/gaps.ts'
import { parseJson, toJson } from '../contract/json/json.ts'
import { isRecord } from '../input/record.ts'

/** Writes the pets of a reply, or its error, with more properties than are promised, or in another order (spec 9). */
export function unpromisedBody(body: string, gaps: GapChoices): string {
  if (gaps.replyExtras === 'none' && gaps.propertyOrder === 'as-listed') return body
  const found = parseJson(body)
  return toJson(
    Array.isArray(found)
      ? found.map((one, index) => rewritten(one, index, gaps))
      : rewritten(found, 0, gaps),
  )
}

/** @param index Its place in a list, so that no two neighbours have the same order. */
function rewritten(found: unknown, index: number, gaps: GapChoices): unknown {
  if (!isRecord(found)) return found
  const members = Object.entries(found)
  if (gaps.replyExtras === 'present') members.push(['unpromised', true])
  if (gaps.propertyOrder === 'shuffled') {
    members.push(...members.splice(0, 1 + (index % (members.length - 1))))
  }
  return Object.fromEntries(members)
}
