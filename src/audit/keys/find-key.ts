import { redactKey } from '../../state/redactor.ts'
import type { Keys } from '../rule.ts'

/** Words as long as keys that are worth a verdict; shorter ones may be any word. */
const words = /[A-Za-z0-9_.~-]{6,}/g

/** Whole runs of what keys are made of. */
const runs = /[A-Za-z0-9\-._~+/]{6,}=*/g

/** The longest text that is read for words at once, in characters; a longer one only if a key may stand in it. */
const shortText = 1_000

/** How much of a text is read, in characters: as much as a journal keeps of a body, which shows what was found. */
const mostRead = 65_536

/** Finds a key that stands in a text as a whole word, percent-encoded or not; gives it abbreviated. */
export function findKey(whole: string, keys: Keys): string | undefined {
  const text = whole.slice(0, mostRead)
  if (text.length > shortText ? !keys.mayBeIn(text) : !hasRun(text)) return undefined
  const plain = decoded(text)
  for (const pattern of [words, runs]) {
    for (const [word] of plain.matchAll(pattern)) {
      // A word of letters alone may be one that the client means.
      if (/[^A-Za-z]/.test(word) && keys.limitsOf(word) !== undefined) return redactKey(word)
    }
  }
  return undefined
}

const shortest = 6

/** Whether any run in a text is long enough for a key, and not of letters alone; most texts have none. */
function hasRun(text: string): boolean {
  let length = 0
  let isOfLetters = true
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === percent) return true
    const lower = code | 0x20
    const isLetter = lower >= 0x61 && lower <= 0x7a
    if (isLetter || isOtherOfKeys(code)) {
      length++
      isOfLetters &&= isLetter
      if (length >= shortest && !isOfLetters) return true
    } else {
      length = 0
      isOfLetters = true
    }
  }
  return false
}

const percent = 0x25

/** Whether a character is a digit or one of `+-./=_~`. */
function isOtherOfKeys(code: number): boolean {
  if (code >= 0x2d && code <= 0x39) return true
  return code === 0x2b || code === 0x3d || code === 0x5f || code === 0x7e
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([0-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
