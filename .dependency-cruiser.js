/** Which file of `src/` may import what (CONTRIBUTING.md, "The code"). */

/**
 * Rooms from the ground up: each imports itself and those before it. The checks stand between the engine, which they
 * watch, and the controls, which show what they found.
 */
const layers = [
  'mock/input',
  'mock/api',
  'mock/faults',
  'mock/log',
  'mock/state',
  'mock/engine',
  'checks/audit',
  'checks/coverage',
  'sandbox/controls',
  'checks/replay',
  'checks/assumptions',
  'checks/calibrate',
  'sandbox',
  'server',
  'cli',
]

/** What layers import beyond that, and the rooms beside the line. */
const beyond = {
  'checks/calibrate': ['checks/reports'],
  sandbox: ['sandbox/seed'],
  server: ['adapters'],
  cli: ['sandbox/seed', 'client', 'checks/reports'],
  'checks/replay': ['checks/reports', 'sandbox/seed'],
  'sandbox/seed': ['mock/input', 'mock/api', 'mock/log', 'mock/state'],
  client: ['mock/input', 'mock/api', 'sandbox/controls'],
  'checks/reports': ['mock/input', 'mock/api', 'checks/audit'],
  adapters: [
    'console/panel',
    'checks/reports',
    'mock/input',
    'mock/api',
    'checks/audit',
    'checks/assumptions',
  ],
  // Of the rooms at the end it uses schemas, of which its forms are made, and the steps to run.
  console: [
    'client',
    'checks/reports',
    'mock/input',
    'mock/api',
    'checks/calibrate',
    'mock/faults',
    'mock/state',
    'sandbox/controls',
    'checks/coverage',
  ],
  'console/panel': ['console', 'sandbox/controls', 'checks/reports', 'mock/input', 'mock/api'],
  // The whole sandbox in a page.
  'console/playground': [
    'console',
    'console/panel',
    'client',
    'adapters',
    'checks/reports',
    'sandbox/seed',
    ...layers.slice(0, layers.indexOf('server')),
  ],
  index: ['sandbox/seed', ...layers.slice(0, layers.indexOf('server'))],
}

/** What rooms know only the types of. */
const typesBeyond = {
  client: ['mock/faults', 'mock/log', 'mock/state'],
  'checks/reports': ['mock/log', 'mock/state'],
  adapters: ['sandbox', 'mock/log', 'mock/state'],
  console: ['checks/audit', 'mock/log'],
  'console/panel': ['sandbox', 'client', 'checks/audit', 'mock/faults', 'mock/log', 'mock/state'],
}

/** The doors that make a sandbox for each test (decisions/006-fixtures-create-sandboxes.md). */
const fixtureDoors = '^src/adapters/fixtures/test-sandbox[.]ts$'

/** All else runs in a browser. */
const hosts =
  '^src/(server|cli)/|^src/adapters/(parts/node/[a-z-]+|express|jest|playwright|vitest)[.]ts$|^src/adapters/fixtures/'

/** Where packages may be imported; no other package is. */
const packages = {
  '@msw/data': '^src/mock/state/pets[.]ts$',
  '@faker-js/faker': '^src/sandbox/seed/',
  msw: '^src/adapters/(msw[a-z-]*[.]ts$|fixtures/)',
  express: '^src/server/app[.]ts$',
  yargs: '^src/cli/',
  'eventsource-parser': '^src/client/event-stream[.]ts$',
  '@playwright/test': '^src/adapters/(playwright[.]ts$|fixtures/playwright/)',
  vitest: '^src/adapters/vitest[.]ts$',
  'jsonc-parser': '^src/cli/',
  diff: '^src/console/parts/diff-view[.]tsx$',
  axios: '^src/console/playground/',
  'axios-retry': '^src/console/playground/',
  saxes: '^src/cli/check/read-junit[.]ts$',
  preact: '^src/(console|panel)/',
  '@preact/signals': '^src/(console|panel)/',
}

/** The panel and the playground are rooms of their own within the console. */
const placeOf = (room) =>
  ({
    sandbox: 'sandbox/[a-z-]+[.]ts',
    client: 'client/(?!actions/)',
    console: 'console/(?!panel/|playground/)',
  })[room] ?? `${room}(/|[.]ts)`
const pathOf = (rooms) => `^src/(${rooms.map(placeOf).join('|')})`
const packageOf = (name) => `node_modules/(@types/)?${name}/`
const rooms = [...new Set([...layers, ...Object.keys(beyond)])]

function layerRule(room) {
  const allowed = [
    ...layers.slice(0, Math.max(0, layers.indexOf(room))),
    room,
    ...(beyond[room] ?? []),
  ]
  const reachable = [...allowed, ...(typesBeyond[room] ?? [])]
  return [
    `${room} imports only ${allowed.join(', ')}`,
    [
      { path: pathOf([room]), pathNot: fixtureDoors },
      { path: '^src/', pathNot: pathOf(reachable) },
    ],
  ]
}

function typesRule([room, types]) {
  return [
    `${room} imports only types of ${types.join(', ')}`,
    [
      { path: pathOf([room]), pathNot: fixtureDoors },
      { path: pathOf(types), dependencyTypesNot: ['type-only'] },
    ],
  ]
}

function packageRule([name, place]) {
  return [`${name} in its place`, [{ pathNot: place }, { path: packageOf(name) }]]
}

/** What is wrong, by its name: imports from the first that lead to the second. */
const wrong = {
  'no circles': [{}, { circular: true }],
  'all is found': [{}, { couldNotResolve: true }],
  'each room has its layer': [{ pathNot: pathOf(rooms) }, {}],
  ...Object.fromEntries([
    ...rooms.map(layerRule),
    ...Object.entries(typesBeyond).map(typesRule),
    ...Object.entries(packages).map(packageRule),
  ]),
  'no other packages': [
    {},
    { path: 'node_modules/', pathNot: Object.keys(packages).map(packageOf) },
  ],
  'Node where it is the host': [{ pathNot: hosts }, { dependencyTypes: ['core'] }],
  'what doors share is in adapters/parts': [
    { pathNot: '^src/(adapters/([^/]+[.]ts$|fixtures/)|console/playground/)' },
    { path: '^src/adapters/[^/]+[.]ts$' },
  ],
  'of other folders fixtures and package.json': [
    { pathNot: '^src/console/playground/' },
    { dependencyTypes: ['local'], pathNot: '^(src|node_modules|fixtures)/|^package[.]json$' },
  ],
  'of other folders the playground has the client to copy': [
    { path: '^src/console/playground/' },
    { dependencyTypes: ['local'], pathNot: '^(src|node_modules|examples/client)/' },
  ],
}

export default {
  forbidden: Object.entries(wrong).map(([name, [from, to]]) => ({
    name,
    severity: 'error',
    from: { path: '^src/', ...from },
    to,
  })),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
}
