import { toJson } from '../../../contract/json/json.ts'
import type { Headers } from '../../../contract/message.ts'
import type { Pace } from '../../../state/clock/pace.ts'
import type { ControlReply } from '../control-route.ts'

/** How long the pieces are at least that are sent of a document, in characters. */
const leastLength = 65_536

/**
 * Makes a reply of a document: a plain one where it is short, else a stream, which is made while its client reads. Others
 * are answered in between.
 *
 * @param document In pieces, which may be empty.
 * @param pace Lets others have their turn while it is made.
 * @param wholeLength How many characters a plain reply may have if they come in several pieces.
 */
export async function documentReply(
  status: number,
  headers: Headers,
  document: Iterable<string>,
  pace: Pace,
  wholeLength = 0,
): Promise<ControlReply> {
  const pieces = joined(document, pace)
  const begun: string[] = []
  let length = 0
  while (begun.length < 2 || length <= wholeLength) {
    const { value, done } = await pieces.next()
    if (done === true) return { kind: 'reply', status, headers, body: begun.join('') }
    begun.push(value)
    length += value.length
  }
  const all = async function* (): AsyncGenerator<string> {
    yield* begun
    yield* pieces
  }
  return { kind: 'stream', status, headers, pieces: all() }
}

/** Joins short pieces, so that each is worth the way, and lets others have their turn. */
async function* joined(pieces: Iterable<string>, pace: Pace): AsyncGenerator<string, undefined> {
  let short: string[] = []
  let length = 0
  for (const piece of pieces) {
    short.push(piece)
    length += piece.length
    const turn = pace()
    // Most pieces are tiny: each would take longer if it waited for nothing.
    if (turn !== undefined) await turn
    if (length < leastLength) continue
    yield short.join('')
    short = []
    length = 0
  }
  if (length > 0) yield short.join('')
}

/** Writes an array as JSON, in pieces; an item that is `undefined` is left out. */
export function* arrayPieces(items: Iterable<unknown>): Generator<string> {
  let before = '['
  for (const item of items) {
    if (item === undefined) {
      yield ''
      continue
    }
    yield before + toJson(item)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** How deep the lists and objects are that are written part by part. */
const levels = 4

/** Writes a value as JSON, in pieces. */
export function* valuePieces(value: unknown, left = levels): Generator<string> {
  if (left === 0 || typeof value !== 'object' || value === null || value instanceof Date) {
    yield toJson(value)
    return
  }
  if (Array.isArray(value)) {
    let before = '['
    for (const item of value) {
      yield before
      yield* valuePieces(item, left - 1)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
    return
  }
  let before = '{'
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* valuePieces(part, left - 1)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}
