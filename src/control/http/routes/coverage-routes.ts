import { coverageReport } from '../../../coverage/coverage-report.ts'
import { route } from '../control-route.ts'
import { none, nothing } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

/** What the clients of a sandbox have been made to face. */
export const coverageRoutes = {
  coverage: route({
    ...routePlaces.coverage,
    tag: 'verdict',
    summary: 'Get what clients have faced, and how to bring about the rest',
    description:
      'Counts the requests to the API since the sandbox was made, resets included; controls never count. Refused if coverage is off.',
    params: none,
    query: none,
    body: nothing,
    reply: coverageReport,
    run: ({ controls }) => controls.coverage(),
  }),
} as const
