import { parseJson } from '../../../contract/json/json.ts'
import { hasManyProperties } from '../../../contract/json/json-bounds.ts'
import { type JsonPath, type JsonTaker, splitText } from '../../../contract/json/json-splitter.ts'
import { InputError } from '../../../input/input-error.ts'
import type { NextTurn } from '../control-route.ts'

/**
 * Parses a long JSON text as `parseJson` does, in pieces between which others have their turn.
 *
 * @throws SyntaxError for what isn't JSON, {@link InputError} for more properties than a body of a control could mean.
 */
export async function parseInPieces(text: string, nextTurn: NextTurn): Promise<unknown> {
  const assembler = new Assembler()
  await splitText(text, assembler, nextTurn)
  return assembler.value
}

/** How deep values are put together from their parts; what is deeper is parsed as a whole. */
const levels = 3

/** More properties than any object has that is put together. */
const mostOfObject = 1_000

/** More properties than what is parsed as a whole has in all. */
const mostOfPart = 20_000

/** Puts a document together again from the parts that it is given in. */
class Assembler implements JsonTaker {
  value: unknown
  readonly #parents: { readonly holder: object; count: number }[] = []

  opens(path: JsonPath, kind: 'object' | 'array'): boolean {
    if (path.length >= levels) return false
    const holder = kind === 'object' ? {} : []
    this.#put(path, holder)
    this.#parents.push({ holder, count: 0 })
    return true
  }

  take(path: JsonPath, text: string): void {
    if (hasManyProperties(text, mostOfPart)) throw tooMany(mostOfPart)
    this.#put(path, parseJson(text))
  }

  closes(): void {
    this.#parents.pop()
  }

  #put(path: JsonPath, value: unknown): void {
    const parent = this.#parents.at(-1)
    if (parent === undefined) this.value = value
    else if (Array.isArray(parent.holder)) parent.holder.push(value)
    else {
      parent.count++
      if (parent.count > mostOfObject) throw tooMany(mostOfObject)
      // Not by assignment, to which __proto__ is more than a name.
      const row = { value, enumerable: true, writable: true, configurable: true }
      Object.defineProperty(parent.holder, path.at(-1) ?? '', row)
    }
  }
}

function tooMany(most: number): InputError {
  return new InputError(
    `Cannot read the body: an object in it has more than ${most} properties; send fewer`,
  )
}
