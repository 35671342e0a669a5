/** A text with nothing to escape, as most are: a quicker check than one by the class of characters. */
const plain = /^[\x20-\x7e\xa0-\uffff]*$/

/** Escapes control characters, so that a text stays on one line and can't control the terminal. */
export function printable(text: string): string {
  if (plain.test(text)) return text
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
