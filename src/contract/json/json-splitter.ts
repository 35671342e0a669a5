import { InputError } from '../../input/input-error.ts'

/** Where something stands in a JSON document. */
export type JsonPath = readonly (string | number)[]

/** Takes a JSON document part by part, as it is read. */
export interface JsonTaker {
  /**
   * Says whether the members of an object, or the items of an array, are to be given one by one; otherwise the whole is
   * given. Called when it begins.
   */
  opens(path: JsonPath, kind: 'object' | 'array'): boolean
  /** Takes what is not opened. The path changes with the next call. */
  take(path: JsonPath, text: string): void
  /** Called when what was opened ends. */
  closes(path: JsonPath): void
}

/**
 * Gives a JSON document to its taker, part by part, while its bytes come in.
 *
 * @throws SyntaxError for what isn't JSON in UTF-8; what the taker throws; {@link InputError} for what is nested too
 * deeply, or has too long a part. What has been taken by then is to be dropped.
 *
 * @param maxPartLength The longest part that is given as a whole, in characters.
 */
export async function splitJson(
  chunks: AsyncIterable<Uint8Array>,
  taker: JsonTaker,
  maxPartLength: number = longestPart,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const splitter = new JsonSplitter(taker, maxPartLength)
  for await (const chunk of chunks) splitter.push(decoded(decoder, chunk))
  splitter.push(decoded(decoder, undefined))
  splitter.end()
}

/**
 * Gives a JSON document, all of which is there already, to its taker part by part; throws as {@link splitJson}.
 *
 * @param nextTurn Lets others have their turn in between.
 */
export async function splitText(
  text: string,
  taker: JsonTaker,
  nextTurn: () => Promise<void>,
): Promise<void> {
  const splitter = new JsonSplitter(taker, longestPart)
  for (let at = 0; at < text.length; at += sliceLength) {
    splitter.push(text.slice(at, at + sliceLength))
    await nextTurn()
  }
  splitter.end()
}

/** How much of a text is read before others have their turn, in characters. */
const sliceLength = 65_536

/** Decodes a chunk, or what is left of the last one. */
function decoded(decoder: TextDecoder, chunk: Uint8Array | undefined): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw new SyntaxError('it is not UTF-8')
  }
}

/** Fewer characters than a string may have. */
const longestPart = 2 ** 28

/** Deeper than anything that is read, and no deeper than parsers manage quickly. */
const maxDepth = 100

/** What may come next. */
type Expected =
  | 'value'
  | 'value or end'
  | 'name'
  | 'name or end'
  | 'colon'
  | 'comma or end'
  | 'nothing'

/** What has been begun of a name or value that is given as a whole. */
interface Begun {
  readonly pieces: string[]
  readonly isName: boolean
  length: number
  depth: number
  isInString: boolean
  isEscaped: boolean
}

/** Splits a JSON document that comes in pieces: what its taker opens, it reads itself; all else it gives as text. */
class JsonSplitter {
  readonly #taker: JsonTaker
  readonly #maxPartLength: number
  /** Where the next value stands: names, and the numbers of items. */
  readonly #path: (string | number)[] = []
  /** What each opened one is. */
  readonly #opened: ('object' | 'array')[] = []
  #expected: Expected = 'value'
  #begun: Begun | undefined

  constructor(taker: JsonTaker, maxPartLength: number) {
    this.#taker = taker
    this.#maxPartLength = maxPartLength
  }

  /**
   * Reads on.
   *
   * @throws SyntaxError for what isn't JSON, as far as it is read here; what the taker throws; {@link InputError} for
   * what is nested too deeply, or too long.
   */
  push(text: string): void {
    let at = 0
    while (at < text.length) {
      if (this.#begun !== undefined) at = this.#goOn(this.#begun, text, at)
      else if (isBlank(text.charCodeAt(at))) at++
      else at = this.#step(text, at)
    }
  }

  /** @throws SyntaxError for a document that breaks off. */
  end(): void {
    // A number ends with the document.
    if (this.#begun !== undefined && this.#begun.depth === 0 && !this.#begun.isInString) {
      this.#finish(this.#begun)
    }
    if (this.#expected !== 'nothing') throw new SyntaxError('it breaks off')
  }

  /** Reads what stands between values, or begins one; returns where it goes on. */
  #step(text: string, at: number): number {
    const character = text.charAt(at)
    const expected = this.#expected
    if ((character === '}' || character === ']') && expected.endsWith('or end')) {
      return this.#close(character, at)
    }
    if (character === ',' && expected === 'comma or end') {
      const isObject = this.#opened.at(-1) === 'object'
      this.#expected = isObject ? 'name' : 'value'
      const last = this.#path.length - 1
      if (!isObject) this.#path[last] = Number(this.#path[last]) + 1
      return at + 1
    }
    if (character === ':' && expected === 'colon') {
      this.#expected = 'value'
      return at + 1
    }
    if (character === '"' && expected.startsWith('name')) return this.#begin('name', at)
    if (!expected.startsWith('value')) throw unexpected(character)
    return this.#beginValue(character, at)
  }

  #beginValue(character: string, at: number): number {
    const kind = character === '{' ? 'object' : character === '[' ? 'array' : undefined
    if (kind === undefined || !this.#taker.opens(this.#path, kind)) return this.#begin('value', at)
    this.#opened.push(kind)
    this.#path.push(kind === 'object' ? '' : 0)
    this.#expected = kind === 'object' ? 'name or end' : 'value or end'
    return at + 1
  }

  #begin(what: 'name' | 'value', at: number): number {
    const [isInString, isEscaped] = [false, false]
    this.#begun = {
      pieces: [],
      isName: what === 'name',
      length: 0,
      depth: 0,
      isInString,
      isEscaped,
    }
    return at
  }

  /** Reads on in what is given as a whole; returns where it goes on. */
  #goOn(begun: Begun, text: string, start: number): number {
    const end = endIn(begun, text, start)
    const piece = text.slice(start, end.at)
    begun.length += piece.length
    if (begun.length > this.#maxPartLength) {
      throw new InputError(
        `Cannot read ${this.#place()}: it is longer than ${this.#maxPartLength} characters; use less`,
        [...this.#path],
      )
    }
    begun.pieces.push(piece)
    if (end.isReached) this.#finish(begun)
    return end.at
  }

  #finish({ pieces, isName }: Begun): void {
    this.#begun = undefined
    const text = pieces.join('')
    if (isName) {
      this.#path[this.#path.length - 1] = String(JSON.parse(text))
      this.#expected = 'colon'
    } else {
      this.#expected = this.#opened.length === 0 ? 'nothing' : 'comma or end'
      this.#taker.take(this.#path, text)
    }
  }

  #close(character: string, at: number): number {
    const kind = this.#opened.pop()
    if ((kind === 'object') !== (character === '}')) throw unexpected(character)
    this.#path.pop()
    this.#expected = this.#opened.length === 0 ? 'nothing' : 'comma or end'
    this.#taker.closes(this.#path)
    return at + 1
  }

  #place(): string {
    return this.#path.join('.').slice(0, 100) || 'the document'
  }
}

/** Finds where a name or value ends, if that is in this text. */
function endIn(
  begun: Begun,
  text: string,
  start: number,
): { readonly at: number; readonly isReached: boolean } {
  let at = start
  while (at < text.length) {
    if (begun.isInString) {
      at = skipString(begun, text, at)
      if (!begun.isInString && begun.depth === 0) return { at, isReached: true }
      continue
    }
    const code = text.charCodeAt(at)
    if (code === quote) begun.isInString = true
    else if (code === brace || code === bracket) deepen(begun)
    else if (code === closingBrace || code === closingBracket) {
      // That of what it stands in: a number ends before it.
      if (begun.depth === 0) return { at, isReached: true }
      begun.depth--
      if (begun.depth === 0) return { at: at + 1, isReached: true }
    } else if (begun.depth === 0 && (code === comma || isBlank(code)))
      return { at, isReached: true }
    at++
  }
  return { at, isReached: false }
}

function deepen(begun: Begun): void {
  begun.depth++
  if (begun.depth <= maxDepth) return
  throw new InputError(
    `Cannot read the document: it is nested more than ${maxDepth} levels deep; use fewer`,
  )
}

/** Skips the rest of a string, as far as it is in this text; returns where it goes on. */
function skipString(begun: Begun, text: string, start: number): number {
  const from = begun.isEscaped ? start + 1 : start
  begun.isEscaped = false
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    if (isEscapedAt(text, end, from)) continue
    begun.isInString = false
    return end + 1
  }
  begun.isEscaped = isEscapedAt(text, text.length, from)
  return text.length
}

/** Whether an odd number of backslashes stands before a place. */
function isEscapedAt(text: string, at: number, from: number): boolean {
  let first = at
  while (first > from && text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function unexpected(character: string): SyntaxError {
  return new SyntaxError(`found ${JSON.stringify(character)} where it can't stand`)
}

const quote = 0x22
const comma = 0x2c
const bracket = 0x5b
const backslash = 0x5c
const closingBracket = 0x5d
const brace = 0x7b
const closingBrace = 0x7d
