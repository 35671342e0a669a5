const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What XML 1.0 can't hold, not even escaped, and more that nobody sees. */
const forbidden = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu

/** Escapes a text for XML and HTML, in elements and in quoted attributes. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(forbidden, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
