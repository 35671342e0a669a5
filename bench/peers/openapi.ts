/** What of an OpenAPI document is touched here. */
interface OpenapiDocument {
  readonly paths: { readonly '/pets': { readonly get: Operation; readonly post: Operation } }
}

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { example?: unknown } } }>
  >
}

/** Lays replies into the sandbox's own description as examples, so that Prism answers with them. */
export function withExamples(text: string, pets: readonly unknown[], pet: unknown): unknown {
  const document: OpenapiDocument = JSON.parse(text)
  const { get, post } = document.paths['/pets']
  setExample(get, '200', pets)
  setExample(post, '201', pet)
  return document
}

function setExample({ responses }: Operation, status: string, example: unknown): void {
  const response = responses[status]
  if (response === undefined) throw new RangeError(`Cannot give an example: there is no ${status}`)
  response.content['application/json'].example = example
}
