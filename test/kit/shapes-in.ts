import type { JsonSchema } from './json-arbitraries.ts'

/** The keywords that stand in a line of their own, or that only people read. */
const notBounds =
  /^(?:properties|required|items|additionalProperties|anyOf|oneOf|title|description|examples?)$/

/**
 * Lists the parts of a JSON Schema, one in a line, with types and bounds; a property that may be left out has a question
 * mark.
 *
 * @param place What the schema is called.
 */
export function* shapesIn(schema: JsonSchema, place: string): Generator<string> {
  const bounds = Object.entries(schema)
    .filter(([name, bound]) => !notBounds.test(name) || bound === false)
    .map(([name, bound]) => `${name} ${JSON.stringify(bound)}`)
  yield `${place}: ${bounds.join(', ')}`
  const { properties = {}, required = [], items, additionalProperties: others } = schema
  for (const [name, part] of Object.entries(properties)) {
    yield* shapesIn(part, `${place}.${name}${required.includes(name) ? '' : '?'}`)
  }
  if (items !== undefined) yield* shapesIn(items, `${place}[]`)
  if (typeof others === 'object') yield* shapesIn(others, `${place}.*`)
  for (const [index, one] of (schema.anyOf ?? schema.oneOf ?? []).entries()) {
    yield* shapesIn(one, `${place}|${index}`)
  }
}
