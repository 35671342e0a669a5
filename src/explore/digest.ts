import type { Outcome } from '../contract/message.ts'

/** Two hashes that are taken at once, since one of 32 bits would hold too many replies to be the same. */
interface Hashes {
  one: number
  other: number
}

/** Makes a number of a text that another text hardly ever has. */
export function digestOfText(text: string): number {
  const hashes = newHashes()
  add(hashes, text)
  return numberOf(hashes)
}

/** Makes a number of an outcome that another outcome hardly ever has, so that replies can be compared without being kept. */
export function digestOf(outcome: Outcome): number {
  const hashes = newHashes()
  add(hashes, outcome.kind)
  if ('status' in outcome) {
    add(hashes, String(outcome.status))
    for (const [name, value] of Object.entries(outcome.headers)) {
      add(hashes, name)
      add(hashes, value)
    }
    add(hashes, outcome.body)
  }
  if (outcome.kind === 'broken-reply') add(hashes, outcome.end)
  return numberOf(hashes)
}

function newHashes(): Hashes {
  return { one: 0x811c9dc5, other: 0x9e3779b9 }
}

function numberOf({ one, other }: Hashes): number {
  return (one >>> 0) * 2 ** 21 + (other >>> 11)
}

function add(hashes: Hashes, text: string): void {
  let { one, other } = hashes
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 15)
  }
  // Where one text ends and the next begins matters, too.
  hashes.one = Math.imul(one ^ 0x10000, 0x01000193)
  hashes.other = Math.imul(other ^ text.length, 0x85ebca6b)
}
