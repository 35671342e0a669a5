import { type Plugin, parseSync, Visitor } from 'vite'

/** Properties of schemas that only their JSON Schema is made of. */
const properties: ReadonlySet<string> = new Set(['describe', 'describedAs', 'jsonSchema'])

/** Functions that add to the JSON Schema of what is given last. */
const wrappers: ReadonlySet<string> = new Set(['described', 'named'])

/**
 * Leaves out of schemas what only their descriptions need: the package has the descriptions as they were evaluated at the
 * build, and a page that only reads input needn't load what they are made of.
 *
 * What is left out becomes blank.
 *
 * @param files Where the schemas are.
 */
export function withoutDescriptions(files: RegExp): Plugin {
  return {
    name: 'without-descriptions',
    transform: {
      filter: { id: files, code: /\b(?:describe|described|describedAs|jsonSchema|named)\b/ },
      handler: (code, id) => ({ code: blanked(code, spansIn(code, id)), map: null }),
    },
  }
}

/** Where something begins and ends. */
type Span = readonly [start: number, end: number]

function spansIn(code: string, id: string): Span[] {
  const spans: Span[] = []
  new Visitor({
    Property({ key, start, end }) {
      if (key.type !== 'Identifier' || !properties.has(key.name)) return
      const comma = /^\s*,/.exec(code.slice(end))?.[0] ?? ''
      spans.push([start, end + comma.length])
    },
    CallExpression({ callee, arguments: [about, schema], end }) {
      if (callee.type !== 'Identifier' || !wrappers.has(callee.name)) return
      if (about === undefined || schema === undefined) return
      // `described('A key.', text())` becomes `(text())`.
      spans.push([callee.start, callee.end], [about.start, schema.start], [schema.end, end - 1])
    },
  }).visit(parseSync(id, code).program)
  return spans
}

function blanked(code: string, spans: readonly Span[]): string {
  return spans.reduce(
    (so, [start, end]) =>
      so.slice(0, start) + so.slice(start, end).replace(/\S/g, ' ') + so.slice(end),
    code,
  )
}
