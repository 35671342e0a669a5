/** Writes a text without characters that a terminal would obey, and on one line. */
export function printable(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
