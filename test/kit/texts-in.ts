/** The properties of a description that are for people. */
const forPeople = new Set(['title', 'summary', 'description', 'example', 'examples'])

/** Lists what an OpenAPI description says to people, each text once, with the name of what it is said of. */
export function textsIn(description: unknown): string[] {
  return [...new Set(linesIn(description, []))]
}

function* linesIn(value: unknown, path: readonly string[]): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    // A property of a body may have such a name, too.
    const isSaid = forPeople.has(name) && path.at(-1) !== 'properties'
    if (isSaid) yield `${path.slice(-2).join('.')} ${name}: ${JSON.stringify(one)}`
    else yield* linesIn(one, [...path, name])
  }
}
