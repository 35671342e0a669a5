import { endOfString } from './json.ts'

/** Whether JSON is nested deeper than some levels, so that parsing it could take very long. */
export function isTooDeep(json: string, most: number): boolean {
  if (json.length <= most) return false
  return exceeds(json, most, /[[{]/, [openBracket, openBrace], [closeBracket, closeBrace])
}

/** Whether the objects in JSON have more than so many properties in all, so that parsing it could take long. */
export function hasManyProperties(json: string, most: number): boolean {
  return json.length > most && exceeds(json, most, /:/, [colon], [])
}

/** Whether a count exceeds a number somewhere in JSON: one more for some characters outside of strings, one less for others. */
function exceeds(
  json: string,
  most: number,
  pattern: RegExp,
  [up, otherUp]: readonly number[],
  [down, otherDown]: readonly number[],
): boolean {
  // As many have to be there; looking for them alone is several times as fast.
  if (json.split(pattern, most + 2).length < most + 2) return false
  let count = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfString(json, at) - 1
    else if (code === up || code === otherUp) count++
    else if (code === down || code === otherDown) count--
    if (count > most) return true
  }
  return false
}

const quote = 0x22
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
