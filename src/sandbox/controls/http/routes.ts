import { namesOf } from '../../../mock/input/record.ts'

/**
 * Method and path of each control, by the name of the typed control. If `unwrap` is set, the typed control accepts and
 * returns the value of this property instead of the whole body. Captures have the calls of controls with `changes`,
 * which change responses and are synchronous. The table is separate, so that clients can import only this.
 */
export const routes = {
  index: { method: 'GET', path: '/' },
  health: { method: 'GET', path: '/health' },
  openapi: { method: 'GET', path: '/openapi.json' },
  controlOpenapi: { method: 'GET', path: '/control.openapi.json' },
  status: { method: 'GET', path: '/status' },
  reset: { method: 'POST', path: '/reset', changes: true },
  replaceSeed: { method: 'PUT', path: '/seed', changes: true },
  snapshot: { method: 'GET', path: '/snapshot' },
  restore: { method: 'PUT', path: '/snapshot', changes: true },
  capture: { method: 'GET', path: '/capture' },
  scenarios: { method: 'GET', path: '/scenarios' },
  scenario: { method: 'POST', path: '/scenario', unwrap: 'name', changes: true },
  stopScenario: { method: 'POST', path: '/scenario/stop', unwrap: 'name', changes: true },
  gaps: { method: 'GET', path: '/gaps' },
  setGaps: { method: 'PATCH', path: '/gaps', changes: true },
  whatIf: { method: 'POST', path: '/what-if' },
  rateLimits: { method: 'GET', path: '/rate-limits', unwrap: 'mode' },
  setRateLimits: { method: 'PATCH', path: '/rate-limits', unwrap: 'mode', changes: true },
  'clock.read': { method: 'GET', path: '/clock' },
  'clock.update': { method: 'PATCH', path: '/clock', changes: true },
  'pets.list': { method: 'GET', path: '/pets' },
  'pets.create': { method: 'POST', path: '/pets', changes: true },
  'pets.clear': { method: 'DELETE', path: '/pets', changes: true },
  'pets.get': { method: 'GET', path: '/pets/{id}' },
  'pets.update': { method: 'PATCH', path: '/pets/{id}', changes: true },
  'pets.delete': { method: 'DELETE', path: '/pets/{id}', changes: true },
  'keys.list': { method: 'GET', path: '/keys' },
  'keys.issue': { method: 'POST', path: '/keys', changes: true },
  'keys.get': { method: 'GET', path: '/keys/{key}' },
  'keys.update': { method: 'PATCH', path: '/keys/{key}', changes: true },
  'keys.delete': { method: 'DELETE', path: '/keys/{key}', changes: true },
  'faults.list': { method: 'GET', path: '/faults' },
  'faults.add': { method: 'POST', path: '/faults', changes: true },
  'faults.clear': { method: 'DELETE', path: '/faults', changes: true },
  'faults.remove': { method: 'DELETE', path: '/faults/{id}', changes: true },
  'requests.list': { method: 'GET', path: '/requests' },
  'requests.clear': { method: 'DELETE', path: '/requests' },
  'requests.changes': { method: 'GET', path: '/changes' },
  'tests.start': { method: 'POST', path: '/tests/start', unwrap: 'name' },
  'tests.end': { method: 'POST', path: '/tests/end' },
  'requests.har': { method: 'GET', path: '/requests.har' },
  'requests.get': { method: 'GET', path: '/requests/{id}' },
  events: { method: 'GET', path: '/events' },
  findings: { method: 'GET', path: '/findings', unwrap: 'findings' },
  coverage: { method: 'GET', path: '/coverage' },
  'sandboxes.list': { method: 'GET', path: '/sandboxes' },
  'sandboxes.create': { method: 'POST', path: '/sandboxes' },
  'sandboxes.delete': { method: 'DELETE', path: '/sandboxes/{name}' },
  saveState: { method: 'POST', path: '/state/save' },
} as const

/** Name of a control over HTTP. */
export type RouteName = keyof typeof routes

type ChangingRoute = {
  [Name in RouteName]: (typeof routes)[Name] extends { readonly changes: true } ? Name : never
}[RouteName]

/** Typed controls that change responses and have no route of their own; a client calls `update` instead. */
const shorthands = [
  'clock.advance',
  'clock.set',
  'clock.freeze',
  'clock.resume',
  'clock.setSpeed',
  'clock.useSystemTime',
  'keys.setRemaining',
] as const

/** Name of a control whose calls captures have. */
export type ChangingControl = ChangingRoute | (typeof shorthands)[number]

/** The controls whose calls captures have. */
export const changingControls: readonly ChangingControl[] = [
  ...shorthands,
  ...namesOf(routes).filter((name): name is ChangingRoute => 'changes' in routes[name]),
]
