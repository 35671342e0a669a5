import { openApiDocument } from '../../../src/contract/openapi/openapi.ts'
import { packageVersion } from '../../../src/contract/package-version.ts'
import type { ControlRoute } from '../../../src/control/http/route.ts'
import { routePlaces } from '../../../src/control/http/route-places.ts'
import type { RouteName } from '../../../src/control/http/routes.ts'
import { scenarioNames, scenarioTexts } from '../../../src/control/scenarios.ts'
import { formatInstant } from '../../../src/input/instant.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import type { SandboxPool } from '../../../src/sandbox-pool.ts'
import { viewOf } from '../../kit/control-host.ts'
import { startAt } from '../../kit/frozen-sandbox.ts'

/** What a control works on in process. */
export interface InProcess {
  readonly sandbox: Sandbox
  readonly pool: SandboxPool
  /** Where the same sandbox would be served. */
  readonly origin: string
}

/** One thing that can be done to a sandbox, in process and over HTTP. */
interface Row {
  /** The member of the typed controls that does it, if not that of the route's name; `null` for data of no sandbox. */
  readonly member?: string | null
  readonly run: (context: InProcess) => unknown
  readonly route: RouteName
  /** Relative to `/_sandbox`. */
  readonly path: string
  /** The body, or what makes it of the sandbox. */
  readonly json?: string | ((sandbox: Sandbox) => string)
}

/** A row, with what its route says. */
export interface ControlRow extends Row {
  readonly member: string | null
  readonly method: ControlRoute<never>['method']
}

const bigId = '9223372036854775807'
const newKey = { key: 'issued-key', plan: 'pro', remaining: { minute: 7 } } as const

/** What the sandbox is, but for its clock. */
function otherSnapshot(sandbox: Sandbox) {
  const clock = { mode: 'frozen', scale: 1, baseAt: startAt + 5_000, anchorAt: startAt }
  return { ...sandbox.snapshot(), clock }
}

const rows: readonly Row[] = [
  {
    run: ({ sandbox }) => sandbox.capture(),
    route: 'capture',
    path: '/capture',
  },
  {
    run: ({ sandbox }) => sandbox.counterfactual({ replies: true }),
    route: 'counterfactual',
    path: '/counterfactual?replies=true',
  },
  {
    run: ({ sandbox }) => sandbox.whatIf(1, { listOrder: 'id-descending' }),
    route: 'whatIf',
    path: '/requests/1/what-if',
    json: '{"listOrder":"id-descending"}',
  },
  {
    member: null,
    route: 'health',
    path: '/health',
    run: () => ({ status: 'ok', version: packageVersion }),
  },
  {
    member: null,
    route: 'openapi',
    path: '/openapi.json',
    run: ({ origin }) => openApiDocument(`${origin}/v1`),
  },
  {
    run: ({ sandbox }) => sandbox.pets.list(),
    route: 'pets.list',
    path: '/pets',
  },
  {
    member: 'pets.size',
    run: ({ sandbox }) => sandbox.pets.list().slice(0, sandbox.pets.size),
    route: 'pets.list',
    path: '/pets',
  },
  {
    run: ({ sandbox }) => sandbox.pets.create({ name: 'Rex', categoryId: 2n ** 62n }),
    route: 'pets.create',
    path: '/pets',
    json: `{"name":"Rex","categoryId":${2n ** 62n}}`,
  },
  {
    run: ({ sandbox }) =>
      sandbox.pets.create([{ id: 2n ** 63n - 1n, name: 'Zoë 🐢', categoryId: 1, status: 'sold' }]),
    route: 'pets.create',
    path: '/pets',
    json: `[{"id":${bigId},"name":"Zoë 🐢","categoryId":1,"status":"sold"}]`,
  },
  {
    run: ({ sandbox }) => sandbox.pets.get(2n ** 63n - 1n),
    route: 'pets.get',
    path: `/pets/${bigId}`,
  },
  {
    run: ({ sandbox }) => sandbox.pets.change(2n ** 63n - 1n, { status: null }),
    route: 'pets.change',
    path: `/pets/${bigId}`,
    json: '{"status":null}',
  },
  {
    run: ({ sandbox }) => sandbox.pets.delete(2n ** 63n - 1n),
    route: 'pets.delete',
    path: `/pets/${bigId}`,
  },
  {
    run: ({ sandbox }) => sandbox.pets.clear(),
    route: 'pets.clear',
    path: '/pets',
  },
  {
    run: ({ sandbox }) => sandbox.keys.list(),
    route: 'keys.list',
    path: '/keys',
  },
  {
    run: ({ sandbox }) => sandbox.keys.issue(newKey),
    route: 'keys.issue',
    path: '/keys',
    json: JSON.stringify(newKey),
  },
  {
    run: ({ sandbox }) => sandbox.keys.get('issued-key'),
    route: 'keys.get',
    path: '/keys/issued-key',
  },
  {
    run: ({ sandbox }) => sandbox.keys.change('issued-key', { plan: 'business', ban: '10m' }),
    route: 'keys.change',
    path: '/keys/issued-key',
    json: '{"plan":"business","ban":"10m"}',
  },
  {
    member: 'keys.setRemaining',
    run: ({ sandbox }) => sandbox.keys.setRemaining('issued-key', { minute: 1, day: 2 }),
    route: 'keys.change',
    path: '/keys/issued%2dkey',
    json: '{"remaining":{"minute":1,"day":2}}',
  },
  {
    run: ({ sandbox }) => sandbox.keys.delete('issued-key'),
    route: 'keys.delete',
    path: '/keys/issued-key',
  },
  {
    run: ({ sandbox }) => sandbox.clock.read(),
    route: 'clock.read',
    path: '/clock',
  },
  {
    member: 'clock.now',
    run: ({ sandbox }) => ({ ...sandbox.clock.read(), now: formatInstant(sandbox.clock.now()) }),
    route: 'clock.read',
    path: '/clock',
  },
  clockRow('advance', { advance: '61s' }, (clock) => clock.advance('61s')),
  clockRow('set', { set: '2030-12-04T23:59:59Z' }, (clock) => clock.set('2030-12-04T23:59:59Z')),
  clockRow('change', { advance: 1_000, mode: 'frozen' }, (clock) =>
    clock.change({ advance: 1_000, mode: 'frozen' }),
  ),
  clockRow('resume', { mode: 'offset' }, (clock) => clock.resume()),
  clockRow('scale', { mode: 'scaled', scale: 60 }, (clock) => clock.scale(60)),
  clockRow('followSystem', { mode: 'system' }, (clock) => clock.followSystem()),
  clockRow('freeze', { mode: 'frozen' }, (clock) => clock.freeze()),
  {
    run: ({ sandbox }) => sandbox.faults.add({ fault: 'latency', ms: ['1s', 3000], times: 2 }),
    route: 'faults.add',
    path: '/faults',
    json: '{"fault":"latency","ms":["1s",3000],"times":2}',
  },
  {
    run: ({ sandbox }) => sandbox.faults.add([{ fault: 'timeout' }, { fault: 'status' }]),
    route: 'faults.add',
    path: '/faults',
    json: '[{"fault":"timeout"},{"fault":"status"}]',
  },
  {
    run: ({ sandbox }) => sandbox.faults.list(),
    route: 'faults.list',
    path: '/faults',
  },
  {
    run: ({ sandbox }) => sandbox.faults.remove(2),
    route: 'faults.remove',
    path: '/faults/2',
  },
  {
    run: ({ sandbox }) => sandbox.faults.clear(),
    route: 'faults.clear',
    path: '/faults',
  },
  {
    member: null,
    route: 'scenarios',
    path: '/scenarios',
    run: () => scenarioNames.map((name) => ({ name, about: scenarioTexts[name] })),
  },
  {
    run: ({ sandbox }) => sandbox.scenario('day-limit', { key: 'pro-key' }),
    route: 'scenario',
    path: '/scenario',
    json: '{"name":"day-limit","key":"pro-key"}',
  },
  ...scenarioNames.map(scenarioRow),
  {
    run: ({ sandbox }) => sandbox.journal.entries({ status: 401, since: startAt }),
    route: 'journal.entries',
    path: '/requests?status=401&since=2026-01-01T00:00:00Z',
  },
  {
    member: 'journal.last',
    run: ({ sandbox }) => [sandbox.journal.last({ key: 'free-key' })],
    route: 'journal.entries',
    path: '/requests?limit=1&key=free-key',
  },
  {
    run: ({ sandbox }) => sandbox.journal.get(1),
    route: 'journal.get',
    path: '/requests/1',
  },
  {
    run: ({ sandbox }) => sandbox.journal.mark({ kind: 'test-began', name: 'lists pets' }),
    route: 'journal.mark',
    path: '/marks',
    json: '{"kind":"test-began","name":"lists pets"}',
  },
  {
    run: ({ sandbox }) => sandbox.journal.marks(),
    route: 'journal.marks',
    path: '/marks',
  },
  {
    run: async ({ sandbox }) => ({ findings: await sandbox.audit({ oneClient: true }) }),
    route: 'audit',
    path: '/audit?oneClient=true',
  },
  {
    run: ({ sandbox, origin }) => sandbox.journal.har({ operation: 'listPets' }, origin),
    route: 'journal.har',
    path: '/requests.har?operation=listPets',
  },
  {
    run: ({ sandbox }) => sandbox.journal.clear(),
    route: 'journal.clear',
    path: '/requests',
  },
  {
    run: ({ sandbox }) => sandbox.gaps,
    route: 'gaps',
    path: '/gaps',
  },
  {
    run: ({ sandbox }) => sandbox.setGaps({ banDuration: '1h', listOrder: 'shuffled' }),
    route: 'setGaps',
    path: '/gaps',
    json: '{"banDuration":"1h","listOrder":"shuffled"}',
  },
  {
    run: ({ sandbox }) => ({ mode: sandbox.rateLimit }),
    route: 'rateLimit',
    path: '/rate-limit',
  },
  {
    run({ sandbox }) {
      sandbox.setRateLimit('reported')
      return { mode: sandbox.rateLimit }
    },
    route: 'setRateLimit',
    path: '/rate-limit',
    json: '{"mode":"reported"}',
  },
  {
    run: ({ sandbox }) => sandbox.snapshot(),
    route: 'snapshot',
    path: '/snapshot',
  },
  {
    run: ({ sandbox }) => sandbox.restore(otherSnapshot(sandbox)),
    route: 'restore',
    path: '/snapshot',
    json: (sandbox) => JSON.stringify(otherSnapshot(sandbox)),
  },
  {
    run: ({ sandbox }) => sandbox.status(),
    route: 'status',
    path: '/status',
  },
  {
    run: ({ sandbox }) => sandbox.reset({ only: ['clock', 'keys'] }),
    route: 'reset',
    path: '/reset',
    json: '{"only":["clock","keys"]}',
  },
  {
    run: ({ sandbox }) => sandbox.reseed({ pets: [{ id: 5, name: 'Rex', categoryId: 1 }] }),
    route: 'reseed',
    path: '/seed',
    json: '{"pets":[{"id":5,"name":"Rex","categoryId":1}]}',
  },
  {
    run: ({ sandbox }) => sandbox.reset(),
    route: 'reset',
    path: '/reset',
  },
  {
    member: null,
    route: 'sandboxes.list',
    path: '/sandboxes',
    run: ({ pool, origin }) => pool.names().map((name) => viewOf(name, origin)),
  },
  {
    member: null,
    route: 'sandboxes.create',
    path: '/sandboxes',
    json: '{"name":"other","clock":"2030-12-05"}',
    run: ({ pool, origin }) =>
      viewOf(pool.create({ name: 'other', clock: '2030-12-05' }).name, origin),
  },
  {
    member: null,
    route: 'sandboxes.delete',
    path: '/sandboxes/one',
    run: ({ pool }) => pool.delete('one'),
  },
  { member: null, route: 'save', path: '/save', run: () => undefined },
]

/** Everything that can be done, each row with an effect after those before it. */
export const controlRows: readonly ControlRow[] = rows.map((row) => ({
  member: row.route,
  ...row,
  method: routePlaces[row.route].method,
}))

/** Routes that have tests of their own: what streams, and what describes the routes themselves. */
export const elsewhere: readonly { readonly route: RouteName; readonly member?: string }[] = [
  { route: 'events', member: 'journal.subscribe' },
  { route: 'events', member: 'journal.subscribeMarks' },
  { route: 'events', member: 'subscribeFindings' },
  { route: 'events', member: 'journal.position' },
  { route: 'events', member: 'journal.next' },
  { route: 'coverage', member: 'coverage' },
  { route: 'controlOpenapi' },
  { route: 'index' },
]

function clockRow(name: string, json: object, run: (clock: Sandbox['clock']) => unknown): Row {
  return {
    member: `clock.${name}`,
    run({ sandbox }) {
      run(sandbox.clock)
      return sandbox.clock.read()
    },
    route: 'clock.change',
    path: '/clock',
    json: JSON.stringify(json),
  }
}

function scenarioRow(name: (typeof scenarioNames)[number]): Row {
  return {
    member: 'scenario',
    run: ({ sandbox }) => sandbox.scenario(name),
    route: 'scenario',
    path: '/scenario',
    json: JSON.stringify({ name }),
  }
}
