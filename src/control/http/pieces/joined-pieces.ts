/** How long pieces that are sent or written are at least, but for the last one, in characters. */
const leastLength = 65_536

/** Joins short pieces of a text, so that each is worth the way. */
export function* joinedPieces(pieces: Iterable<string>): Generator<string, void> {
  let joined: string[] = []
  let length = 0
  for (const piece of pieces) {
    joined.push(piece)
    length += piece.length
    if (length < leastLength) continue
    yield joined.join('')
    joined = []
    length = 0
  }
  if (length > 0) yield joined.join('')
}
