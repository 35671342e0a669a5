import { endOfString, isName } from './json.ts'

/** A member of a JSON object, as it is written. */
interface JsonMember {
  readonly name: string
  /** What follows the name, up to a comma, a space or the end of the object; of a number, all of it. */
  readonly literal: string
}

/** Lists the members of the object that a JSON text is, in order, those that are given twice included. */
export function membersOf(text: string): JsonMember[] {
  const members: JsonMember[] = []
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if ('{['.includes(character)) depth++
    else if ('}]'.includes(character)) depth--
    else if (character === '"') {
      const end = endOfString(text, at)
      if (depth === 1 && isName(text, end)) {
        const name: unknown = JSON.parse(text.slice(at, end))
        members.push({ name: String(name), literal: literalAfter(text, end) })
      }
      at = end - 1
    }
  }
  return members
}

/** What stands after the colon that follows here. */
function literalAfter(text: string, end: number): string {
  const pattern = /\s*:\s*([^\s,}]*)/y
  pattern.lastIndex = end
  return pattern.exec(text)?.[1] ?? ''
}
