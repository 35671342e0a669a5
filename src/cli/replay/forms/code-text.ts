/** How long a line may be. */
const width = 96

/**
 * Writes a JSON value as code of JavaScript; integers beyond 2^53 as strings, which sandboxes take for them.
 *
 * @param indent How far the line is indented where it begins.
 */
export function codeText(value: unknown, indent = 0): string {
  const short = flat(value)
  if (short.length + indent <= width || typeof value !== 'object' || value === null) return short
  const inner = indent + 2
  const isList = Array.isArray(value)
  const lines = isList
    ? value.map((one) => codeText(one, inner))
    : members(value).map(([name, one]) => `${nameText(name)}: ${codeText(one, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  const pad = ' '.repeat(inner)
  return `${open}\n${lines.map((line) => `${pad}${line},\n`).join('')}${' '.repeat(indent)}${close}`
}

function flat(value: unknown): string {
  if (typeof value === 'string') return stringText(value)
  if (typeof value === 'bigint') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = members(value).map(([name, one]) => `${nameText(name)}: ${flat(one)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function members(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, one]) => one !== undefined)
}

function nameText(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringText(name)
}

/** In single quotes, whatever is in it. */
function stringText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${escaped.replaceAll("'", "\\'")}'`
}
