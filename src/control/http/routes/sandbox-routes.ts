import { gapSettings, gapView } from '../../../contract/gap-settings.ts'
import { list } from '../../../input/collections.ts'
import { object } from '../../../input/object.ts'
import { named, type Schema } from '../../../input/schema.ts'
import { string } from '../../../input/values.ts'
import { rateLimitMode, seedSettings } from '../../../state/beginning.ts'
import { type Snapshot, snapshotDocument } from '../../../state/snapshot.ts'
import { resetOptions } from '../../controls/controls.ts'
import { scenarioName, scenarioNames, scenarios } from '../../controls/scenarios.ts'
import { route } from '../control-route.ts'
import { maxDocumentBytes, none, nothing, orNothing } from '../route-bodies.ts'

const rateLimit = named('RateLimit', object({ mode: rateLimitMode }, { title: 'rateLimit' }))

const snapshot = named('Snapshot', snapshotDocument)

/** What is to be a snapshot, such as JSON of a file. */
const anySnapshot: Schema<unknown, Snapshot> = snapshot

/** The controls of a sandbox as a whole, and of its gaps. */
export const sandboxRoutes = {
  reset: route({
    method: 'POST',
    path: '/reset',
    tag: 'sandbox',
    summary: 'Reset to the seed, fully or in part',
    description:
      'Brings the sandbox back to what it began with, at once; `only` names the parts. What waits for an answer gets it now.',
    params: none,
    query: none,
    body: orNothing(named('ResetOptions', resetOptions)),
    reply: nothing,
    run: ({ controls, body }) => controls.reset(body),
  }),
  reseed: route({
    method: 'PUT',
    path: '/seed',
    tag: 'sandbox',
    summary: 'Replace the seed, and with it all pets and keys',
    description:
      'The pets and keys of the seed replace all others, and a reset returns to them. The rest stays.',
    params: none,
    query: none,
    body: named('Seed', seedSettings),
    maxBytes: maxDocumentBytes,
    reply: nothing,
    run: ({ controls, body }) => controls.reseed(body),
  }),
  snapshot: route({
    method: 'GET',
    path: '/snapshot',
    tag: 'sandbox',
    summary: 'Get the whole state',
    description: 'Gives the whole state as one document, keys included.',
    params: none,
    query: none,
    body: nothing,
    reply: snapshot,
    run: ({ controls }) => controls.snapshot(),
  }),
  restore: route({
    method: 'PUT',
    path: '/snapshot',
    tag: 'sandbox',
    summary: 'Restore a saved state',
    description:
      'Every further request is answered as the original sandbox would have; a part that an older snapshot lacks starts fresh.',
    params: none,
    query: none,
    body: anySnapshot,
    maxBytes: maxDocumentBytes,
    reply: nothing,
    run: ({ controls, body }) => controls.restore(body),
  }),
  scenarios: route({
    method: 'GET',
    path: '/scenarios',
    tag: 'sandbox',
    summary: 'List the ready-made situations',
    description: 'Gives the name of each scenario, and what it changes.',
    params: none,
    query: none,
    body: nothing,
    reply: list(named('Scenario', object({ name: scenarioName, about: string }))),
    run: () => scenarioNames.map((name) => ({ name, about: scenarios[name].about })),
  }),
  scenario: route({
    method: 'POST',
    path: '/scenario',
    tag: 'sandbox',
    summary: 'Set up a ready-made situation',
    description: 'Applies a scenario; what it does not change stays.',
    params: none,
    query: none,
    body: named('ScenarioChoice', object({ name: scenarioName }, { title: 'scenario' })),
    reply: nothing,
    wraps: 'name',
    run: ({ controls, body }) => controls.scenario(body.name),
  }),
  gaps: route({
    method: 'GET',
    path: '/gaps',
    tag: 'gaps',
    summary: 'Get the choices at all gaps',
    description: 'Gives the choice at each gap.',
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
    summary: 'Choose at some gaps',
    description: 'Changes the choices that are given; the others stay.',
    params: none,
    query: none,
    body: named('GapSettings', gapSettings),
    reply: gapView,
    run: ({ controls, body }) => controls.setGaps(body),
  }),
  rateLimit: route({
    method: 'GET',
    path: '/rate-limit',
    tag: 'sandbox',
    summary: 'Get the rate limit mode',
    description: '`enforced`, or `reported`: quota is counted and shown, and nothing is refused.',
    params: none,
    query: none,
    body: nothing,
    reply: rateLimit,
    wraps: 'mode',
    run: ({ controls }) => ({ mode: controls.rateLimit }),
  }),
  setRateLimit: route({
    method: 'PATCH',
    path: '/rate-limit',
    tag: 'sandbox',
    summary:
      'Set the rate limit mode: enforced, or reported (quota is counted and shown, nothing is refused)',
    description: '`reported` counts and shows quota, but refuses nothing.',
    params: none,
    query: none,
    body: rateLimit,
    reply: rateLimit,
    wraps: 'mode',
    run({ controls, body }) {
      controls.setRateLimit(body.mode)
      return { mode: controls.rateLimit }
    },
  }),
} as const
