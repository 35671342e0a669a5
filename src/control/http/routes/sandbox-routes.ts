import { gapSettings, gapView } from '../../../contract/gap-settings.ts'
import { list } from '../../../input/collections.ts'
import { object } from '../../../input/object.ts'
import { string } from '../../../input/values.ts'
import { rateLimitMode, seedSettings } from '../../../state/beginning.ts'
import { snapshotDocument } from '../../../state/snapshot.ts'
import { resetOptions } from '../../controls/controls.ts'
import { scenarioName, scenarioNames, scenarios } from '../../controls/scenarios.ts'
import { none, nothing, orNothing, route } from '../control-route.ts'

const rateLimit = object({ mode: rateLimitMode }, { title: 'rateLimit' })

/** The controls of a sandbox as a whole, and of its gaps. */
export const sandboxRoutes = {
  reset: route({
    method: 'POST',
    path: '/reset',
    tag: 'sandbox',
    summary: 'Go back to the seed, all or a part',
    description:
      'Brings the sandbox back to what it began with, at once; `only` names the parts. What waits for an answer gets it now.',
    params: none,
    query: none,
    body: orNothing(resetOptions),
    reply: nothing,
    run: ({ controls, body }) => controls.reset(body),
  }),
  reseed: route({
    method: 'PUT',
    path: '/seed',
    tag: 'sandbox',
    summary: 'Take another seed',
    description:
      'Puts the pets and keys of the seed in the place of those that there are; a reset comes back to them.',
    params: none,
    query: none,
    body: seedSettings,
    reply: nothing,
    run: ({ controls, body }) => controls.reseed(body),
  }),
  snapshot: route({
    method: 'GET',
    path: '/snapshot',
    tag: 'sandbox',
    summary: 'Save the whole state',
    description: 'Gives the whole state as one document, keys included.',
    params: none,
    query: none,
    body: nothing,
    reply: snapshotDocument,
    run: ({ controls }) => controls.snapshot(),
  }),
  restore: route({
    method: 'PUT',
    path: '/snapshot',
    tag: 'sandbox',
    summary: 'Go on from a saved state',
    description:
      'Every further request is answered as the original sandbox would have; a part that an older snapshot lacks starts fresh.',
    params: none,
    query: none,
    body: snapshotDocument,
    reply: nothing,
    run: ({ controls, body }) => controls.restore(body),
  }),
  scenarios: route({
    method: 'GET',
    path: '/scenarios',
    tag: 'sandbox',
    summary: 'List the ready-made situations',
    description: 'Gives the names of the scenarios, and what each brings about.',
    params: none,
    query: none,
    body: nothing,
    reply: list(object({ name: string, about: string })),
    run: () => scenarioNames.map((name) => ({ name, about: scenarios[name].about })),
  }),
  scenario: route({
    method: 'POST',
    path: '/scenario',
    tag: 'sandbox',
    summary: 'Bring a ready-made situation about',
    description: 'Applies a scenario on top of what there is.',
    params: none,
    query: none,
    body: object({ name: scenarioName }, { title: 'scenario' }),
    reply: nothing,
    run: ({ controls, body }) => controls.scenario(body.name),
  }),
  gaps: route({
    method: 'GET',
    path: '/gaps',
    tag: 'gaps',
    summary: 'Read what is done where the spec leaves something open',
    description: 'Gives the choice in force at each gap.',
    params: none,
    query: none,
    body: nothing,
    reply: gapView,
    run: ({ controls }) => controls.gaps,
  }),
  setGaps: route({
    method: 'PATCH',
    path: '/gaps',
    tag: 'gaps',
    summary: 'Choose what to do where the spec leaves something open',
    description: 'Changes the choices that are given; the others stay.',
    params: none,
    query: none,
    body: gapSettings,
    reply: gapView,
    run: ({ controls, body }) => controls.setGaps(body),
  }),
  rateLimit: route({
    method: 'GET',
    path: '/rate-limit',
    tag: 'sandbox',
    summary: 'Read how limits act',
    description: '`enforced`, or `reported`: quota is counted and shown, and nothing is refused.',
    params: none,
    query: none,
    body: nothing,
    reply: rateLimit,
    run: ({ controls }) => ({ mode: controls.rateLimit }),
  }),
  setRateLimit: route({
    method: 'PATCH',
    path: '/rate-limit',
    tag: 'sandbox',
    summary: 'Enforce limits, or only report them',
    description: '`reported` counts and shows quota, but refuses nothing.',
    params: none,
    query: none,
    body: rateLimit,
    reply: rateLimit,
    run({ controls, body }) {
      controls.setRateLimit(body.mode)
      return { mode: controls.rateLimit }
    },
  }),
} as const
