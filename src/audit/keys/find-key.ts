import { redactKey } from '../../state/redact.ts'
import type { Keys } from '../rule.ts'

/** Words as long as keys that are worth a verdict; shorter ones may be any word. */
const words = /[A-Za-z0-9_.~-]{6,}/g

/** Whole runs of what keys are made of. */
const runs = /[A-Za-z0-9\-._~+/]{6,}=*/g

/** Finds a key that stands in a text as a whole word, percent-encoded or not; gives it abbreviated. */
export function findKey(text: string, keys: Keys): string | undefined {
  if (!keys.mayBeIn(text)) return undefined
  const plain = decoded(text)
  for (const pattern of [words, runs]) {
    for (const [word] of plain.matchAll(pattern)) {
      // A word of letters alone may be one that the client means.
      if (/[^A-Za-z]/.test(word) && keys.limitsOf(word) !== undefined) return redactKey(word)
    }
  }
  return undefined
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([0-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
