import type { ControlStep } from '../../mock/api/control-step.ts'
import { endpoints, type OperationName, operationNames } from '../../mock/api/endpoints.ts'
import { afterRemoval, calls, exhausted, requestOf, type Step } from '../../mock/api/gaps/steps.ts'
import { type FaultName, faultKinds } from '../../mock/faults/fault-rules.ts'
import { isRecord, mapTable, namesOf } from '../../mock/input/record.ts'
import type { CategoryName, CoverageStep } from './coverage-report.ts'

/** One item of coverage, which a client can exercise. */
export interface CoverageItem {
  /** Name, such as `listPets 429`; unique within its category. */
  readonly name: string
  readonly steps: readonly CoverageStep[]
  /**
   * Steps as a line of JavaScript, in which `sandbox` is the sandbox and `client(key)` the client with a key, by
   * default a valid one.
   */
  readonly snippet: string
}

function itemOf(name: string, steps: readonly Step[]): CoverageItem {
  return { name, steps: steps.map(stepOf), snippet: steps.map(codeOf).join('; ') }
}

/** Resolves a call to the request that it sends. */
function stepOf(step: Step): CoverageStep {
  if ('control' in step) return step
  const { headers, ...request } = requestOf(step)
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return { request: { ...request, headers: Object.fromEntries(sent) }, times: step.times ?? 1 }
}

/** Writes a step as JavaScript. */
function codeOf(step: Step): string {
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
function underFault(fault: object, operation: OperationName): readonly Step[] {
  return [{ control: 'faults.add', args: [{ ...fault, times: 1 }] }, calls[operation]]
}

/** Steps to an operation's error responses, by status; any other status can be injected as a fault. */
const rejected: Readonly<Record<number, { readonly [Name in OperationName]?: readonly Step[] }>> = {
  400: { createPet: [{ call: 'createPet', args: [{ name: 'Rex' }] }] },
  401: mapTable(calls, (name) => [{ ...calls[name], key: 'unknown-key' }]),
  404: { getPet: [{ call: 'getPet', args: [999] }] },
  429: mapTable(calls, (name) => [limitedBy('minute', 0), calls[name]]),
}

function limitedBy(window: 'minute' | 'day', left: number): ControlStep {
  return { control: 'keys.setRemaining', args: ['free-key', { [window]: left }] }
}

const ban: ControlStep = { control: 'keys.ban', args: ['free-key', '5m'] }

const expired: ControlStep = {
  control: 'keys.update',
  args: ['free-key', { expiresAt: '1970-01-01' }],
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

function cellsIn(table: Readonly<Record<string, readonly Step[]>>): readonly CoverageItem[] {
  return Object.entries(table).map(([cell, steps]) => itemOf(cell, steps))
}

const { listPets, getPet } = calls

/** Failure conditions besides faults, with the steps to each (spec 4.3, 5, 8). */
const situations = {
  'last request of a window': [limitedBy('minute', 1), listPets],
  '429 by minute': [exhausted, listPets],
  '429 by day': [limitedBy('day', 0), listPets],
  'succeeded after 429': [exhausted, listPets, advance('1m'), listPets],
  banned: [ban, listPets],
  'succeeded after a ban': [ban, listPets, advance('6m'), listPets],
  'key missing': [{ ...listPets, key: null }],
  'key unknown': [{ ...listPets, key: 'unknown-key' }],
  'key expired': [expired, listPets],
  'key revoked': [{ control: 'keys.revoke', args: ['free-key'] }, listPets],
  'deprecation announced': [getPet],
  'operation removed': [afterRemoval, getPet],
  'createPet took effect, response lost': underFault(
    { fault: 'disconnect', operation: 'createPet' },
    'createPet',
  ),
} as const satisfies Readonly<Record<string, readonly Step[]>>

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

/** All coverage items, by category. */
export const coverageItems: Readonly<Record<CategoryName, readonly CoverageItem[]>> = {
  outcomes: outcomeCells,
  situations: [...cellsIn(situations), ...faultCells],
}
