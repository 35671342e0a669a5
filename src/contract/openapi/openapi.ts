import { apiDescription, type OpenApiDocument, ownPath } from './api-description.ts'

/**
 * Describes the API in OpenAPI 3.1 (spec 1 to 9).
 *
 * @param serverUrl The address that the paths are under, `/v1` included; by default relative to the document's own.
 */
export function openApiDocument(serverUrl: string = ownPath): OpenApiDocument {
  const { openapi, info, ...rest } = apiDescription
  const servers = [{ url: serverUrl, description: 'The sandbox that serves this description.' }]
  return { openapi, info, servers, ...rest }
}
