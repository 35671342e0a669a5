/** Which file of `src/` may import what (CONTRIBUTING.md, "The code"). */

/** Floors from the ground up: each imports itself and those before it, in this one order. */
const floors = [
  'mock/input',
  'mock/api',
  'mock/faults',
  'mock/log',
  'mock/state',
  'mock/engine',
  'checks',
  'sandbox',
  'client',
  // Its pages, and the panel that adapters show in a page.
  'console/(?!playground/)',
  'adapters',
  'server',
  'cli',
  // A page that has the whole sandbox.
  'console/playground',
]

/** All else runs in a browser. */
const hosts =
  '^src/(server|cli)/|^src/adapters/(parts/node/[a-z-]+|express|jest|playwright|vite|vitest)[.]ts$|^src/adapters/fixtures/'

/** Where packages may be imported; no other package is. */
const packages = {
  '@msw/data': '^src/mock/state/pets[.]ts$',
  '@faker-js/faker': '^src/sandbox/seed/',
  msw: '^src/adapters/(msw[a-z-]*[.]ts$|fixtures/)',
  express: '^src/server/app[.]ts$',
  yargs: '^src/cli/',
  'eventsource-parser': '^src/client/event-stream[.]ts$',
  '@playwright/test': '^src/(adapters/(playwright[.]ts$|fixtures/playwright/)|cli/screenshots/)',
  vitest: '^src/adapters/vitest[.]ts$',
  'jsonc-parser': '^src/cli/',
  diff: '^src/console/parts/diff-view[.]tsx$',
  axios: '^src/console/playground/',
  'axios-retry': '^src/console/playground/',
  saxes: '^src/cli/check/read-junit[.]ts$',
  preact: '^src/(console|panel)/',
  '@preact/signals': '^src/(console|panel)/',
}

const fromFloor = (floor) => `^src/${floor.endsWith(')') ? floor : `${floor}/`}`
const packageOf = (name) => `node_modules/(@types/)?${name}/`

/** What is wrong, by its name: imports from the first that lead to the second. */
const wrong = {
  'no circles': [{}, { circular: true }],
  'all is found': [{}, { couldNotResolve: true }],
  'each file has its floor': [
    { pathNot: ['^src/(index|raw[.]d)[.]ts$', ...floors.map(fromFloor)] },
    {},
  ],
  ...Object.fromEntries(
    floors.map((floor, index) => [
      `${floor} imports nothing above it`,
      [
        { path: fromFloor(floor) },
        { path: ['^src/index[.]ts$', ...floors.slice(index + 1).map(fromFloor)] },
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(packages).map(([name, place]) => [
      `${name} in its place`,
      [{ pathNot: place }, { path: packageOf(name) }],
    ]),
  ),
  'no other packages': [
    {},
    { path: 'node_modules/', pathNot: Object.keys(packages).map(packageOf) },
  ],
  'Node where it is the host': [{ pathNot: hosts }, { dependencyTypes: ['core'] }],
  'what adapters share is in adapters/parts': [
    { path: '^src/adapters/parts/' },
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
