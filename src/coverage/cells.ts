import {
  endpoints,
  type OperationName,
  operationNames,
  pageLimit,
  type QueryName,
} from '../contract/endpoints.ts'
import type { Gap } from '../contract/gaps/gap.ts'
import type { Step } from '../contract/gaps/steps.ts'
import {
  formatChoice,
  type GapName,
  gapDescriptions,
  gapNames,
  plausibleChoices,
} from '../contract/gaps.ts'
import {
  type EndpointDescription,
  endpointDescriptions,
  sharedRefusals,
} from '../contract/openapi/descriptions.ts'
import { petStatuses } from '../contract/pet.ts'
import { type FaultName, faultKinds } from '../faults/fault-rules.ts'
import { isRecord, mapTable, namesOf } from '../input/record.ts'
import type { TierName } from './coverage-report.ts'

/** One thing that a client can be exposed to. */
export interface Cell {
  /** Such as `listPets 429`; unique within its tier. */
  readonly cell: string
  /**
   * A line that covers it: JavaScript in which `sandbox` is the sandbox, and `client(key)` stands for the client
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

/** Writes an object of plain words and numbers as JavaScript, on one line. */
function code(value: object): string {
  const lines = JSON.stringify(value, null, 1).replaceAll('"', "'")
  return lines.replaceAll(/'(\w+)':/g, '$1:').replaceAll(/\s+/g, ' ')
}

/** Writes the line of a fault that strikes the next request, and a request for it to strike. */
function underFault(fault: object, operation: OperationName): string {
  return `sandbox.faults.add(${code({ ...fault, times: 1 })}); ${calls[operation]}`
}

/** How an operation comes to refuse, by status; any other can be injected. */
const refused: Readonly<Record<number, { readonly [Name in OperationName]?: string }>> = {
  400: { createPet: "await client().createPet({ name: 'Rex' })" },
  401: mapTable(calls, (name) => calls[name].replace('client()', "client('unknown-key')")),
  404: { getPet: 'await client().getPet(999)' },
  429: mapTable(calls, (name) => `${limitedBy('minute', 0)}; ${calls[name]}`),
}

function limitedBy(window: 'minute' | 'day', left: number): string {
  return `sandbox.keys.setRemaining('free-key', { ${window}: ${left} })`
}

/** The replies that the interface documents: those whose description names its clause (spec 4, 7). */
const outcomeCells: readonly Cell[] = operationNames.flatMap((operation) => {
  const { success, refusals }: EndpointDescription = endpointDescriptions[operation]
  if (success.documented === undefined) return []
  const all: EndpointDescription['refusals'] = { ...sharedRefusals, ...refusals }
  const documented = Object.entries(all).filter(([, row]) => row.documented !== undefined)
  const cellsOfRefusals = documented.map(([status]) => ({
    cell: `${operation} ${status}`,
    how:
      refused[Number(status)]?.[operation] ??
      underFault({ fault: 'status', status: Number(status), operation }, operation),
  }))
  return [{ cell: `${operation} ${success.status}`, how: calls[operation] }, ...cellsOfRefusals]
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
    cell: `${operation} ${name}=${choice}`,
    how: callWith(operation, name, choice),
    covers: (sent: string | undefined) => sent === String(choice),
  }))
  const absent = {
    cell: `${operation} ${name} absent`,
    how: calls[operation],
    covers: (sent: string | undefined) => sent === undefined,
  }
  return { operation, name, cells: [absent, ...listed] }
}

const { minimum, maximum } = pageLimit
const limits = choicesAt('listPets', 'limit', [minimum, maximum])
const otherLimit: ValueCell = {
  cell: 'listPets limit in between',
  how: callWith('listPets', 'limit', minimum + 1),
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
function callWith(operation: OperationName, name: string, value: string | number): string {
  const given = code({ [name]: value })
  const call = calls[operation]
  return call.endsWith('()')
    ? call.replace(/\(\)$/, `(${given})`)
    : call.replace(' })', `, ${given.slice(2)})`)
}

/** What answers may be like. */
const answers = {
  'listPets empty': 'sandbox.pets.clear(); await client().listPets()',
  'listPets cut': 'await client().listPets({ limit: 1 })',
  'id above 2^53': `sandbox.setGaps({ idSequence: 'large' }); ${calls.createPet}`,
} as const

/** The cell of what an answer may be like. */
export type AnswerCell = keyof typeof answers

function cellsIn(table: Readonly<Record<string, string>>): readonly Cell[] {
  return Object.entries(table).map(([cell, how]) => ({ cell, how }))
}

const { sunsetAt } = endpoints.getPet.deprecated

const sunset = new Date(sunsetAt['start-of-day']).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** What a client has to live through, besides faults (spec 4.3, 5, 8). */
const situations = {
  'last request of a window': `${limitedBy('minute', 1)}; ${calls.listPets}`,
  '429 by minute': `${limitedBy('minute', 0)}; ${calls.listPets}`,
  '429 by day': `${limitedBy('day', 0)}; ${calls.listPets}`,
  'served again after 429': `${limitedBy('minute', 0)}; ${calls.listPets}; sandbox.clock.advance('1m'); ${calls.listPets}`,
  banned: `sandbox.keys.change('free-key', { ban: '5m' }); ${calls.listPets}`,
  'served again after a ban': `sandbox.keys.change('free-key', { ban: '5m' }); ${calls.listPets}; sandbox.clock.advance('6m'); ${calls.listPets}`,
  'key missing': calls.listPets.replace('client()', 'client(null)'),
  'key unknown': calls.listPets.replace('client()', "client('unknown-key')"),
  'key expired': `sandbox.keys.change('free-key', { expiresAt: sandbox.clock.now() }); ${calls.listPets}`,
  'key revoked': `sandbox.keys.change('free-key', { revoked: true }); ${calls.listPets}`,
  'deprecation announced': calls.getPet,
  'operation removed': `sandbox.clock.set('${sunset}'); ${calls.getPet}`,
  'createPet took effect, reply lost': underFault(
    { fault: 'disconnect', operation: 'createPet' },
    'createPet',
  ),
} as const

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

const faultCells: readonly Cell[] = namesOf(faultKinds).map((fault) => ({
  cell: `fault ${fault}`,
  how: underFault({ fault, ...settings[fault] }, 'listPets'),
}))

/** Writes steps as a line of JavaScript. */
function lineOf(steps: readonly Step[]): string {
  return steps.map(codeOf).join('; ')
}

function codeOf(step: Step): string {
  if ('control' in step) return `sandbox.${step.control}(${step.args.map(literal).join(', ')})`
  const { call, args, key, times = 1 } = step
  const client = `client(${key === undefined ? '' : literal(key)})`
  const line = `await ${client}.${call}(${args.map(literal).join(', ')})`
  return times === 1 ? line : `for (let n = 0; n < ${times}; n++) ${line}`
}

/** Writes a plain value as JavaScript, on one line. */
function literal(value: unknown): string {
  if (typeof value === 'string') {
    return `'${value}'`
  }
  if (!isRecord(value)) return String(value)
  const members = Object.entries(value).map(([name, one]) => {
    return `${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(one)}`
  })
  return `{ ${members.join(', ')} }`
}

/** The choices that have a name: those listed, the default, and `never`. */
function namedChoices(gap: Gap): readonly (string | number)[] {
  if (gap.kind === 'choice') return gap.choices
  return gap.kind === 'count' ? [gap.default, 'never'] : [gap.default]
}

/** The cell of a choice at a gap: of one that has a name, or of any other. */
export function gapCell(name: GapName, choice: string | number): string {
  const isNamed = namedChoices(gapDescriptions[name]).includes(choice)
  return `${name}=${isNamed ? formatChoice(name, choice) : 'other'}`
}

/** Each choice at each gap, the default first; of one that is open, also another. */
const gapCells: readonly Cell[] = gapNames.flatMap((name) => {
  const gap = gapDescriptions[name]
  const other = plausibleChoices(gap).find((choice) => !namedChoices(gap).includes(choice))
  const choices = [...namedChoices(gap), ...(other === undefined ? [] : [other])]
  return choices.map((choice, index) => {
    const set: Step = { control: 'setGaps', args: [{ [name]: formatChoice(name, choice) }] }
    return {
      cell: gapCell(name, choice),
      how: lineOf(index === 0 ? gap.steps : [set, ...gap.steps]),
    }
  })
})

/** All that is counted, by tier. */
export const cells: Readonly<Record<TierName, readonly Cell[]>> = {
  outcomes: outcomeCells,
  values: [...valueChoices.flatMap((choices) => choices.cells), ...cellsIn(answers)],
  situations: [...cellsIn(situations), ...faultCells],
  gaps: gapCells,
}
