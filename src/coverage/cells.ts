import {
  endpoints,
  type OperationName,
  operationNames,
  pageLimit,
  type QueryName,
} from '../contract/endpoints.ts'
import { formatChoice, type Gap, type GapName, gapNames, gaps } from '../contract/gaps.ts'
import {
  type EndpointDescription,
  endpointDescriptions,
  sharedRefusals,
} from '../contract/openapi/descriptions.ts'
import { petStatuses } from '../contract/pet.ts'
import { type FaultName, faultKinds } from '../faults/fault-rules.ts'
import { isRecord, mapTable, namesOf } from '../input/record.ts'
import type { Step, TierName } from './coverage-report.ts'
import type { ControlStep } from './steps.ts'

/** A call of an operation, or of any path by `get`. */
interface ClientCall {
  readonly call: OperationName | 'get'
  /** What code gives the call: the query, the pet or its id, a path; then headers, `undefined` for none of its name. */
  readonly args: readonly unknown[]
  /** `null` for none, by default `free-key`. */
  readonly key?: string | null
  /** Number of times; by default once. */
  readonly times?: number
}

/** A step that brings something about: a control, or a request of the client. */
type CellStep = ControlStep | ClientCall

/** One thing that a client can be exposed to. */
export interface Cell {
  /** Such as `listPets 429`; unique within its tier. */
  readonly cell: string
  readonly steps: readonly Step[]
  /**
   * The steps as a line of JavaScript, in which `sandbox` is the sandbox, and `client(key)` stands for the client with a
   * key, by default a valid one.
   */
  readonly how: string
}

/** Makes the row of a cell from its steps. */
function cellOf(cell: string, steps: readonly CellStep[]): Cell {
  return { cell, steps: steps.map(stepOf), how: steps.map(codeOf).join('; ') }
}

/** Resolves a call to the request that it sends. */
function stepOf(step: CellStep): Step {
  if ('control' in step) return step
  const { call, args, key = 'free-key', times = 1 } = step
  const [first, second] = args
  const isCreate = call === 'createPet'
  const own: object = isRecord(isCreate || call === 'get' ? second : undefined)
    ? Object(second)
    : {}
  const headers = Object.entries({
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(isCreate ? { 'content-type': 'application/json' } : {}),
    ...own,
  }).filter(([, value]) => value !== undefined)
  return {
    request: {
      method: call === 'get' ? 'GET' : endpoints[call].method,
      path: targetOf(call, first),
      headers: Object.fromEntries(headers),
      body: isCreate ? JSON.stringify(first) : '',
    },
    times,
  }
}

/** The path and query of a call, below `/v1`. */
function targetOf(call: ClientCall['call'], given: unknown): string {
  if (call === 'get') return String(given)
  const { path } = endpoints[call]
  if (call === 'getPet') return path.replace('{petId}', encodeURIComponent(String(given)))
  if (call !== 'listPets' || !isRecord(given)) return path
  const query = Object.entries(given).map(([name, value]) => [name, String(value)])
  return `${path}?${new URLSearchParams(query)}`
}

/** Writes a step as JavaScript. */
function codeOf(step: CellStep): string {
  if ('control' in step) return `sandbox.${step.control}(${step.args.map(literal).join(', ')})`
  const { call, args, key, times = 1 } = step
  const client = `client(${key === undefined ? '' : literal(key)})`
  const line = `await ${client}.${call}(${args.map(literal).join(', ')})`
  return times === 1 ? line : `for (let n = 0; n < ${times}; n++) ${line}`
}

/** Writes a plain value as JavaScript, on one line. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (!isRecord(value)) return String(value)
  const members = Object.entries(value).map(([name, one]) => {
    return `${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(one)}`
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** How a client calls each operation so that it succeeds. */
const calls = {
  listPets: { call: 'listPets', args: [] },
  createPet: { call: 'createPet', args: [{ name: 'Rex', categoryId: 1 }] },
  getPet: { call: 'getPet', args: [1] },
  listOrders: { call: 'listOrders', args: [] },
} as const satisfies Readonly<Record<OperationName, ClientCall>>

/** A fault that the next request meets, and a request to meet it. */
function underFault(fault: object, operation: OperationName): readonly CellStep[] {
  return [{ control: 'faults.add', args: [{ ...fault, times: 1 }] }, calls[operation]]
}

/** How an operation comes to reject, by status; any other can be injected. */
const refused: Readonly<
  Record<number, { readonly [Name in OperationName]?: readonly CellStep[] }>
> = {
  400: { createPet: [{ call: 'createPet', args: [{ name: 'Rex' }] }] },
  401: mapTable(calls, (name) => [{ ...calls[name], key: 'unknown-key' }]),
  404: { getPet: [{ call: 'getPet', args: [999] }] },
  429: mapTable(calls, (name) => [limitedBy('minute', 0), calls[name]]),
}

function limitedBy(window: 'minute' | 'day', left: number): ControlStep {
  return { control: 'keys.setRemaining', args: ['free-key', { [window]: left }] }
}

function changeKey(change: object): ControlStep {
  return { control: 'keys.change', args: ['free-key', change] }
}

function advance(by: string): ControlStep {
  return { control: 'clock.advance', args: [by] }
}

/** The replies that the interface documents: those whose description names its clause (spec 4, 7). */
const outcomeCells: readonly Cell[] = operationNames.flatMap((operation) => {
  const { success, refusals }: EndpointDescription = endpointDescriptions[operation]
  if (success.documented === undefined) return []
  const all: EndpointDescription['refusals'] = { ...sharedRefusals, ...refusals }
  const documented = Object.entries(all).filter(([, row]) => row.documented !== undefined)
  const cellsOfRefusals = documented.map(([status]) =>
    cellOf(
      `${operation} ${status}`,
      refused[Number(status)]?.[operation] ??
        underFault({ fault: 'status', status: Number(status), operation }, operation),
    ),
  )
  return [cellOf(`${operation} ${success.status}`, [calls[operation]]), ...cellsOfRefusals]
})

/** A choice of a request, at a parameter or a property. */
interface ValueCell extends Cell {
  /** @param sent The text that was sent there; `undefined` where it was left out. */
  covers(sent: string | undefined): boolean
}

/** The choices of requests at a parameter of a query, or at an optional property of a new pet (spec 4). */
interface ValueChoices {
  readonly operation: OperationName
  readonly name: string
  readonly cells: readonly ValueCell[]
}

function choicesAt(
  operation: OperationName,
  name: string,
  choices: readonly (string | number)[],
): ValueChoices {
  const listed = choices.map((choice) => ({
    ...cellOf(`${operation} ${name}=${choice}`, [callWith(operation, name, choice)]),
    covers: (sent: string | undefined) => sent === String(choice),
  }))
  const absent = {
    ...cellOf(`${operation} ${name} absent`, [calls[operation]]),
    covers: (sent: string | undefined) => sent === undefined,
  }
  return { operation, name, cells: [absent, ...listed] }
}

const { minimum, maximum } = pageLimit
const limits = choicesAt('listPets', 'limit', [minimum, maximum])
const otherLimit: ValueCell = {
  ...cellOf('listPets limit in between', [callWith('listPets', 'limit', minimum + 1)]),
  covers: (sent = '') => /^\d+$/.test(sent) && Number(sent) > minimum && Number(sent) < maximum,
}

/** What requests may choose in a query: a row for each parameter. */
const inQuery: {
  readonly [Name in OperationName]: Readonly<Record<QueryName<Name>, ValueChoices>>
} = {
  listPets: {
    limit: { ...limits, cells: [...limits.cells, otherLimit] },
    status: choicesAt('listPets', 'status', petStatuses),
  },
  createPet: {},
  getPet: {},
  listOrders: {},
}

/** What requests may choose (spec 4). */
export const valueChoices: readonly ValueChoices[] = [
  ...Object.values(inQuery).flatMap((rows) => Object.values<ValueChoices>(rows)),
  choicesAt('createPet', 'status', petStatuses),
]

/** The call of an operation with a query parameter, or with another property. */
function callWith(operation: OperationName, name: string, value: string | number): ClientCall {
  const { call, args }: ClientCall = calls[operation]
  return { call, args: [{ ...Object(args[0]), [name]: value }] }
}

/** What responses may be like. */
const answers = {
  'listPets empty': [{ control: 'pets.clear', args: [] }, calls.listPets],
  'listPets cut': [callWith('listPets', 'limit', 1)],
  'id above 2^53': [{ control: 'setGaps', args: [{ idSequence: 'large' }] }, calls.createPet],
} as const satisfies Readonly<Record<string, readonly CellStep[]>>

/** The cell of what a response may be like. */
export type AnswerCell = keyof typeof answers

function cellsIn(table: Readonly<Record<string, readonly CellStep[]>>): readonly Cell[] {
  return Object.entries(table).map(([cell, steps]) => cellOf(cell, steps))
}

const { sunsetAt } = endpoints.getPet.deprecated

const sunset = new Date(sunsetAt['start-of-day']).toISOString().slice(0, 'YYYY-MM-DD'.length)

const { listPets, createPet, getPet, listOrders } = calls
const pastSunset: ControlStep = { control: 'clock.set', args: [sunset] }
const limited = limitedBy('minute', 0)

/** What a client has to live through, besides faults (spec 4.3, 5, 8). */
const situations = {
  'last request of a window': [limitedBy('minute', 1), listPets],
  '429 by minute': [limited, listPets],
  '429 by day': [limitedBy('day', 0), listPets],
  'served again after 429': [limited, listPets, advance('1m'), listPets],
  banned: [changeKey({ ban: '5m' }), listPets],
  'served again after a ban': [changeKey({ ban: '5m' }), listPets, advance('6m'), listPets],
  'key missing': [{ ...listPets, key: null }],
  'key unknown': [{ ...listPets, key: 'unknown-key' }],
  'key expired': [changeKey({ expiresAt: '1970-01-01' }), listPets],
  'key revoked': [changeKey({ revoked: true }), listPets],
  'deprecation announced': [getPet],
  'operation removed': [pastSunset, getPet],
  'createPet took effect, reply lost': underFault(
    { fault: 'disconnect', operation: 'createPet' },
    'createPet',
  ),
} as const satisfies Readonly<Record<string, readonly CellStep[]>>

/** The cell of a situation that is no fault. */
export type Situation = keyof typeof situations

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

const faultCells: readonly Cell[] = namesOf(faultKinds).map((fault) =>
  cellOf(`fault ${fault}`, underFault({ fault, ...settings[fault] }, 'listPets')),
)

const create = (...args: readonly unknown[]): ClientCall => ({ call: 'createPet', args })
const list = (query: object): ClientCall => ({ call: 'listPets', args: [query] })
const get = (...args: readonly unknown[]): ClientCall => ({ call: 'get', args })
const missing: ClientCall = { call: 'getPet', args: [999] }
const banned = changeKey({ ban: '1m' })

/** A request to which the choice at a gap matters, after what has to come before it. */
const requests: Readonly<Record<GapName, readonly CellStep[]>> = {
  omittedStatus: [createPet],
  nullStatus: [create({ name: 'Rex', categoryId: 1, status: null })],
  emptyName: [create({ name: '', categoryId: 1 })],
  maxNameLength: [create({ name: 'x'.repeat(1001), categoryId: 1 })],
  unknownProperties: [create({ name: 'Rex', categoryId: 1, color: 'red' })],
  unknownCategory: [create({ name: 'Rex', categoryId: 999 })],
  idSequence: [createPet],
  missingContentType: [create({ name: 'Rex', categoryId: 1 }, { 'content-type': undefined })],
  listOrder: [listPets],
  invalidQuery: [list({ limit: 0 })],
  repeatedQuery: [get('/pets?limit=1&limit=2')],
  unknownQuery: [list({ color: 'red' })],
  invalidPetId: [{ call: 'getPet', args: ['x'] }],
  deprecatedSince: [getPet],
  deprecationHeaders: [getPet],
  afterSunset: [pastSunset, getPet],
  storeOrders: [listOrders],
  trailingSlash: [get('/pets/')],
  unknownRouteWithoutKey: [{ ...get('/nowhere'), key: null }],
  unauthorizedQuota: [{ ...listPets, key: null }],
  unauthorizedLimit: [{ ...listPets, key: null }],
  errorCodes: [missing],
  quotaWindow: [listPets],
  reportedWindow: [listPets],
  countedRequests: [missing],
  retryAfterFormat: [limited, listPets],
  banAfter: [limited, listPets],
  banDuration: [limited, { ...listPets, times: 20 }],
  banStatus: [banned, listPets],
  duplicateProperties: [createPet],
  integerForms: [createPet],
  deprecationOn: [missing],
  sunsetInstant: [getPet],
  bearerScheme: [get('/pets', { authorization: 'bearer free-key' })],
  refusalOrder: [limited, listPets],
  retryAfterPrecision: [limited, listPets],
  replyExtras: [listPets],
  petStatuses: [listPets],
  propertyOrder: [listPets],
  dateSkew: [listPets],
  messages: [missing],
}

/** The choices that have a name: those listed, the default, and `never`. */
function namedChoices(gap: Gap): readonly (string | number)[] {
  if (gap.kind === 'choice') return gap.choices
  return gap.kind === 'count' ? [gap.default, 'never'] : [gap.default]
}

/** The cell of a choice at a gap: of one that has a name, or of any other. */
export function gapCell(name: GapName, choice: string | number): string {
  const isNamed = namedChoices(gaps[name]).includes(choice)
  return `${name}=${isNamed ? formatChoice(name, choice) : 'other'}`
}

/** Each choice at each gap, the default first. */
const gapCells: readonly Cell[] = gapNames.flatMap((name) => {
  const gap: Gap = gaps[name]
  const open = gap.kind === 'choice' ? [] : [otherThan(gap)]
  return [...namedChoices(gap), ...open].map((choice, index) => {
    const setGap: ControlStep = {
      control: 'setGaps',
      args: [{ [name]: formatChoice(name, choice) }],
    }
    return cellOf(gapCell(name, choice), index === 0 ? requests[name] : [setGap, ...requests[name]])
  })
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

/** All that is counted, by tier. */
export const cells: Readonly<Record<TierName, readonly Cell[]>> = {
  outcomes: outcomeCells,
  values: [...valueChoices.flatMap((choices) => choices.cells), ...cellsIn(answers)],
  situations: [...cellsIn(situations), ...faultCells],
  gaps: gapCells,
}
