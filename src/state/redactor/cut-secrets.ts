import { redactKey } from '../redact.ts'
import type { Range } from './range.ts'
import {
  beginningOf,
  isInWord,
  isOfWords,
  leastLength,
  mostLength,
  type Secrets,
} from './secrets.ts'

/** Where what is left of something ends in favour of dots. */
interface Cut {
  readonly at: number
  /** Where the dots end. */
  readonly end: number
}

/**
 * The ranges of secrets that were cut, and of the dots that say so. As many characters as an abbreviation shows may
 * stand before dots. It takes no longer for texts with thousands of dots: each place is looked at once.
 */
export function cutIn(text: string, all: readonly Secrets[]): Range[] {
  if (!text.includes('…') && !text.includes('...')) return []
  const cuts = cutsIn(text)
  return all.flatMap((secrets) => cutOf(secrets, text, cuts))
}

function cutsIn(text: string): Cut[] {
  const cuts: Cut[] = []
  for (const { index, 0: dots } of text.matchAll(/…|\.{3}/g)) {
    cuts.push({ at: index - brokenEscapeBefore(text, index), end: index + dots.length })
  }
  return cuts
}

function cutOf(secrets: Secrets, text: string, cuts: readonly Cut[]): Range[] {
  const ranges: Range[] = []
  /** Where secrets may begin, and how far what stands there is such a beginning. */
  const begun: { readonly start: number; readonly end: number }[] = []
  let oldest = 0
  let next = 0
  /** Where the characters begin, all of keys, that stand before a place. */
  let runStart = 0
  let place = 0
  for (const { at, end } of cuts) {
    for (; place < at; place++) if (!isOfKeys(text.charCodeAt(place))) runStart = place + 1
    const least = Math.max(runStart, at - mostLength)
    next = Math.max(next, least)
    for (; next < at - leastLength; next++) {
      if (secrets.lacks(beginningOf(text, next)) || isInWord(text, next)) continue
      begun.push({ start: next, end: next + secrets.begunAt(text, next) })
    }
    while ((begun[oldest]?.start ?? least) < least) oldest++
    for (let index = oldest; index < begun.length; index++) {
      const one = begun[index]
      if (one === undefined || one.end < at) continue
      ranges.push({ start: one.start, end, shown: redactKey(text.slice(one.start, at)) })
      break
    }
  }
  return ranges
}

/** How long what is left of an escape is that was cut, too, such as `%7` or `\u00`. */
function brokenEscapeBefore(text: string, index: number): number {
  // Of texts with thousands of dots, nearly all end here.
  if (!/[%\\ux\da-f]/i.test(text.charAt(index - 1))) return 0
  const tail = text.slice(Math.max(0, index - longestBroken), index)
  return /(?:%[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?)+$/i.exec(tail)?.[0].length ?? 0
}

/** Two escapes, one of which the other was to complete. */
const longestBroken = 12

/** Whether a character is one of keys: a letter, a digit or one of `-._~+/=`. */
function isOfKeys(code: number): boolean {
  return isOfWords(code) || '-._~+/='.includes(String.fromCharCode(code))
}
