import { errorSchema } from '../../contract/error.ts'
import type { JsonSchema } from '../../input/schema.ts'
import { type ControlRoute, controlTags } from './control-route.ts'
import { allRoutes, controlRoutes } from './routes/routes.ts'

/** Describes the control API as OpenAPI 3.1. */
export function controlDocument(origin: string, whose: 'process' | 'sandbox'): JsonSchema {
  const routes: Readonly<Record<string, ControlRoute>> =
    whose === 'process' ? allRoutes : controlRoutes
  return {
    openapi: '3.1.0',
    servers: [{ url: `${origin}/_sandbox` }],
    routes: Object.keys(routes),
    tags: controlTags,
    errorSchema,
  }
}
