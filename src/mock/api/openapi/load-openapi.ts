/** Loads the OpenAPI description of the API on demand, since it is large. */
export function loadOpenApi(): Promise<typeof import('./openapi.ts')> {
  return import('./openapi.ts')
}
