import { basePath } from './endpoints.ts'

/**
 * Returns the OpenAPI description of the API, which is loaded on first use.
 *
 * @param serverUrl The base address of the paths, `/v1` included; by default relative to the document's own address.
 */
export async function openApiDocument(
  serverUrl: string = basePath,
): Promise<Readonly<Record<string, unknown>>> {
  const { default: document } = await import('./openapi.yaml')
  const servers = [{ url: serverUrl, description: 'The sandbox that serves this description.' }]
  return { ...document, servers }
}
