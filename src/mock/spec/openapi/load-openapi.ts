/** Loads the OpenAPI description of the API, which is long: only where it is asked for. */
export function loadOpenApi(): Promise<typeof import('./openapi.ts')> {
  return import('./openapi.ts')
}
