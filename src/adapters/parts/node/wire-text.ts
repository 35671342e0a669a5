/**
 * Gives the bytes of a text in UTF-8, each as a character: of a text that has more than ASCII, Node writes that in half the
 * time.
 */
export function wireText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
}

/** Gives what {@link wireText} does, and remembers the latest text that has more than ASCII: pages are asked for again. */
export class LatestWireText {
  #text = ''
  #wire = ''

  readonly of = (text: string): string => {
    if (text === this.#text) return this.#wire
    const wire = wireText(text)
    if (wire.length > text.length) {
      this.#text = text
      this.#wire = wire
    }
    return wire
  }
}
