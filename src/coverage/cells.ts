import { endpoints, type OperationName, operationNames } from '../contract/endpoints.ts'
import { formatChoice, type Gap, type GapName, gapNames, gaps } from '../contract/gaps.ts'
import {
  type EndpointDescription,
  endpointDescriptions,
  newPetProperties,
  sharedRefusals,
} from '../contract/openapi/descriptions.ts'
import { petStatuses } from '../contract/pet.ts'
import { type FaultName, faultKinds } from '../faults/fault-rules.ts'
import { mapTable, namesOf } from '../input/record.ts'
import type { TierName } from './coverage-report.ts'

/** One thing that a client can be made to face. */
export interface Cell {
  /** Such as `listPets 429`; unique within its tier. */
  readonly cell: string
  /**
   * A line that brings it about: JavaScript in which `sandbox` is the sandbox, and `client(key)` stands for the client
   * with a key, by default a valid one.
   */
  readonly how: string
}

/** How a client calls each operation so that it is served; `client` stands for it. */
const calls = {
  listPets: 'await client().listPets()',
  createPet: "await client().createPet({ name: 'Rex', categoryId: 1 })",
  getPet: 'await client().getPet(1)',
  listOrders: 'await client().listOrders()',
} as const satisfies Readonly<Record<OperationName, string>>

/** Writes a value as JavaScript, on one line. */
function code(value: unknown): string {
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  }
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = Object.entries(value).map(([name, part]) => `${nameOf(name)}: ${code(part)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : code(name)
}

/** Writes the line of a fault that strikes the next request, and a request for it to strike. */
function underFault(fault: object, operation: OperationName): string {
  return `sandbox.faults.add(${code({ ...fault, times: 1 })}); ${calls[operation]}`
}

/** How an operation comes to refuse, by status; any other can be injected. */
const refused: Readonly<Record<number, { readonly [Name in OperationName]?: string }>> = {
  400: { createPet: "await client().createPet({ name: 'Rex' })" },
  404: { getPet: 'await client().getPet(999)' },
}

/** The replies that the interface documents: those whose description names its clause (spec 4, 7). */
const outcomeCells: readonly Cell[] = operationNames.flatMap((operation) =>
  documentedStatuses(operation).map((status) => ({
    cell: `${operation} ${status}`,
    how: howTo(operation, status),
  })),
)

/** The statuses that the interface shows of an operation; none where it shows no success. */
function documentedStatuses(operation: OperationName): readonly number[] {
  const { success, refusals }: EndpointDescription = endpointDescriptions[operation]
  if (success.documented === undefined) return []
  const all: EndpointDescription['refusals'] = { ...sharedRefusals, ...refusals }
  const refused = Object.entries(all).filter(([, { documented }]) => documented !== undefined)
  return [success.status, ...refused.map(([status]) => Number(status))]
}

function howTo(operation: OperationName, status: number): string {
  const own = refused[status]?.[operation]
  if (own !== undefined) return own
  if (status === 401) return calls[operation].replace('client()', "client('unknown-key')")
  if (status === 429) {
    return `sandbox.keys.setRemaining('free-key', { minute: 0 }); ${calls[operation]}`
  }
  const isSuccess = status === endpointDescriptions[operation].success.status
  return isSuccess
    ? calls[operation]
    : underFault({ fault: 'status', status, operation }, operation)
}

/** The choices that requests have at a parameter or property, each with the name of its cell. */
export interface ValueChoices {
  readonly operation: OperationName
  readonly place: 'query' | 'body'
  readonly name: string
  readonly absent: string
  /** By what is sent. */
  readonly sent: Readonly<Record<string, string>>
  /** Any other number between two. */
  readonly other?: { readonly cell: string; readonly above: number; readonly below: number }
}

type JsonSchema = Readonly<Record<string, unknown>>

/** The choices of requests: at each parameter of a query, and at each optional property of a new pet (spec 4). */
export const valueChoices: readonly ValueChoices[] = operationNames.flatMap((operation) => {
  const { query, takes, success }: EndpointDescription = endpointDescriptions[operation]
  if (success.documented === undefined) return []
  const ofQuery = Object.entries(query).map(([name, { schema }]) =>
    choicesAt({ operation, place: 'query', name }, schema),
  )
  // The only property of a new pet that may be left out.
  const place = { operation, place: 'body', name: 'status' } as const
  return takes === undefined ? ofQuery : [...ofQuery, choicesAt(place, newPetProperties.status)]
})

/** The choices that a schema lists, or its bounds and what is between them. */
function choicesAt(
  place: Pick<ValueChoices, 'operation' | 'place' | 'name'>,
  { $ref, minimum, maximum }: JsonSchema,
): ValueChoices {
  const value = `${place.operation} ${place.name}`
  const cellsOfChoices = (choices: readonly unknown[]): ValueChoices => ({
    ...place,
    absent: `${value} absent`,
    sent: Object.fromEntries(choices.map((choice) => [String(choice), `${value}=${choice}`])),
  })
  if ($ref === '#/components/schemas/PetStatus') return cellsOfChoices(petStatuses)
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return cellsOfChoices([])
  const other = { cell: `${value} in between`, above: minimum, below: maximum }
  return { ...cellsOfChoices([minimum, maximum]), other }
}

/** What answers may be like. */
const answers = [
  { cell: 'listPets empty', how: 'sandbox.pets.clear(); await client().listPets()' },
  { cell: 'listPets cut', how: 'await client().listPets({ limit: 1 })' },
  {
    cell: 'id above 2^53',
    how: `sandbox.setGaps({ idSequence: 'large' }); ${calls.createPet}`,
  },
] as const satisfies readonly Cell[]

/** The cell of what an answer may be like. */
export type AnswerCell = (typeof answers)[number]['cell']

/** What a request may choose, and what an answer may be like (spec 2, 4). */
const valueCells: readonly Cell[] = [...valueChoices.flatMap(cellsOf), ...answers]

function cellsOf({ operation, name, absent, sent, other }: ValueChoices): readonly Cell[] {
  const call = (value: string | number): string => callWith(operation, name, value)
  const ofSent = Object.entries(sent).map(([value, cell]) => ({
    cell,
    how: call(other === undefined ? value : Number(value)),
  }))
  const between = other === undefined ? [] : [{ cell: other.cell, how: call(other.above + 1) }]
  return [{ cell: absent, how: calls[operation] }, ...ofSent, ...between]
}

/** The call of an operation with a query parameter, or with another property. */
function callWith(operation: OperationName, name: string, value: string | number): string {
  const given = code({ [name]: value })
  const call = calls[operation]
  return call.endsWith('()')
    ? call.replace(/\(\)$/, `(${given})`)
    : call.replace(' })', `, ${given.slice(2)})`)
}

const { sunsetAt } = endpoints.getPet.deprecated

const sunset = new Date(sunsetAt).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** What a client has to live through, besides faults (spec 4.3, 5, 8). */
const situations = {
  lastOfMinute: {
    cell: 'last request of a window',
    how: `sandbox.keys.setRemaining('free-key', { minute: 1 }); ${calls.listPets}`,
  },
  byMinute: {
    cell: '429 by minute',
    how: `sandbox.keys.setRemaining('free-key', { minute: 0 }); ${calls.listPets}`,
  },
  byDay: {
    cell: '429 by day',
    how: `sandbox.keys.setRemaining('free-key', { day: 0 }); ${calls.listPets}`,
  },
  afterWait: {
    cell: 'served again after 429',
    how: `sandbox.keys.setRemaining('free-key', { minute: 0 }); ${calls.listPets}; sandbox.clock.advance('1m'); ${calls.listPets}`,
  },
  banned: {
    cell: 'banned',
    how: `sandbox.keys.change('free-key', { ban: '5m' }); ${calls.listPets}`,
  },
  afterBan: {
    cell: 'served again after a ban',
    how: `sandbox.keys.change('free-key', { ban: '5m' }); ${calls.listPets}; sandbox.clock.advance('6m'); ${calls.listPets}`,
  },
  keyMissing: {
    cell: 'key missing',
    how: calls.listPets.replace('client()', 'client(null)'),
  },
  keyUnknown: {
    cell: 'key unknown',
    how: calls.listPets.replace('client()', "client('unknown-key')"),
  },
  keyExpired: {
    cell: 'key expired',
    how: `sandbox.keys.change('free-key', { expiresAt: sandbox.clock.now() }); ${calls.listPets}`,
  },
  keyRevoked: {
    cell: 'key revoked',
    how: `sandbox.keys.change('free-key', { revoked: true }); ${calls.listPets}`,
  },
  deprecated: {
    cell: 'deprecation announced',
    how: calls.getPet,
  },
  removed: {
    cell: 'operation removed',
    how: `sandbox.clock.set('${sunset}'); ${calls.getPet}`,
  },
  replyLost: {
    cell: 'createPet took effect, reply lost',
    how: underFault({ fault: 'disconnect', operation: 'createPet' }, 'createPet'),
  },
} as const satisfies Readonly<Record<string, Cell>>

/** The cell of a situation that is no fault. */
export type Situation = (typeof situations)[keyof typeof situations]['cell']

/** The settings with which each kind of fault is tried. */
const settings: Readonly<Record<FaultName, object>> = {
  status: { status: 503 },
  latency: { ms: '1s' },
  'rate-limit': {},
  disconnect: {},
  timeout: {},
  'malformed-json': {},
  'truncated-body': {},
  'slow-body': { ms: '1s' },
}

/** What a client has to live through, each kind of fault included. */
const situationCells: readonly Cell[] = [
  ...Object.values(situations),
  ...namesOf(faultKinds).map((fault) => ({
    cell: `fault ${fault}`,
    how: underFault({ fault, ...settings[fault] }, 'listPets'),
  })),
]

const { createPet, listPets, getPet } = calls
const create = (body: string): string => `await client().createPet(${body})`
const list = (query: string): string => `await client().listPets(${query})`
const get = (path: string): string => `await client().get('${path}')`
const limited = "sandbox.keys.setRemaining('free-key', { minute: 0 }); "
const banned = "sandbox.keys.change('free-key', { ban: '1m' }); "

/** A request to which the choice at a gap matters. */
const requests: Readonly<Record<GapName, string>> = {
  omittedStatus: createPet,
  nullStatus: create("{ name: 'Rex', categoryId: 1, status: null }"),
  emptyName: create("{ name: '', categoryId: 1 }"),
  unknownProperties: create("{ name: 'Rex', categoryId: 1, color: 'red' }"),
  unknownCategory: create("{ name: 'Rex', categoryId: 999 }"),
  idSequence: createPet,
  missingContentType:
    "await client().createPet({ name: 'Rex', categoryId: 1 }, { 'content-type': undefined })",
  listOrder: listPets,
  invalidQuery: list('{ limit: 0 }'),
  repeatedQuery: get('/pets?limit=1&limit=2'),
  unknownQuery: list("{ color: 'red' }"),
  invalidPetId: "await client().getPet('x')",
  deprecatedSince: getPet,
  deprecationHeaders: getPet,
  afterSunset: `sandbox.clock.set('2030-12-05'); ${getPet}`,
  storeOrders: calls.listOrders,
  trailingSlash: get('/pets/'),
  unknownRouteWithoutKey: "await client(null).get('/nowhere')",
  unauthorizedQuota: listPets.replace('client()', 'client(null)'),
  unauthorizedLimit: listPets.replace('client()', 'client(null)'),
  errorCodes: 'await client().getPet(999)',
  quotaWindow: listPets,
  reportedWindow: listPets,
  countedRequests: 'await client().getPet(999)',
  retryAfterFormat: `${limited}${listPets}`,
  banAfter: `${limited}${listPets}`,
  banDuration: `${limited}for (let n = 0; n < 20; n++) ${listPets}`,
  banStatus: `${banned}${listPets}`,
  duplicateProperties: createPet,
  integerForms: createPet,
  deprecationOn: 'await client().getPet(999)',
  sunsetInstant: getPet,
  bearerScheme: "await client().get('/pets', { authorization: 'bearer free-key' })",
  refusalOrder: `${limited}${listPets}`,
  retryAfterPrecision: `${limited}${listPets}`,
  replyExtras: listPets,
  petStatuses: listPets,
  propertyOrder: listPets,
  dateSkew: listPets,
  messages: 'await client().getPet(999)',
}

/** The cells of the choices at a gap: of one that is listed, and of any other. */
interface GapCells {
  /** By what is chosen, the default first. */
  readonly listed: Readonly<Record<string, string>>
  readonly other?: string
}

/** The cells at each gap. */
export const cellsByGap: Readonly<Record<GapName, GapCells>> = mapTable(gaps, (name) => {
  const gap: Gap = gaps[name]
  const listed = choicesOf(gap).map((one) => [one, `${name}=${formatChoice(name, one)}`])
  return {
    listed: Object.fromEntries(listed),
    ...(gap.kind === 'choice' ? {} : { other: `${name}=other` }),
  }
})

/** The choices that have a name: those listed, the default, and `never`. */
function choicesOf(gap: Gap): readonly (string | number)[] {
  if (gap.kind === 'choice') return gap.choices
  return gap.kind === 'count' ? [gap.default, 'never'] : [gap.default]
}

/** Each choice at each gap: the default, and the others. */
const gapCells: readonly Cell[] = gapNames.flatMap((name) => {
  const gap: Gap = gaps[name]
  const howTo = (choice: string | number): string =>
    `sandbox.setGaps(${code({ [name]: formatChoice(name, choice) })}); ${requests[name]}`
  const listed = choicesOf(gap).map((choice, index) => ({
    cell: `${name}=${formatChoice(name, choice)}`,
    how: index === 0 ? requests[name] : howTo(choice),
  }))
  if (gap.kind === 'choice') return listed
  return [...listed, { cell: `${name}=other`, how: howTo(otherThan(gap)) }]
})

/** A choice that is not the default, of a gap where it is open. */
function otherThan(gap: Exclude<Gap, { kind: 'choice' }>): number {
  switch (gap.kind) {
    case 'count':
      return gap.default + 1
    case 'instant':
    case 'duration':
      return gap.default + 86_400_000
    case 'shift':
      return 90_000
    default:
      return gap satisfies never
  }
}

/** All that is counted, by tier: each made of the tables of the interface, its gaps and the faults. */
export const cells: Readonly<Record<TierName, readonly Cell[]>> = {
  outcomes: outcomeCells,
  values: valueCells,
  situations: situationCells,
  gaps: gapCells,
}
