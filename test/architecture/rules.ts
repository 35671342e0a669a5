import type { Module } from './module.ts'

/** Says what is wrong in a file. */
type Rule = (module: Module) => string[]

/** A layer imports itself and those before it. */
const layers = [
  'input',
  'contract',
  'faults',
  'state',
  'operations',
  'engine',
  'audit',
  'coverage',
  'control',
  'explore',
  'calibrate',
  'sandbox',
  'server',
  'cli',
]

/** What layers import beyond that, and the layers beside the line. A layer that is built gets its row with it. */
const beyond: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['seed'],
  server: ['adapters', 'at-once'],
  cli: ['seed', 'client'],
  seed: ['seed', 'input', 'contract', 'state'],
  'at-once': ['at-once', 'engine'],
  adapters: ['adapters', 'panel', 'input', 'contract', 'audit', 'explore', 'at-once'],
  client: ['client', 'input', 'contract', 'control'],
  console: ['console', 'client', 'input', 'contract'],
  panel: ['panel', 'console', 'input', 'contract'],
  index: ['seed', ...layers.slice(0, layers.indexOf('server'))],
  node: ['index', 'adapters', 'at-once'],
}

/** What layers may have only the types of, beyond what they import. */
const typesBeyond: Readonly<Record<string, readonly string[]>> = {
  adapters: ['sandbox', 'state'],
  console: ['control', 'audit', 'coverage', 'faults', 'state'],
  panel: ['sandbox', 'control', 'audit', 'faults', 'state'],
}

/** Files outside of `src/` that layers read in. */
const filesOutside: Readonly<Record<string, RegExp>> = {
  seed: /^fixtures\//,
  cli: /^package\.json$/,
}

const hosts =
  /^src\/(?:server|cli)\/|^src\/adapters\/(?:parts\/(?:node\/[a-z-]+|write-node-outcome)|express|jest|playwright|vitest)\.ts$|^src\/adapters\/fixtures\//

/** Where packages may be imported. */
const packages: Readonly<Record<string, RegExp>> = {
  'node:': hosts,
  '@msw/data': /^src\/state\/pet-collection\.ts$/,
  '@faker-js/faker': /^src\/seed\//,
  msw: /^src\/adapters\/(?:msw[a-z-]*\.ts$|fixtures\/)/,
  express: /^src\/server\/app\.ts$/,
  yargs: /^src\/cli\//,
  'eventsource-parser': /^src\/client\/event-stream\.ts$/,
  'proper-lockfile': /^src\/cli\/state\//,
  '@playwright/test': /^src\/adapters\/(?:playwright\.ts$|fixtures\/playwright\/)/,
  vitest: /^src\/adapters\/vitest\.ts$/,
  'jsonc-parser': /^src\/cli\//,
  preact: /^src\/(?:console|panel\/view)\//,
  '@preact/signals': /^src\/(?:console|panel\/view)\//,
}

/** The doors that make a sandbox for each test (decisions/006-doors-that-build-sandboxes.md). */
const fixtureDoors = /^src\/adapters\/(?:jest|playwright|vitest)\.ts$/

/** What shows a sandbox's time to a person waits and measures in real time. */
const timekeepers =
  /^src\/state\/(?:clock|real-time)\.ts$|^src\/(?:server|cli|adapters|console\/live|panel\/view)\//

/** What waits on real time, whatever the sandbox's clock shows: for a connection to go on. */
const timers = new RegExp(
  `${timekeepers.source}|^src/control/http/events\\.ts$|^src/client/event-stream\\.ts$`,
)

/** Where names may be used that not every host has, or that read the time behind the clock's back. */
const names: Readonly<Record<string, RegExp>> = {
  Buffer: hosts,
  process: hosts,
  NodeJS: hosts,
  require: /^$/,
  __dirname: /^$/,
  'Date.now': timekeepers,
  'new Date()': timekeepers,
  performance: timers,
  setTimeout: timers,
  setInterval: timekeepers,
  setImmediate: timekeepers,
}

const vagueNames = /(?:^|\/)(?:utils?|helpers?|common|misc|types?)(?:\.tsx?$|\/)/

function layerOf(path: string): string {
  const [name = ''] = path.replace(/^src\//, '').split(/[/.]/)
  return name.startsWith('sandbox-') ? 'sandbox' : name
}

function mayImport(layer: string): readonly string[] {
  return [...layers.slice(0, layers.indexOf(layer) + 1), ...(beyond[layer] ?? [])]
}

/** Layers import only themselves and those to their left. */
export const keepsToItsLayer: Rule = ({ path, imports }) => {
  const layer = layerOf(path)
  const allowed = mayImport(layer)
  if (allowed.length === 0) return [`${path} is in no layer: use one of ${layers.join(', ')}`]
  return imports
    .filter((one) => one.path?.startsWith('src/'))
    .filter((one) => !allowed.includes(layerOf(one.path ?? '')))
    .filter((one) => !(one.isOfTypes && typesBeyond[layer]?.includes(layerOf(one.path ?? ''))))
    .filter((one) => !(fixtureDoors.test(path) && layerOf(one.path ?? '') === 'sandbox'))
    .map((one) => `${path} imports ${one.from}: ${layer} imports only ${allowed.join(', ')}`)
}

/** Of the files outside of `src/`, the seed reads the fixtures, and the command line `package.json`. */
export const readsNoOtherFiles: Rule = ({ path, imports }) =>
  imports
    .filter((one) => one.path !== undefined && !one.path.startsWith('src/'))
    .filter((one) => filesOutside[layerOf(path)]?.test(one.path ?? '') !== true)
    .map((one) => `${path} imports ${one.from}: it is outside of src/`)

/** What doors share is in `adapters/parts/`, which knows no door; fixtures, and the entries for Node, stand on one. */
export const knowsNoDoor: Rule = ({ path, imports }) =>
  imports
    .filter((one) => isDoor(one.path ?? ''))
    .filter(() => !isDoor(path) && !/^src\/(?:adapters\/fixtures|node)\//.test(path))
    .map((one) => `${path} imports ${one.from}: put what is shared into adapters/parts/`)

/** Whether a file is an entry of the package. */
function isDoor(path: string): boolean {
  return /^src\/adapters\/[^/]+\.ts$/.test(path)
}

/** Each package is imported in one place. */
export const keepsPackagesInTheirPlace: Rule = ({ path, imports }) =>
  imports
    .filter((one) => one.path === undefined)
    .filter(({ from }) => {
      const name = from.startsWith('node:') ? 'node:' : /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0]
      return packages[name ?? '']?.test(path) !== true
    })
    .map((one) => `${path} imports ${one.from}: its place is elsewhere, or it has none yet`)

/** All but the parts of Node run in a browser, and only the clock reads the time. */
export const usesOnlyWhatItsHostHas: Rule = (module) =>
  Object.entries(names)
    .filter(([name, place]) => module.names.has(name) && !place.test(module.path))
    .map(([name]) => `${module.path} uses ${name}: its place is elsewhere`)

/** Nothing outside of functions can change. */
export const remembersNothing: Rule = ({ path, mutables }) =>
  mutables.map((one) => `${path} has ${one} outside of functions: two sandboxes would share it`)

/** Rooms in which the compiler is never told what it can't see. */
const withoutCasts = /^src\/(?:control|operations|engine|faults|audit)\//

/** No type is asserted where a request is answered or a control done. */
export const provesItsTypes: Rule = ({ path, casts }) =>
  withoutCasts.test(path) ? casts.map((cast) => `${path}:${cast}: let the types prove it`) : []

/** There are no default exports. */
export const exportsByName: Rule = ({ path, hasDefaultExport }) =>
  hasDefaultExport ? [`${path} has a default export: name it`] : []

/** File names are kebab-case, and say what the file holds. */
export const isNamedAfterWhatItHolds: Rule = ({ path }) =>
  vagueNames.test(path) ||
  !/^src\/(?:[a-z\d]+(?:-[a-z\d]+)*\/)*[a-z\d]+(?:-[a-z\d]+)*\.tsx?$/.test(path)
    ? [`${path} is no kebab-case name of what the file exports`]
    : []
