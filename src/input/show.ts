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
