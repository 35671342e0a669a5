import { openApiDocument } from '../../../src/contract/openapi/openapi.ts'
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
export interface ControlRow {
  /** The member of the typed controls that does it; absent where the data is no sandbox's own. */
  readonly member?: string
  readonly run: (context: InProcess) => unknown
  readonly route: RouteName
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/_sandbox`. */
  readonly path: string
  /** The body, or what makes it of the sandbox. */
  readonly json?: string | ((sandbox: Sandbox) => string)
}

const bigId = '9223372036854775807'
const newKey = { key: 'issued-key', plan: 'pro', remaining: { minute: 7 } } as const

/** What the sandbox is, but for its clock. */
function otherSnapshot(sandbox: Sandbox) {
  const clock = { mode: 'frozen', scale: 1, baseAt: startAt + 5_000, anchorAt: startAt }
  return { ...sandbox.snapshot(), clock }
}

/** Everything that can be done, each row with an effect after those before it. */
export const controlRows: readonly ControlRow[] = [
  {
    member: 'capture',
    run: ({ sandbox }) => sandbox.capture(),
    route: 'capture',
    method: 'GET',
    path: '/capture',
  },
  {
    member: 'counterfactual',
    run: ({ sandbox }) => sandbox.counterfactual({ replies: true }),
    route: 'counterfactual',
    method: 'GET',
    path: '/counterfactual?replies=true',
  },
  {
    member: 'whatIf',
    run: ({ sandbox }) => sandbox.whatIf(1, { listOrder: 'id-descending' }),
    route: 'whatIf',
    method: 'POST',
    path: '/requests/1/what-if',
    json: '{"listOrder":"id-descending"}',
  },
  { route: 'health', method: 'GET', path: '/health', run: () => ({ status: 'ok' }) },
  {
    route: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    run: ({ origin }) => openApiDocument(`${origin}/v1`),
  },
  {
    member: 'pets.list',
    run: ({ sandbox }) => sandbox.pets.list(),
    route: 'pets.list',
    method: 'GET',
    path: '/pets',
  },
  {
    member: 'pets.size',
    run: ({ sandbox }) => sandbox.pets.list().slice(0, sandbox.pets.size),
    route: 'pets.list',
    method: 'GET',
    path: '/pets',
  },
  {
    member: 'pets.create',
    run: ({ sandbox }) => sandbox.pets.create({ name: 'Rex', categoryId: 2n ** 62n }),
    route: 'pets.create',
    method: 'POST',
    path: '/pets',
    json: `{"name":"Rex","categoryId":${2n ** 62n}}`,
  },
  {
    member: 'pets.create',
    run: ({ sandbox }) =>
      sandbox.pets.create([{ id: 2n ** 63n - 1n, name: 'Zoë 🐢', categoryId: 1, status: 'sold' }]),
    route: 'pets.create',
    method: 'POST',
    path: '/pets',
    json: `[{"id":${bigId},"name":"Zoë 🐢","categoryId":1,"status":"sold"}]`,
  },
  {
    member: 'pets.get',
    run: ({ sandbox }) => sandbox.pets.get(2n ** 63n - 1n),
    route: 'pets.get',
    method: 'GET',
    path: `/pets/${bigId}`,
  },
  {
    member: 'pets.change',
    run: ({ sandbox }) => sandbox.pets.change(2n ** 63n - 1n, { status: null }),
    route: 'pets.change',
    method: 'PATCH',
    path: `/pets/${bigId}`,
    json: '{"status":null}',
  },
  {
    member: 'pets.delete',
    run: ({ sandbox }) => sandbox.pets.delete(2n ** 63n - 1n),
    route: 'pets.delete',
    method: 'DELETE',
    path: `/pets/${bigId}`,
  },
  {
    member: 'pets.clear',
    run: ({ sandbox }) => sandbox.pets.clear(),
    route: 'pets.clear',
    method: 'DELETE',
    path: '/pets',
  },
  {
    member: 'keys.list',
    run: ({ sandbox }) => sandbox.keys.list(),
    route: 'keys.list',
    method: 'GET',
    path: '/keys',
  },
  {
    member: 'keys.issue',
    run: ({ sandbox }) => sandbox.keys.issue(newKey),
    route: 'keys.issue',
    method: 'POST',
    path: '/keys',
    json: JSON.stringify(newKey),
  },
  {
    member: 'keys.get',
    run: ({ sandbox }) => sandbox.keys.get('issued-key'),
    route: 'keys.get',
    method: 'GET',
    path: '/keys/issued-key',
  },
  {
    member: 'keys.change',
    run: ({ sandbox }) => sandbox.keys.change('issued-key', { plan: 'business', ban: '10m' }),
    route: 'keys.change',
    method: 'PATCH',
    path: '/keys/issued-key',
    json: '{"plan":"business","ban":"10m"}',
  },
  {
    member: 'keys.setRemaining',
    run: ({ sandbox }) => sandbox.keys.setRemaining('issued-key', { minute: 1, day: 2 }),
    route: 'keys.change',
    method: 'PATCH',
    path: '/keys/issued%2dkey',
    json: '{"remaining":{"minute":1,"day":2}}',
  },
  {
    member: 'keys.delete',
    run: ({ sandbox }) => sandbox.keys.delete('issued-key'),
    route: 'keys.delete',
    method: 'DELETE',
    path: '/keys/issued-key',
  },
  {
    member: 'clock.read',
    run: ({ sandbox }) => sandbox.clock.read(),
    route: 'clock.read',
    method: 'GET',
    path: '/clock',
  },
  {
    member: 'clock.now',
    run: ({ sandbox }) => ({ ...sandbox.clock.read(), now: formatInstant(sandbox.clock.now()) }),
    route: 'clock.read',
    method: 'GET',
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
    member: 'faults.add',
    run: ({ sandbox }) => sandbox.faults.add({ fault: 'latency', ms: ['1s', 3000], times: 2 }),
    route: 'faults.add',
    method: 'POST',
    path: '/faults',
    json: '{"fault":"latency","ms":["1s",3000],"times":2}',
  },
  {
    member: 'faults.add',
    run: ({ sandbox }) => sandbox.faults.add([{ fault: 'timeout' }, { fault: 'status' }]),
    route: 'faults.add',
    method: 'POST',
    path: '/faults',
    json: '[{"fault":"timeout"},{"fault":"status"}]',
  },
  {
    member: 'faults.list',
    run: ({ sandbox }) => sandbox.faults.list(),
    route: 'faults.list',
    method: 'GET',
    path: '/faults',
  },
  {
    member: 'faults.remove',
    run: ({ sandbox }) => sandbox.faults.remove(2),
    route: 'faults.remove',
    method: 'DELETE',
    path: '/faults/2',
  },
  {
    member: 'faults.clear',
    run: ({ sandbox }) => sandbox.faults.clear(),
    route: 'faults.clear',
    method: 'DELETE',
    path: '/faults',
  },
  {
    route: 'scenarios',
    method: 'GET',
    path: '/scenarios',
    run: () => scenarioNames.map((name) => ({ name, about: scenarioTexts[name] })),
  },
  {
    member: 'scenario',
    run: ({ sandbox }) => sandbox.scenario('day-limit', { key: 'pro-key' }),
    route: 'scenario',
    method: 'POST',
    path: '/scenario',
    json: '{"name":"day-limit","key":"pro-key"}',
  },
  ...scenarioNames.map(scenarioRow),
  {
    member: 'journal.entries',
    run: ({ sandbox }) => sandbox.journal.entries({ status: 401, since: startAt }),
    route: 'journal.entries',
    method: 'GET',
    path: '/requests?status=401&since=2026-01-01T00:00:00Z',
  },
  {
    member: 'journal.last',
    run: ({ sandbox }) => [sandbox.journal.last({ key: 'free-key' })],
    route: 'journal.entries',
    method: 'GET',
    path: '/requests?limit=1&key=free-key',
  },
  {
    member: 'journal.get',
    run: ({ sandbox }) => sandbox.journal.get(1),
    route: 'journal.get',
    method: 'GET',
    path: '/requests/1',
  },
  {
    member: 'journal.mark',
    run: ({ sandbox }) => sandbox.journal.mark({ kind: 'test-began', name: 'lists pets' }),
    route: 'journal.mark',
    method: 'POST',
    path: '/marks',
    json: '{"kind":"test-began","name":"lists pets"}',
  },
  {
    member: 'journal.marks',
    run: ({ sandbox }) => sandbox.journal.marks(),
    route: 'journal.marks',
    method: 'GET',
    path: '/marks',
  },
  {
    member: 'audit',
    run: async ({ sandbox }) => ({ findings: await sandbox.audit({ oneClient: true }) }),
    route: 'audit',
    method: 'GET',
    path: '/audit?oneClient=true',
  },
  {
    member: 'journal.har',
    run: ({ sandbox, origin }) => sandbox.journal.har({ operation: 'listPets' }, origin),
    route: 'journal.har',
    method: 'GET',
    path: '/requests.har?operation=listPets',
  },
  {
    member: 'journal.clear',
    run: ({ sandbox }) => sandbox.journal.clear(),
    route: 'journal.clear',
    method: 'DELETE',
    path: '/requests',
  },
  {
    member: 'gaps',
    run: ({ sandbox }) => sandbox.gaps,
    route: 'gaps',
    method: 'GET',
    path: '/gaps',
  },
  {
    member: 'setGaps',
    run: ({ sandbox }) => sandbox.setGaps({ banDuration: '1h', listOrder: 'shuffled' }),
    route: 'setGaps',
    method: 'PATCH',
    path: '/gaps',
    json: '{"banDuration":"1h","listOrder":"shuffled"}',
  },
  {
    member: 'rateLimit',
    run: ({ sandbox }) => ({ mode: sandbox.rateLimit }),
    route: 'rateLimit',
    method: 'GET',
    path: '/rate-limit',
  },
  {
    member: 'setRateLimit',
    run({ sandbox }) {
      sandbox.setRateLimit('reported')
      return { mode: sandbox.rateLimit }
    },
    route: 'setRateLimit',
    method: 'PATCH',
    path: '/rate-limit',
    json: '{"mode":"reported"}',
  },
  {
    member: 'snapshot',
    run: ({ sandbox }) => sandbox.snapshot(),
    route: 'snapshot',
    method: 'GET',
    path: '/snapshot',
  },
  {
    member: 'restore',
    run: ({ sandbox }) => sandbox.restore(otherSnapshot(sandbox)),
    route: 'restore',
    method: 'PUT',
    path: '/snapshot',
    json: (sandbox) => JSON.stringify(otherSnapshot(sandbox)),
  },
  {
    member: 'status',
    run: ({ sandbox }) => sandbox.status(),
    route: 'status',
    method: 'GET',
    path: '/status',
  },
  {
    member: 'reset',
    run: ({ sandbox }) => sandbox.reset({ only: ['clock', 'keys'] }),
    route: 'reset',
    method: 'POST',
    path: '/reset',
    json: '{"only":["clock","keys"]}',
  },
  {
    member: 'reseed',
    run: ({ sandbox }) => sandbox.reseed({ pets: [{ id: 5, name: 'Rex', categoryId: 1 }] }),
    route: 'reseed',
    method: 'PUT',
    path: '/seed',
    json: '{"pets":[{"id":5,"name":"Rex","categoryId":1}]}',
  },
  {
    member: 'reset',
    run: ({ sandbox }) => sandbox.reset(),
    route: 'reset',
    method: 'POST',
    path: '/reset',
  },
  {
    route: 'sandboxes.list',
    method: 'GET',
    path: '/sandboxes',
    run: ({ pool, origin }) => pool.names().map((name) => viewOf(name, origin)),
  },
  {
    route: 'sandboxes.create',
    method: 'POST',
    path: '/sandboxes',
    json: '{"name":"other","clock":"2030-12-05"}',
    run: ({ pool, origin }) =>
      viewOf(pool.create({ name: 'other', clock: '2030-12-05' }).name, origin),
  },
  {
    route: 'sandboxes.delete',
    method: 'DELETE',
    path: '/sandboxes/one',
    run: ({ pool }) => pool.delete('one'),
  },
  { route: 'save', method: 'POST', path: '/save', run: () => undefined },
]

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

function clockRow(
  name: string,
  json: object,
  run: (clock: Sandbox['clock']) => unknown,
): ControlRow {
  return {
    member: `clock.${name}`,
    run({ sandbox }) {
      run(sandbox.clock)
      return sandbox.clock.read()
    },
    route: 'clock.change',
    method: 'PATCH',
    path: '/clock',
    json: JSON.stringify(json),
  }
}

function scenarioRow(name: (typeof scenarioNames)[number]): ControlRow {
  return {
    member: 'scenario',
    run: ({ sandbox }) => sandbox.scenario(name),
    route: 'scenario',
    method: 'POST',
    path: '/scenario',
    json: JSON.stringify({ name }),
  }
}
