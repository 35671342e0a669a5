import type { ControlDocument } from '../control-document.ts'

/** Describes the controls that a host has in OpenAPI 3.1. */
export async function describeControls(host: {
  readonly process?: unknown
  readonly origin: string
}): Promise<ControlDocument> {
  const { allControls, ofProcessAlone } = await import('./control-descriptions.ts')
  const { tags, paths, components } = allControls
  const servers = [
    { url: `${host.origin}/_sandbox`, description: 'The sandbox that serves this description.' },
  ]
  if (host.process !== undefined) return { ...allControls, servers }
  return {
    ...allControls,
    servers,
    tags: tags.filter(({ name }) => !ofProcessAlone.tags.includes(name)),
    paths: without(ofProcessAlone.paths, paths),
    components: { ...components, schemas: without(ofProcessAlone.schemas, components.schemas) },
  }
}

function without<Value>(
  names: readonly string[],
  table: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)))
}
