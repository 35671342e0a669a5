import { openApiDocument } from '../../../../../src/mock/api/openapi.ts'
import { packageVersion } from '../../../../../src/mock/api/package-version.ts'
import { formatInstant } from '../../../../../src/mock/input/values.ts'
import type { ControlRoute } from '../../../../../src/sandbox/controls/http/route.ts'
import { type RouteName, routes } from '../../../../../src/sandbox/controls/http/routes.ts'
import { viewSandbox } from '../../../../../src/sandbox/controls/sandboxes.ts'
import { scenarioNames } from '../../../../../src/sandbox/controls/scenarios.ts'
import type { Sandbox } from '../../../../../src/sandbox/sandbox.ts'
import type { SandboxPool } from '../../../../../src/sandbox/sandbox-pool.ts'

import { startAt } from '../../../../kit/frozen-sandbox.ts'

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
  const clock = { mode: 'frozen', speed: 1, baseAt: startAt + 5_000, anchorAt: startAt }
  return { ...sandbox.snapshot(), clock }
}

const rows: readonly Row[] = [
  row('capture', '/capture', ({ sandbox }) => sandbox.capture()),
  row('whatIf', '/what-if', ({ sandbox }) => sandbox.whatIf({ request: 1, responses: true }), {
    json: '{"request":1,"responses":true}',
  }),
  row('health', '/health', () => ({ status: 'ok', version: packageVersion }), { member: null }),
  row('openapi', '/openapi.json', ({ origin }) => openApiDocument(`${origin}/v1`), {
    member: null,
  }),
  row('pets.list', '/pets', ({ sandbox }) => sandbox.pets.list()),
  row('pets.list', '/pets', ({ sandbox }) => sandbox.pets.list().slice(0, sandbox.pets.size), {
    member: 'pets.size',
  }),
  row(
    'pets.create',
    '/pets',
    ({ sandbox }) => sandbox.pets.create({ name: 'Rex', categoryId: 2n ** 62n }),
    { json: `{"name":"Rex","categoryId":${2n ** 62n}}` },
  ),
  row(
    'pets.create',
    '/pets',
    ({ sandbox }) =>
      sandbox.pets.create([{ id: 2n ** 63n - 1n, name: 'Zoë 🐢', categoryId: 1, status: 'sold' }]),
    { json: `[{"id":${bigId},"name":"Zoë 🐢","categoryId":1,"status":"sold"}]` },
  ),
  row('pets.get', `/pets/${bigId}`, ({ sandbox }) => sandbox.pets.get(2n ** 63n - 1n)),
  row(
    'pets.update',
    `/pets/${bigId}`,
    ({ sandbox }) => sandbox.pets.update(2n ** 63n - 1n, { status: null }),
    { json: '{"status":null}' },
  ),
  row('pets.delete', `/pets/${bigId}`, ({ sandbox }) => sandbox.pets.delete(2n ** 63n - 1n)),
  row('pets.clear', '/pets', ({ sandbox }) => sandbox.pets.clear()),
  row('keys.list', '/keys', ({ sandbox }) => sandbox.keys.list()),
  row('keys.issue', '/keys', ({ sandbox }) => sandbox.keys.issue(newKey), {
    json: JSON.stringify(newKey),
  }),
  row('keys.get', '/keys/issued-key', ({ sandbox }) => sandbox.keys.get('issued-key')),
  row(
    'keys.update',
    '/keys/issued-key',
    ({ sandbox }) => sandbox.keys.update('issued-key', { plan: 'business', ban: '10m' }),
    { json: '{"plan":"business","ban":"10m"}' },
  ),
  row(
    'keys.update',
    '/keys/issued%2dkey',
    ({ sandbox }) => sandbox.keys.setRemaining('issued-key', { minute: 1, day: 2 }),
    { member: 'keys.setRemaining', json: '{"remaining":{"minute":1,"day":2}}' },
  ),
  row('keys.update', '/keys/issued-key', ({ sandbox }) => sandbox.keys.ban('issued-key', '10m'), {
    member: 'keys.ban',
    json: '{"ban":"10m"}',
  }),
  row('keys.update', '/keys/issued-key', ({ sandbox }) => sandbox.keys.unban('issued-key'), {
    member: 'keys.unban',
    json: '{"unban":true}',
  }),
  row(
    'keys.update',
    '/keys/issued-key',
    ({ sandbox }) => sandbox.keys.exhaust('issued-key', 'day'),
    {
      member: 'keys.exhaust',
      json: '{"remaining":{"day":0}}',
    },
  ),
  row('keys.update', '/keys/issued-key', ({ sandbox }) => sandbox.keys.revoke('issued-key'), {
    member: 'keys.revoke',
    json: '{"revoked":true}',
  }),
  row('keys.delete', '/keys/issued-key', ({ sandbox }) => sandbox.keys.delete('issued-key')),
  row('clock.read', '/clock', ({ sandbox }) => sandbox.clock.read()),
  row(
    'clock.read',
    '/clock',
    ({ sandbox }) => ({ ...sandbox.clock.read(), now: formatInstant(sandbox.clock.now()) }),
    { member: 'clock.now' },
  ),
  clockRow('advance', { advance: '61s' }, (clock) => clock.advance('61s')),
  clockRow('set', { set: '2030-12-04T23:59:59Z' }, (clock) => clock.set('2030-12-04T23:59:59Z')),
  clockRow('update', { advance: 1_000, mode: 'frozen' }, (clock) =>
    clock.update({ advance: 1_000, mode: 'frozen' }),
  ),
  clockRow('resume', { mode: 'running' }, (clock) => clock.resume()),
  clockRow('setSpeed', { mode: 'scaled', speed: 60 }, (clock) => clock.setSpeed(60)),
  clockRow('useSystemTime', { mode: 'system' }, (clock) => clock.useSystemTime()),
  clockRow('freeze', { mode: 'frozen' }, (clock) => clock.freeze()),
  row(
    'faults.add',
    '/faults',
    ({ sandbox }) => sandbox.faults.add({ fault: 'latency', ms: ['1s', 3000], times: 2 }),
    { json: '{"fault":"latency","ms":["1s",3000],"times":2}' },
  ),
  row(
    'faults.add',
    '/faults',
    ({ sandbox }) => sandbox.faults.add([{ fault: 'timeout' }, { fault: 'status' }]),
    { json: '[{"fault":"timeout"},{"fault":"status"}]' },
  ),
  row('faults.list', '/faults', ({ sandbox }) => sandbox.faults.list()),
  row('faults.remove', '/faults/2', ({ sandbox }) => sandbox.faults.remove(2)),
  row('faults.clear', '/faults', ({ sandbox }) => sandbox.faults.clear()),
  row('scenarios', '/scenarios?key=pro-key', ({ sandbox }) =>
    sandbox.scenarios({ key: 'pro-key' }),
  ),
  row(
    'scenario',
    '/scenario',
    ({ sandbox }) => sandbox.scenario('day-exhausted', { key: 'pro-key' }),
    {
      json: '{"name":"day-exhausted","key":"pro-key"}',
    },
  ),
  ...scenarioNames.map(scenarioRow),
  row('stopScenario', '/scenario/stop', ({ sandbox }) => sandbox.stopScenario('flaky'), {
    json: '{"name":"flaky"}',
  }),
  row('requests.list', '/requests?status=401&since=2026-01-01T00:00:00Z', ({ sandbox }) =>
    sandbox.requests.list({ status: 401, since: startAt }),
  ),
  row(
    'requests.list',
    '/requests?limit=1&key=free-key',
    ({ sandbox }) => [sandbox.requests.last({ key: 'free-key' })],
    { member: 'requests.last' },
  ),
  row('requests.get', '/requests/1', ({ sandbox }) => sandbox.requests.get(1)),
  row('tests.start', '/tests/start', ({ sandbox }) => sandbox.tests.start('lists pets'), {
    json: '{"name":"lists pets"}',
  }),
  row('tests.end', '/tests/end', ({ sandbox }) => sandbox.tests.end()),
  row('requests.changes', '/changes', ({ sandbox }) => sandbox.requests.changes()),
  row('findings', '/findings?oneClient=true', async ({ sandbox }) => ({
    findings: await sandbox.findings({ oneClient: true }),
  })),
  row('coverage', '/coverage', ({ sandbox }) => sandbox.coverage()),
  row('requests.har', '/requests.har?operation=listPets', ({ sandbox, origin }) =>
    sandbox.requests.har({ operation: 'listPets' }, origin),
  ),
  row('requests.clear', '/requests', ({ sandbox }) => sandbox.requests.clear()),
  row('gaps', '/gaps', ({ sandbox }) => sandbox.gaps),
  row(
    'setGaps',
    '/gaps',
    ({ sandbox }) => sandbox.setGaps({ banDuration: '1h', listOrder: 'shuffled' }),
    { json: '{"banDuration":"1h","listOrder":"shuffled"}' },
  ),
  row('rateLimits', '/rate-limits', ({ sandbox }) => ({ mode: sandbox.rateLimits })),
  row(
    'setRateLimits',
    '/rate-limits',
    ({ sandbox }) => ({ mode: sandbox.setRateLimits('report-only') }),
    { json: '{"mode":"report-only"}' },
  ),
  row('snapshot', '/snapshot', ({ sandbox }) => sandbox.snapshot()),
  row('restore', '/snapshot', ({ sandbox }) => sandbox.restore(otherSnapshot(sandbox)), {
    json: (sandbox) => JSON.stringify(otherSnapshot(sandbox)),
  }),
  row('status', '/status', ({ sandbox }) => sandbox.status()),
  row('reset', '/reset', ({ sandbox }) => sandbox.reset({ only: ['clock', 'keys'] }), {
    json: '{"only":["clock","keys"]}',
  }),
  row(
    'replaceSeed',
    '/seed',
    ({ sandbox }) => sandbox.replaceSeed({ pets: [{ id: 5, name: 'Rex', categoryId: 1 }] }),
    { json: '{"pets":[{"id":5,"name":"Rex","categoryId":1}]}' },
  ),
  row('reset', '/reset', ({ sandbox }) => sandbox.reset()),
  row(
    'sandboxes.list',
    '/sandboxes',
    ({ pool, origin }) => pool.names().map((name) => viewSandbox(name, origin)),
    { member: null },
  ),
  row(
    'sandboxes.create',
    '/sandboxes',
    ({ pool, origin }) =>
      viewSandbox(pool.create({ name: 'other', clock: '2030-12-05' }).name, origin),
    { member: null, json: '{"name":"other","clock":"2030-12-05"}' },
  ),
  row('sandboxes.delete', '/sandboxes/one', ({ pool }) => pool.delete('one'), { member: null }),
  row('saveState', '/state/save', () => undefined, { member: null }),
]

/** Everything that can be done, each row with an effect after those before it. */
export const controlRows: readonly ControlRow[] = rows.map((row) => ({
  member: row.route,
  ...row,
  method: routes[row.route].method,
}))

function row(route: RouteName, path: string, run: Row['run'], more: Partial<Row> = {}): Row {
  return { route, path, run, ...more }
}

function clockRow(name: string, json: object, run: (clock: Sandbox['clock']) => unknown): Row {
  return {
    member: `clock.${name}`,
    run({ sandbox }) {
      run(sandbox.clock)
      return sandbox.clock.read()
    },
    route: 'clock.update',
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
