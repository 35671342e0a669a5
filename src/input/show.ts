/** Shows an outside value in a message: on one line, and cut to 60 characters. */
export function show(value: unknown): string {
  const text = toText(value)
  // By characters, so that no surrogate pair is cut in half.
  return text.length > 60 ? `${[...text].slice(0, 57).join('')}...` : text
}

function toText(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 80 ? value.slice(0, 80) : value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value instanceof Date) return `the date ${value.getTime()}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

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
