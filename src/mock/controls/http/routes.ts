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
 * The controls over HTTP, each under the name that it has among the typed controls: what `clock.update` does in
 * process, the route `clock.update` does.
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

/** The controls of every sandbox, and those that only a process has. */
export const allRoutes = { ...controlRoutes, ...processRoutes } as const
