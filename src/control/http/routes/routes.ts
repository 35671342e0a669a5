import { auditRoutes } from './audit-routes.ts'
import { clockRoutes } from './clock-routes.ts'
import { coverageRoutes } from './coverage-routes.ts'
import { describingRoutes } from './describing-routes.ts'
import { faultRoutes } from './fault-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { petRoutes } from './pet-routes.ts'
import { processRoutes } from './process-routes.ts'
import { requestRoutes } from './request-routes.ts'
import { sandboxRoutes } from './sandbox-routes.ts'

/**
 * The controls over HTTP, each under the name that it has among the typed controls: what `clock.change` does in
 * process, the route `clock.change` does.
 */
export const controlRoutes = {
  ...describingRoutes,
  ...sandboxRoutes,
  ...clockRoutes,
  ...petRoutes,
  ...keyRoutes,
  ...faultRoutes,
  ...requestRoutes,
  ...auditRoutes,
  ...coverageRoutes,
} as const

/** The controls of every sandbox, and those that only a process has. */
export const allRoutes = { ...controlRoutes, ...processRoutes } as const

export type RouteName = keyof typeof allRoutes
