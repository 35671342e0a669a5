import { isRecord } from '../../input/record.ts'
import type { ControlStep } from '../control-step.ts'
import { endpoints, type OperationName } from '../endpoints.ts'

/** A call of an operation, or a GET of any path. */
export interface ClientCall {
  readonly call: OperationName | 'get'
  /** The query, the pet (also as text), the pet's id or the path; then headers, `undefined` for one that isn't sent. */
  readonly args: readonly unknown[]
  /** `null` to send no key; by default a valid one. */
  readonly key?: string | null
  /** Number of times; by default once. */
  readonly times?: number
  /** Pause between two calls in milliseconds; by default none. */
  readonly pauseMs?: number
}

/** A step that leads to a response: a control call, or a call of the client. */
export type Step = ControlStep | ClientCall

/**
 * Returns the request of a call: its path below `/v1`, and its headers, `undefined` for one that a client would add and
 * must not.
 */
export function requestOf({ call, args, key = 'free-key' }: ClientCall) {
  const [first, second] = args
  const isCreate = call === 'createPet'
  const own: object = (isCreate || call === 'get') && isRecord(second) ? second : {}
  const headers: Readonly<Record<string, unknown>> = {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(isCreate ? { 'content-type': 'application/json' } : {}),
    ...own,
  }
  const text = typeof first === 'string' ? first : JSON.stringify(first)
  return {
    method: call === 'get' ? 'GET' : endpoints[call].method,
    path: targetOf(call, first),
    headers,
    body: isCreate ? text : '',
  }
}

function targetOf(call: ClientCall['call'], given: unknown): string {
  if (call === 'get') return String(given)
  const { path } = endpoints[call]
  if (call === 'getPet') return path.replace('{petId}', encodeURIComponent(String(given)))
  if (call !== 'listPets' || !isRecord(given)) return path
  const query = Object.entries(given).map(([name, value]): [string, string] => [name, `${value}`])
  return `${path}?${new URLSearchParams(query)}`
}

/** A successful call of each operation. */
export const calls = {
  listPets: { call: 'listPets', args: [] },
  createPet: { call: 'createPet', args: [{ name: 'Rex', categoryId: 1 }] },
  getPet: { call: 'getPet', args: [1] },
  listOrders: { call: 'listOrders', args: [] },
} as const satisfies Readonly<Record<OperationName, ClientCall>>

export const { listPets, createPet, getPet, listOrders } = calls

export const missingPet: ClientCall = { call: 'getPet', args: [0] }

/** Creates the call that adds a pet, given as an object or as its text. */
export function create(pet: object | string, headers?: object): ClientCall {
  return { call: 'createPet', args: headers === undefined ? [pet] : [pet, headers] }
}

export function list(query: object): ClientCall {
  return { call: 'listPets', args: [query] }
}

export function get(path: string, headers?: object): ClientCall {
  return { call: 'get', args: headers === undefined ? [path] : [path, headers] }
}

/** Leaves a number of requests of the minute quota. */
export function leave(minute: number): ControlStep {
  return { control: 'keys.setRemaining', args: ['free-key', { minute }] }
}

/** Uses up the minute quota. */
export const exhausted: ControlStep = leave(0)

/** Has the day reported, in which the requests of a minute before count, too. */
export const ofDay: ControlStep = { control: 'setGaps', args: [{ reportedWindow: 'day' }] }

export function advance(duration: string): ControlStep {
  return { control: 'clock.advance', args: [duration] }
}

export const banned: ControlStep = { control: 'keys.ban', args: ['free-key', '1m'] }

const { sunsetAt } = endpoints.getPet.deprecated

/** Sets the clock to the day on which `GET /pets/{petId}` is removed. */
export const afterRemoval: ControlStep = {
  control: 'clock.set',
  args: [new Date(sunsetAt['start-of-day']).toISOString().slice(0, 'YYYY-MM-DD'.length)],
}
