import { endOfString } from './int64.ts'

/** Whether JSON is nested deeper than some levels, so that parsing it could take very long. */
export function isTooDeep(json: string, most: number): boolean {
  // As many brackets have to be there; looking for them alone is several times as fast.
  if (json.length <= most || json.split(opening, most + 2).length < most + 2) return false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfString(json, at) - 1
    else if (code === openBracket || code === openBrace) depth++
    else if (code === closeBracket || code === closeBrace) depth--
    if (depth > most) return true
  }
  return false
}

const opening = /[[{]/
const quote = 0x22
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
