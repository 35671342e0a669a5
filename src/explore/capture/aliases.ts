import { spellingsOf } from '../../state/redactor/spellings.ts'
import { hasEscapes, unescaped } from '../../state/redactor/unescaped.ts'

const schemes = /^(?:basic|bearer|digest)$/i

/** Shorter keys occur in too many words to be replaced in them. */
const leastLength = 4

/** What else stands in an `Authorization` is no key, and in other texts it may be anything. */
const keySyntax = /^[A-Za-z0-9\-._~+/]+=*$/

/** Puts other names in the place of keys, the same for the same key wherever it stands. */
export class Aliases {
  readonly #aliases = new Map<string, string>()
  readonly #plain: ReadonlySet<string>
  #finder: Finder | undefined

  /** @param plain The keys that anybody knows, which stay as they are. */
  constructor(plain: ReadonlySet<string>) {
    this.#plain = plain
  }

  /** The name of a key; a new one if it has none yet. */
  of(key: string): string {
    if (key === '' || this.#plain.has(key)) return key
    const known = this.#aliases.get(key)
    if (known !== undefined) return known
    const alias = `key-${this.#aliases.size + 1}`
    this.#aliases.set(key, alias)
    this.#finder = undefined
    return alias
  }

  /** Replaces what may be a key in an `Authorization`, well formed or not. */
  inAuthorization(value: string): string {
    return value.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : this.of(word)))
  }

  /** Replaces the keys that are known by now in a text: as they are, with escapes, and in base64. */
  inText(text: string): string {
    this.#finder ??= finderOf(this.#aliases)
    const { pattern, aliases } = this.#finder
    const { plain, places } = hasEscapes(text)
      ? unescaped(text)
      : { plain: text, places: undefined }
    const placeOf = (index: number): number => places?.[index] ?? index
    let shown = ''
    let shownTo = 0
    for (const { index, 0: found } of plain.matchAll(pattern)) {
      shown += text.slice(shownTo, placeOf(index)) + (aliases.get(found) ?? found)
      shownTo = placeOf(index + found.length)
    }
    return shown + text.slice(shownTo)
  }

  /** Replaces the keys in what a control was given: wherever a property is called `key` or `caller`. */
  inGiven(given: unknown): unknown {
    return withTexts(given, (name, text) =>
      name === 'key' || name === 'caller' ? this.of(text) : text,
    )
  }

  /** Replaces the keys that are known by now in the names of pets that a control was given; no other text is free. */
  inNames(given: unknown): unknown {
    return withTexts(given, (name, text) => (name === 'name' ? this.inText(text) : text))
  }
}

/** Copies a value, with other texts in its properties. */
function withTexts(value: unknown, change: (name: string, text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [
        name,
        typeof one === 'string' ? change(name, one) : withTexts(one, change),
      ]),
  )
}

/** Finds keys in texts without escapes. */
interface Finder {
  readonly pattern: RegExp
  /** By each spelling. */
  readonly aliases: ReadonlyMap<string, string>
}

function finderOf(names: ReadonlyMap<string, string>): Finder {
  const aliases = new Map<string, string>()
  for (const [key, alias] of names) {
    if (key.length < leastLength || !keySyntax.test(key)) continue
    for (const spelling of spellingsOf(key)) aliases.set(spelling, alias)
  }
  const words = [...aliases.keys()]
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
  // Without any word, what matches nothing.
  return { pattern: new RegExp(words.length === 0 ? '(?!)' : words.join('|'), 'g'), aliases }
}
