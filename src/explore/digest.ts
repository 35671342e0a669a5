import type { Outcome } from '../contract/message.ts'

/**
 * Makes a number of a text that another text hardly ever has: of two hashes at once, since one of 32 bits would hold too
 * many replies to be the same.
 */
export function digestOfText(text: string): number {
  let one = 0x811c9dc5
  let other = 0x9e3779b9
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 15)
  }
  one = Math.imul(one ^ 0x10000, 0x01000193)
  other = Math.imul(other ^ text.length, 0x85ebca6b)
  return (one >>> 0) * 2 ** 21 + (other >>> 11)
}

/** Makes a number of an outcome that another outcome hardly ever has, so that replies can be compared without being kept. */
export function digestOf(outcome: Outcome): number {
  if (!('status' in outcome)) return digestOfText(outcome.kind)
  const { kind, status, headers, body } = outcome
  const end = kind === 'broken-reply' ? outcome.end : ''
  return digestOfText([kind, status, ...Object.entries(headers).flat(), end, body].join('\0'))
}
