import {
  endpoints,
  type OperationName,
  operationNames,
  pageLimit,
  type QueryName,
} from '../../mock/api/endpoints.ts'
import type { Gap } from '../../mock/api/gaps/gap.ts'
import {
  afterRemoval,
  type Step as CellStep,
  type ClientCall,
  type ControlStep,
  calls,
  exhausted,
  requestOf,
} from '../../mock/api/gaps/steps.ts'
import {
  formatValue,
  type GapName,
  gapDescriptions,
  gapNames,
  plausibleValues,
} from '../../mock/api/gaps.ts'
import { petStatuses } from '../../mock/api/pet.ts'
import { type FaultName, faultKinds } from '../../mock/faults/fault-rules.ts'
import { isRecord, mapTable, namesOf } from '../../mock/input/record.ts'
import type { CategoryName, Step } from './coverage-report.ts'

/** One item of coverage, which a client can exercise. */
export interface CoverageItem {
  /** Name, such as `listPets 429`; unique within its category. */
  readonly name: string
  readonly steps: readonly Step[]
  /**
   * Steps as a line of JavaScript, in which `sandbox` is the sandbox and `client(key)` the client with a key, by
   * default a valid one.
   */
  readonly snippet: string
}

function itemOf(name: string, steps: readonly CellStep[]): CoverageItem {
  return { name, steps: steps.map(stepOf), snippet: steps.map(codeOf).join('; ') }
}

/** Resolves a call to the request that it sends. */
function stepOf(step: CellStep): Step {
  if ('control' in step) return step
  const { headers, ...request } = requestOf(step)
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return { request: { ...request, headers: Object.fromEntries(sent) }, times: step.times ?? 1 }
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

/** Returns steps that add a fault for the next request and send that request. */
function underFault(fault: object, operation: OperationName): readonly CellStep[] {
  return [{ control: 'faults.add', args: [{ ...fault, times: 1 }] }, calls[operation]]
}

/** Steps to an operation's error responses, by status; any other status can be injected as a fault. */
const rejected: Readonly<
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
  return { control: 'keys.update', args: ['free-key', change] }
}

function advance(by: string): ControlStep {
  return { control: 'clock.advance', args: [by] }
}

/** Responses that the spec documents (spec 4, 7). */
const outcomeCells: readonly CoverageItem[] = operationNames.flatMap((operation) =>
  endpoints[operation].documented.map((status) =>
    itemOf(
      `${operation} ${status}`,
      status < 300
        ? [calls[operation]]
        : (rejected[status]?.[operation] ??
            underFault({ fault: 'status', status, operation }, operation)),
    ),
  ),
)

/** Item for one value of a request parameter or property. */
interface ValueCell extends CoverageItem {
  /** @param sent Text that was sent there; `undefined` if it was left out. */
  covers(sent: string | undefined): boolean
}

/** Items for the values of a query parameter, or of an optional property of a new pet (spec 4). */
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
    ...itemOf(`${operation} ${name}=${choice}`, [callWith(operation, name, choice)]),
    covers: (sent: string | undefined) => sent === String(choice),
  }))
  const absent = {
    ...itemOf(`${operation} ${name} absent`, [calls[operation]]),
    covers: (sent: string | undefined) => sent === undefined,
  }
  return { operation, name, cells: [absent, ...listed] }
}

const { minimum, maximum } = pageLimit
const limits = choicesAt('listPets', 'limit', [minimum, maximum])
const otherLimit: ValueCell = {
  ...itemOf('listPets limit in between', [callWith('listPets', 'limit', minimum + 1)]),
  covers: (sent = '') => /^\d+$/.test(sent) && Number(sent) > minimum && Number(sent) < maximum,
}

/** Items for the values of query parameters, with a row for each parameter. */
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

/** Items for the values of request parameters and properties (spec 4). */
export const valueChoices: readonly ValueChoices[] = [
  ...Object.values(inQuery).flatMap((rows) => Object.values<ValueChoices>(rows)),
  choicesAt('createPet', 'status', petStatuses),
]

/** Returns the call of an operation with a query parameter, or with another property. */
function callWith(operation: OperationName, name: string, value: string | number): ClientCall {
  const { call, args }: ClientCall = calls[operation]
  return { call, args: [{ ...Object(args[0]), [name]: value }] }
}

/** Response variants, with the steps to each. */
const responseVariants = {
  'listPets empty': [{ control: 'pets.clear', args: [] }, calls.listPets],
  'listPets cut': [callWith('listPets', 'limit', 1)],
  'id above 2^53': [{ control: 'setGaps', args: [{ idSequence: 'large' }] }, calls.createPet],
} as const satisfies Readonly<Record<string, readonly CellStep[]>>

/** Name of the item for a response variant. */
export type ResponseItem = keyof typeof responseVariants

function cellsIn(table: Readonly<Record<string, readonly CellStep[]>>): readonly CoverageItem[] {
  return Object.entries(table).map(([cell, steps]) => itemOf(cell, steps))
}

const { listPets, getPet } = calls

/** Failure conditions besides faults, with the steps to each (spec 4.3, 5, 8). */
const situations = {
  'last request of a window': [limitedBy('minute', 1), listPets],
  '429 by minute': [exhausted, listPets],
  '429 by day': [limitedBy('day', 0), listPets],
  'succeeded after 429': [exhausted, listPets, advance('1m'), listPets],
  banned: [changeKey({ ban: '5m' }), listPets],
  'succeeded after a ban': [changeKey({ ban: '5m' }), listPets, advance('6m'), listPets],
  'key missing': [{ ...listPets, key: null }],
  'key unknown': [{ ...listPets, key: 'unknown-key' }],
  'key expired': [changeKey({ expiresAt: '1970-01-01' }), listPets],
  'key revoked': [changeKey({ revoked: true }), listPets],
  'deprecation announced': [getPet],
  'operation removed': [afterRemoval, getPet],
  'createPet took effect, response lost': underFault(
    { fault: 'disconnect', operation: 'createPet' },
    'createPet',
  ),
} as const satisfies Readonly<Record<string, readonly CellStep[]>>

/** Name of the item for a failure condition that isn't a fault. */
export type Situation = keyof typeof situations

/** Settings used to try each kind of fault. */
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

const faultCells: readonly CoverageItem[] = namesOf(faultKinds).map((fault) =>
  itemOf(`fault ${fault}`, underFault({ fault, ...settings[fault] }, 'listPets')),
)

/** Returns the values with a name: the listed ones, the default, and `never`. */
function namedChoices(gap: Gap): readonly (string | number)[] {
  if (gap.kind === 'enum') return gap.values
  return gap.kind === 'count' ? [gap.default, 'never'] : [gap.default]
}

/** Returns the name of the item for a gap value; all values without a name share one. */
export function gapItem(name: GapName, choice: string | number): string {
  const isNamed = namedChoices(gapDescriptions[name]).includes(choice)
  return `${name}=${isNamed ? formatValue(name, choice) : 'other'}`
}

/** Items for each value of each gap, the default first; a gap with open values also has one for other values. */
const gapCells: readonly CoverageItem[] = gapNames.flatMap((name) => {
  const gap = gapDescriptions[name]
  const other = plausibleValues(gap).find((choice) => !namedChoices(gap).includes(choice))
  const choices = [...namedChoices(gap), ...(other === undefined ? [] : [other])]
  return choices.map((choice, index) => {
    const setGap: ControlStep = {
      control: 'setGaps',
      args: [{ [name]: formatValue(name, choice) }],
    }
    return itemOf(gapItem(name, choice), index === 0 ? gap.steps : [setGap, ...gap.steps])
  })
})

/** All coverage items, by category. */
export const coverageItems: Readonly<Record<CategoryName, readonly CoverageItem[]>> = {
  outcomes: outcomeCells,
  values: [...valueChoices.flatMap((choices) => choices.cells), ...cellsIn(responseVariants)],
  situations: [...cellsIn(situations), ...faultCells],
  gaps: gapCells,
}
