import { gapNames, gaps } from '../../contract/gaps.ts'
import { parseInt64 } from '../../contract/int64.ts'
import { openApiDocument } from '../../contract/openapi.ts'
import { petStatuses } from '../../contract/pet.ts'
import { plans } from '../../contract/plans.ts'
import { faultEffects } from '../../faults/fault-rule.ts'
import { InputError, isRecord, parseOneOf, refuseUnknown, show } from '../../input/input-error.ts'
import { clockModes } from '../../state/clock.ts'
import { type Controls, resetParts } from '../controls/controls.ts'
import { MissingError } from '../controls/missing-error.ts'
import { scenarioNames, scenarios } from '../controls/scenarios.ts'

/** What a control route works on. */
export interface ControlContext {
  readonly controls: Controls
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The body as JSON; `undefined` for none. */
  readonly body: unknown
  /** Where the sandbox is served, such as `http://127.0.0.1:7387`; its API is under its `/v1`. */
  readonly origin: string
}

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** A control over HTTP. */
export interface ControlRoute {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/_sandbox`. */
  readonly path: string
  readonly summary: string
  readonly query?: Readonly<Record<string, Schema>>
  readonly body?: Schema
  /** Of success; 200 by default, and 204 where nothing is given back. */
  readonly status?: 201
  /** Of what is sent back; `application/json` by default. */
  readonly type?: string
  /** What is sent back, as JSON; `undefined` for nothing. */
  run(context: ControlContext): unknown
}

const instant: Schema = {
  oneOf: [{ type: 'string' }, { type: 'number' }],
  description: 'ISO 8601, or Unix milliseconds',
}
const duration: Schema = {
  oneOf: [{ type: 'string' }, { type: 'number' }],
  description: 'Such as 61s, or milliseconds',
}
const int64: Schema = { oneOf: [{ type: 'integer' }, { type: 'string' }], description: 'int64' }
const perWindow: Schema = {
  type: 'object',
  properties: { minute: { type: 'integer' }, day: { type: 'integer' } },
  additionalProperties: false,
}
const object = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
})
const oneOrMany = (item: Schema): Schema => ({ oneOf: [item, { type: 'array', items: item }] })

const petFields = {
  name: { type: 'string' },
  categoryId: int64,
  status: { enum: petStatuses },
} as const
const keyFields = {
  plan: { enum: Object.keys(plans) },
  limits: perWindow,
  expiresAt: instant,
  revoked: { type: 'boolean' },
  remaining: perWindow,
  ban: duration,
} as const
const fault = object(
  {
    fault: { enum: Object.keys(faultEffects) },
    status: { type: 'integer' },
    ms: { description: 'Such as 500, 2s or ["1s", "3s"]' },
    when: { enum: ['before', 'body'] },
    operation: { type: 'string' },
    method: { type: 'string' },
    key: { type: 'string' },
    times: { type: 'integer' },
    after: { type: 'integer' },
    probability: { type: 'number', minimum: 0, maximum: 1 },
  },
  ['fault'],
)
const journalQuery = {
  operation: { type: 'string' },
  method: { type: 'string' },
  status: { description: 'A status, disconnect or timeout' },
  key: { type: 'string' },
  since: instant,
  until: instant,
  after: { type: 'integer' },
  limit: { type: 'integer' },
} as const

/** The controls over HTTP, each of which does what the typed {@link Controls} do. */
export const controlRoutes: readonly ControlRoute[] = [
  {
    name: 'health',
    method: 'GET',
    path: '/health',
    summary: 'Say that it serves',
    run: () => ({ status: 'ok' }),
  },
  {
    name: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'Describe the API of the pet store, as OpenAPI 3.1',
    run: ({ origin }) => openApiDocument(`${origin}/v1`),
  },
  {
    name: 'reset',
    method: 'POST',
    path: '/reset',
    summary: 'Go back to the seed, all or a part',
    body: object({ only: { type: 'array', items: { enum: resetParts } } }),
    run: ({ controls, body }) => controls.reset(body as Parameters<Controls['reset']>[0]),
  },
  {
    name: 'readClock',
    method: 'GET',
    path: '/clock',
    summary: 'Read the clock',
    run: ({ controls }) => controls.clock.read(),
  },
  {
    name: 'changeClock',
    method: 'PATCH',
    path: '/clock',
    summary: 'Move the clock, stop it, or let it run at another pace',
    body: object({
      advance: duration,
      set: instant,
      mode: { enum: clockModes },
      scale: { type: 'number' },
    }),
    run: ({ controls, body }) => controls.clock.change(body as object),
  },
  {
    name: 'listPets',
    method: 'GET',
    path: '/pets',
    summary: 'List all pets',
    query: { status: { enum: petStatuses }, name: { type: 'string' } },
    run: ({ controls, query }) => filterPets(controls, query),
  },
  {
    name: 'createPets',
    method: 'POST',
    path: '/pets',
    summary: 'Add a pet, or an array of them, with ids of your choice if you like',
    body: oneOrMany(object({ id: int64, ...petFields }, ['name', 'categoryId'])),
    status: 201,
    run: ({ controls, body }) => controls.pets.create(body as never),
  },
  {
    name: 'clearPets',
    method: 'DELETE',
    path: '/pets',
    summary: 'Delete all pets',
    run: ({ controls }) => controls.pets.clear(),
  },
  {
    name: 'getPet',
    method: 'GET',
    path: '/pets/{id}',
    summary: 'Get a pet',
    run: ({ controls, params }) => controls.pets.get(idOf(params)),
  },
  {
    name: 'changePet',
    method: 'PATCH',
    path: '/pets/{id}',
    summary: 'Change a pet, such as its status when it is sold',
    body: object({ ...petFields, status: { enum: [...petStatuses, null] } }),
    run: ({ controls, params, body }) => controls.pets.change(idOf(params), body as object),
  },
  {
    name: 'deletePet',
    method: 'DELETE',
    path: '/pets/{id}',
    summary: 'Delete a pet',
    run: ({ controls, params }) => controls.pets.delete(idOf(params)),
  },
  {
    name: 'listKeys',
    method: 'GET',
    path: '/keys',
    summary: 'List the keys, with what they have left',
    run: ({ controls }) => controls.keys.list(),
  },
  {
    name: 'issueKey',
    method: 'POST',
    path: '/keys',
    summary: 'Issue a key',
    body: object({ key: { type: 'string' }, ...keyFields }, ['plan']),
    status: 201,
    run: ({ controls, body }) => controls.keys.issue(body as never),
  },
  {
    name: 'getKey',
    method: 'GET',
    path: '/keys/{key}',
    summary: 'Get a key, with what it has left',
    run: ({ controls, params }) => controls.keys.get(params.key ?? ''),
  },
  {
    name: 'changeKey',
    method: 'PATCH',
    path: '/keys/{key}',
    summary: 'Change a key: its plan, limits, expiry, what it has left; ban or pardon it',
    body: object({
      ...keyFields,
      expiresAt: { anyOf: [instant, { type: 'null' }] },
      pardon: { type: 'boolean' },
    }),
    run: ({ controls, params, body }) => controls.keys.change(params.key ?? '', body as object),
  },
  {
    name: 'deleteKey',
    method: 'DELETE',
    path: '/keys/{key}',
    summary: 'Delete a key',
    run: ({ controls, params }) => controls.keys.delete(params.key ?? ''),
  },
  {
    name: 'listFaults',
    method: 'GET',
    path: '/faults',
    summary: 'List the faults, with what they have done',
    run: ({ controls }) => controls.faults.list(),
  },
  {
    name: 'addFaults',
    method: 'POST',
    path: '/faults',
    summary: 'Let something go wrong: a fault, or an array of them',
    body: oneOrMany(fault),
    status: 201,
    run: ({ controls, body }) => controls.faults.add(body as never),
  },
  {
    name: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Take all faults away',
    run: ({ controls }) => controls.faults.clear(),
  },
  {
    name: 'removeFault',
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'Take a fault away',
    run: ({ controls, params }) => controls.faults.remove(countOf(params, 'fault')),
  },
  {
    name: 'listScenarios',
    method: 'GET',
    path: '/scenarios',
    summary: 'List the ready-made situations',
    run: () => scenarioNames.map((name) => ({ name, about: scenarios[name].about })),
  },
  {
    name: 'applyScenario',
    method: 'POST',
    path: '/scenario',
    summary: 'Bring a ready-made situation about',
    body: object({ name: { enum: scenarioNames } }, ['name']),
    run: ({ controls, body }) => controls.scenario(fieldOf(body, 'name', 'the scenario') as never),
  },
  {
    name: 'listRequests',
    method: 'GET',
    path: '/requests',
    summary: 'List the latest exchanges, with why each was answered so',
    query: journalQuery,
    run: ({ controls, query }) => controls.journal.entries(query as object),
  },
  {
    name: 'clearRequests',
    method: 'DELETE',
    path: '/requests',
    summary: 'Forget the exchanges',
    run: ({ controls }) => controls.journal.clear(),
  },
  {
    name: 'exportRequests',
    method: 'GET',
    path: '/requests.har',
    summary: "Export the exchanges as HAR 1.2, for a browser's developer tools",
    query: journalQuery,
    run: ({ controls, query, origin }) => controls.journal.har(query as object, origin),
  },
  {
    name: 'getRequest',
    method: 'GET',
    path: '/requests/{id}',
    summary: 'Get one exchange',
    run: ({ controls, params }) => controls.journal.get(countOf(params, 'request')),
  },
  {
    name: 'readGaps',
    method: 'GET',
    path: '/gaps',
    summary: 'Read what is done where the spec leaves something open',
    run: ({ controls }) => controls.gaps,
  },
  {
    name: 'changeGaps',
    method: 'PATCH',
    path: '/gaps',
    summary: 'Choose what to do where the spec leaves something open',
    body: object(
      Object.fromEntries(gapNames.map((name) => [name, { description: gaps[name].about }])),
    ),
    run: ({ controls, body }) => controls.setGaps(body as object),
  },
  {
    name: 'readRateLimit',
    method: 'GET',
    path: '/rate-limit',
    summary: 'Read how limits act',
    run: ({ controls }) => ({ mode: controls.rateLimit }),
  },
  {
    name: 'changeRateLimit',
    method: 'PATCH',
    path: '/rate-limit',
    summary: 'enforced, or reported: count and show quota, but refuse nothing',
    body: object({ mode: { enum: ['enforced', 'reported'] } }, ['mode']),
    run({ controls, body }) {
      controls.setRateLimit(fieldOf(body, 'mode', 'the rate limit') as never)
      return { mode: controls.rateLimit }
    },
  },
  {
    name: 'reseed',
    method: 'PUT',
    path: '/seed',
    summary: 'Take another seed: its pets and keys come in the place of those that there are',
    body: object({ pets: { type: 'array' }, keys: { type: 'array' } }),
    run: ({ controls, body }) => controls.reseed(body as object),
  },
  {
    name: 'takeSnapshot',
    method: 'GET',
    path: '/snapshot',
    summary: 'Save the whole state',
    run: ({ controls }) => controls.snapshot(),
  },
  {
    name: 'restoreSnapshot',
    method: 'PUT',
    path: '/snapshot',
    summary: 'Go on from a saved state',
    body: { type: 'object' },
    run: ({ controls, body }) => controls.restore(body as never),
  },
]

function idOf({ id = '' }: Readonly<Record<string, string>>) {
  const found = parseInt64(id)
  if (found !== undefined) return found
  throw new MissingError(`Cannot find pet ${show(id)}: an id is an int64`)
}

function countOf({ id = '' }: Readonly<Record<string, string>>, what: string): number {
  if (/^\d{1,15}$/.test(id)) return Number(id)
  throw new MissingError(`Cannot find ${what} ${show(id)}: an id is a whole number`)
}

function fieldOf(body: unknown, name: string, what: string): unknown {
  if (!isRecord(body)) {
    throw new InputError(`Cannot set ${what}: found ${show(body)}; use an object with ${name}`)
  }
  refuseUnknown(body, [name], what)
  return body[name]
}

function filterPets({ pets }: Controls, query: Readonly<Record<string, string>>) {
  const status =
    query.status === undefined ? undefined : parseOneOf(query.status, petStatuses, 'status')
  return pets
    .list()
    .filter((pet) => status === undefined || pet.status === status)
    .filter((pet) => query.name === undefined || pet.name === query.name)
}
