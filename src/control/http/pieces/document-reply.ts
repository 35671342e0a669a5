import { toJson } from '../../../contract/int64.ts'
import type { Headers } from '../../../contract/message.ts'
import type { ControlReply } from '../control-route.ts'
import { nextTask } from './next-task.ts'

/** How long the pieces are at least that are sent of a document, in characters. */
const leastLength = 65_536

/** After how many steps others have their turn, even if nothing came of them. */
const mostSteps = 500

/**
 * Makes a reply of a document: a plain one where it is short, else a stream, which is made while its client reads. Others
 * are answered in between.
 *
 * @param document In pieces, which may be empty.
 */
export async function documentReply(
  status: number,
  headers: Headers,
  document: Iterable<string>,
): Promise<ControlReply> {
  const pieces = inTurn(document)
  const first = await pieces.next()
  const second = await pieces.next()
  if (second.done === true) return { kind: 'reply', status, headers, body: first.value ?? '' }
  const all = async function* (): AsyncGenerator<string> {
    yield first.value ?? ''
    yield second.value
    yield* pieces
  }
  return { kind: 'stream', status, headers, pieces: all() }
}

/** Joins short pieces, so that each is worth the way, and lets others have their turn. */
async function* inTurn(pieces: Iterable<string>): AsyncGenerator<string, undefined> {
  let joined: string[] = []
  let length = 0
  let steps = 0
  for (const piece of pieces) {
    joined.push(piece)
    length += piece.length
    steps++
    if (length < leastLength && steps < mostSteps) continue
    steps = 0
    await nextTask()
    if (length < leastLength) continue
    yield joined.join('')
    joined = []
    length = 0
  }
  if (length > 0) yield joined.join('')
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
