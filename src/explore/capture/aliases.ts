import { Redactor } from '../../state/redactor.ts'

const schemes = /^(?:basic|bearer|digest)$/i

/** What else stands in an `Authorization` is no key, and in other texts it may be anything. */
const keySyntax = /^[A-Za-z0-9\-._~+/]+=*$/

/** Puts other names in the place of keys, the same for the same key wherever it stands. */
export class Aliases {
  readonly #aliases = new Map<string, string>()
  readonly #plain: ReadonlySet<string>
  readonly #redactor = new Redactor()

  /** @param plain The keys that anybody knows, which stay as they are. */
  constructor(plain: ReadonlySet<string>) {
    this.#plain = plain
  }

  /** The name of a key; a new one if it has none yet. */
  of(key: string): string {
    if (key === '' || this.#plain.has(key)) return key
    const known = this.#aliases.get(key)
    if (known !== undefined) return known
    const alias = `api-key-${this.#aliases.size + 1}`
    this.#aliases.set(key, alias)
    if (keySyntax.test(key)) this.#redactor.add(key)
    return alias
  }

  /** Replaces what may be a key in an `Authorization`, well formed or not. */
  inAuthorization(value: string): string {
    return value.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : this.of(word)))
  }

  /** Replaces the keys that are known by now in a text: as they are, percent-encoded, and as JSON escapes. */
  inText(text: string): string {
    return this.#redactor.replace(text, (key) => this.of(key))
  }

  /** The names of the keys that stand in a text, as far as they are known by now. */
  keysIn(text: string): readonly string[] {
    const found = text.split(/[^A-Za-z0-9\-._~+/=]+/).filter((word) => this.#plain.has(word))
    this.#redactor.replace(text, (key) => {
      found.push(this.of(key))
      return ''
    })
    return found
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
