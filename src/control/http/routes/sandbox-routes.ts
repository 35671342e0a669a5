import { gapSettings } from '../../../contract/gap-settings.ts'
import { list } from '../../../input/collections.ts'
import { object } from '../../../input/object.ts'
import { named, type Schema } from '../../../input/schema.ts'
import { string } from '../../../input/values.ts'
import { rateLimitMode, seedSettings } from '../../../state/beginning.ts'
import { type Snapshot, snapshotDocument } from '../../../state/state.ts'
import { resetOptions } from '../../controls/controls.ts'
import { scenarioName, scenarioNames, scenarioOptions } from '../../controls/scenarios.ts'
import { captureFile } from '../../reports/capture-file.ts'
import {
  counterfactualOptions,
  counterfactualReport,
  whatIfReport,
} from '../../reports/counterfactual-report.ts'
import { gapView } from '../../views/gap-view.ts'
import { scenarioTexts } from '../../views/scenario-texts.ts'
import { statusView } from '../../views/status-view.ts'
import { route } from '../control-route.ts'
import { idInPath, maxDocumentBytes, none, nothing, orNothing } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

const rateLimit = named('RateLimit', object({ mode: rateLimitMode }, { title: 'rateLimit' }))

const snapshot = named('Snapshot', snapshotDocument)

const scenarioChoice = object(
  { name: scenarioName, ...scenarioOptions.properties },
  { title: 'scenario' },
)

/** What is to be a snapshot, such as JSON of a file. */
const anySnapshot: Schema<unknown, Snapshot> = snapshot

/** The controls of a sandbox as a whole, and of its gaps. */
export const sandboxRoutes = {
  status: route({
    ...routePlaces.status,
    tag: 'sandbox',
    summary: 'See where it stands: clock, limits, keys, faults, changed gaps, latest requests',
    description:
      'Gives at a glance, at one moment, what the other controls give one by one; long lists are cut short.',
    params: none,
    query: none,
    body: nothing,
    reply: statusView,
    async run({ controls }) {
      // Whoever asks for the status asks for a verdict, too.
      await controls.audit()
      return controls.status()
    },
  }),
  reset: route({
    ...routePlaces.reset,
    tag: 'sandbox',
    summary: 'Reset to the seed, fully or in part',
    description:
      'Brings the sandbox back to what it began with, at once; `only` names the parts. Waiting requests end at once.',
    params: none,
    query: none,
    body: orNothing(named('ResetOptions', resetOptions)),
    reply: nothing,
    run: ({ controls, body }) => controls.reset(body),
  }),
  reseed: route({
    ...routePlaces.reseed,
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
    ...routePlaces.snapshot,
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
    ...routePlaces.restore,
    tag: 'sandbox',
    summary: 'Restore a saved state',
    description: 'Further requests are answered as the original sandbox would have answered them.',
    params: none,
    query: none,
    body: anySnapshot,
    maxBytes: maxDocumentBytes,
    reply: nothing,
    run: ({ controls, body }) => controls.restore(body),
  }),
  capture: route({
    ...routePlaces.capture,
    tag: 'sandbox',
    summary: 'Get everything that was done to the sandbox, to replay it',
    description:
      'Gives how the sandbox began, and each request and control since, with other names for its keys. Beyond 8 MiB it begins in the middle, as `earlier` says; refused where the sandbox holds too much for that.',
    params: none,
    query: none,
    body: nothing,
    reply: captureFile,
    run: ({ controls }) => controls.capture(),
  }),
  scenarios: route({
    ...routePlaces.scenarios,
    tag: 'sandbox',
    summary: 'List the ready-made situations',
    description: 'Gives the name of each scenario, and what it changes.',
    params: none,
    query: none,
    body: nothing,
    reply: list(named('Scenario', object({ name: scenarioName, about: string }))),
    run: () => scenarioNames.map((name) => ({ name, about: scenarioTexts[name] })),
  }),
  scenario: route({
    ...routePlaces.scenario,
    tag: 'sandbox',
    summary: 'Set up a ready-made situation',
    description: 'Applies a scenario, to all keys or to one; what it does not change stays.',
    params: none,
    query: none,
    body: named('ScenarioChoice', scenarioChoice),
    reply: nothing,
    run: ({ controls, body: { name, ...options } }) => controls.scenario(name, options),
  }),
  gaps: route({
    ...routePlaces.gaps,
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
    ...routePlaces.setGaps,
    tag: 'gaps',
    summary: 'Choose at some gaps',
    description: 'Changes the choices that are given; the others stay.',
    params: none,
    query: none,
    body: named('GapSettings', gapSettings),
    reply: gapView,
    run: ({ controls, body }) => controls.setGaps(body),
  }),
  counterfactual: route({
    ...routePlaces.counterfactual,
    tag: 'gaps',
    summary: 'Tell which other choices would have changed a reply',
    description:
      'Replays the requests since the sandbox began, once for each other choice at each gap, and says which reply would first have differed. Beyond 8 MiB it begins in the middle, as `earlier` says; refused where the sandbox holds too much for that.',
    params: none,
    query: counterfactualOptions,
    body: nothing,
    reply: counterfactualReport,
    run: ({ controls, query, owner }) => controls.counterfactual(query, owner),
  }),
  whatIf: route({
    ...routePlaces.whatIf,
    tag: 'gaps',
    summary: 'Tell what other choices would have made of a request',
    description:
      'Replays what came before the request, and then the request, as it was and with these choices at the gaps; changes nothing. Refused once what came before is forgotten.',
    params: object({ id: idInPath("The exchange's id.") }, { title: 'request' }),
    query: none,
    body: gapSettings,
    reply: whatIfReport,
    run: ({ controls, params, body, owner }) => controls.whatIf(params.id, body, owner),
  }),
  rateLimit: route({
    ...routePlaces.rateLimit,
    tag: 'sandbox',
    summary: 'Get the rate limit mode',
    description: '`enforced`, or `reported`: quota is counted and shown, and nothing is refused.',
    params: none,
    query: none,
    body: nothing,
    reply: rateLimit,
    run: ({ controls }) => ({ mode: controls.rateLimit }),
  }),
  setRateLimit: route({
    ...routePlaces.setRateLimit,
    tag: 'sandbox',
    summary:
      'Set the rate limit mode: enforced, or reported (quota is counted and shown, nothing is refused)',
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
