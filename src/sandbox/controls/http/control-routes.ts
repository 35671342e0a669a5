import { auditRoutes, coverageRoutes } from '../audit.ts'
import { clockRoutes } from '../clock.ts'
import { sandboxRoutes } from '../controls.ts'
import { faultRoutes } from '../faults.ts'
import { gapRoutes } from '../gaps.ts'
import { keyRoutes } from '../keys.ts'
import { petRoutes } from '../pets.ts'
import { requestRoutes } from '../requests.ts'
import { processRoutes } from '../sandboxes.ts'
import { scenarioRoutes } from '../scenarios.ts'
import { statusRoutes } from '../status.ts'
import { testRoutes } from '../tests.ts'
import { describingRoutes } from './describing.ts'

/**
 * Routes of all controls of a sandbox, by the names of the typed controls: the route `clock.update` calls
 * `clock.update()`.
 */
export const controlRoutes = {
  ...describingRoutes,
  ...statusRoutes,
  ...sandboxRoutes,
  ...scenarioRoutes,
  ...gapRoutes,
  ...clockRoutes,
  ...petRoutes,
  ...keyRoutes,
  ...faultRoutes,
  ...requestRoutes,
  ...testRoutes,
  ...auditRoutes,
  ...coverageRoutes,
} as const

/** Routes of the controls of every sandbox, and of those that only a server has. */
export const allRoutes = { ...controlRoutes, ...processRoutes } as const
