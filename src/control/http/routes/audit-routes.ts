import { auditOptions } from '../../../audit/audit-options.ts'
import { finding } from '../../../audit/finding.ts'
import { list } from '../../../input/collections.ts'
import { object } from '../../../input/object.ts'
import { named } from '../../../input/schema.ts'
import { route } from '../control-route.ts'
import { none, nothing } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

/** The verdict on the clients. */
export const auditRoutes = {
  audit: route({
    ...routePlaces.audit,
    tag: 'audit',
    summary: 'Get the verdict on the clients',
    description: [
      'Gives the findings on clients, in the order in which they were proved. Resets keep them.',
      'A key that never had two requests under way is judged as one client. Of others,',
      'what one connection was told, the rest are not expected to know,',
      'unless `oneClient` says that each key belongs to a single client.',
    ].join(' '),
    params: none,
    query: auditOptions,
    body: nothing,
    reply: named('Audit', object({ findings: list(finding) })),
    async run({ controls, query }) {
      return { findings: await controls.audit(query) }
    },
  }),
} as const
