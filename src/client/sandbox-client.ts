import type { Pet, PetSettings } from '../mock/api/pet.ts'
import type { FaultSettings } from '../mock/faults/fault-rules.ts'
import { InputError } from '../mock/input/input-error.ts'
import { isRecord, namesOf } from '../mock/input/record.ts'
import type { Duration, Instant } from '../mock/input/values.ts'
import type { Fault } from '../mock/state/faults.ts'
import type { ClockControls } from '../sandbox/controls/clock.ts'
import type { Controls } from '../sandbox/controls/controls.ts'
import type { FaultControls } from '../sandbox/controls/faults.ts'
import type { HarDocument } from '../sandbox/controls/har.ts'
import type { DescribingControls } from '../sandbox/controls/http/describing.ts'
import { routes } from '../sandbox/controls/http/routes.ts'
import { type KeyControls, keyShorthands } from '../sandbox/controls/keys.ts'
import type { PetControls } from '../sandbox/controls/pets.ts'
import type { RequestControls, RequestQuery } from '../sandbox/controls/requests.ts'
import type { ProcessControls } from '../sandbox/controls/sandboxes.ts'
import type { TestControls } from '../sandbox/controls/tests.ts'
import { type EventsOptions, type SandboxEvents, sandboxEvents } from './events.ts'
import { inPath, type Remote } from './remote.ts'

/** Returns the controls of a sandbox, which send requests to its control API. */
export function clientOver(remote: Remote): SandboxClient {
  const calls = callsTo(remote)
  const { clock, keys, requests, pets } = calls
  return {
    ...calls,
    clock: { ...clock, ...clockCalls(clock) },
    keys: {
      ...keys,
      ...keyShorthands(keys.update),
      setRemaining: (key, remaining) => keys.update(key, { remaining }),
    },
    pets: { ...pets, size: async () => (await pets.list()).length },
    requests: {
      ...requests,
      last: async (query) => (await requests.list({ ...query, limit: 1 })).at(-1),
    },
    events: (given) => sandboxEvents(remote, given),
  }
}

/** Creates the clock controls that are shorthands for `clock.update()`. */
function clockCalls({ read, update: change }: RouteCalls['clock']) {
  const changeBy = async (wanted: Parameters<typeof change>[0]): Promise<void> => {
    await change(wanted)
  }
  return {
    now: async () => Date.parse((await read()).now),
    advance: (by: Duration) => changeBy({ advance: by }),
    set: (to: Instant) => changeBy({ set: to }),
    freeze: () => changeBy({ mode: 'frozen' }),
    resume: () => changeBy({ mode: 'running' }),
    setSpeed: (speed: number) => changeBy({ mode: 'scaled', speed }),
    useSystemTime: () => changeBy({ mode: 'system' }),
  }
}

type AnyCall = (...given: readonly unknown[]) => Promise<unknown>

/** Creates the controls of a remote sandbox, one for each route. */
function callsTo(remote: Remote): RouteCalls {
  const single: Record<string, AnyCall> = {}
  const groups: Record<string, Record<string, AnyCall>> = {}
  for (const name of namesOf(routes)) {
    const [first = '', member] = name.split('.')
    const call = callTo(remote, routes[name])
    if (member === undefined) single[first] = call
    else groups[first] = { ...groups[first], [member]: call }
  }
  const calls: object = { ...single, ...groups }
  // Each has the name and the arguments of the control that it calls.
  return calls as RouteCalls
}

/** Endpoint of a control, and the property that unwrap its request and response body, if any. */
interface Place {
  readonly method: string
  readonly path: string
  readonly unwrap?: string | undefined
}

function callTo(remote: Remote, { method, path, unwrap }: Place): AnyCall {
  const names = path.match(/\{\w+\}/g) ?? []
  return async (...given) => {
    const place = names.reduce<string>((so, name, at) => so.replace(name, inPath(given[at])), path)
    const [last, others] = given.slice(names.length)
    const isWrapped = unwrap !== undefined && last !== undefined
    const body = isWrapped ? { ...objectOf(others), [unwrap]: last } : last
    const result = await remote
      .call(
        method === 'GET' ? { method, path: place + queryOf(last) } : { method, path: place, body },
      )
      .catch((error: unknown) => {
        throw isWrapped ? withoutWrap(error, unwrap) : error
      })
    return unwrap !== undefined && isRecord(result) ? result[unwrap] : result
  }
}

/** Returns the validation error with a path as of the typed control, whose input isn't wrapped in a property. */
function withoutWrap(error: unknown, unwrap: string): unknown {
  if (!(error instanceof InputError) || error.path[0] !== unwrap) return error
  return new InputError(error.message, error.path.slice(1), error.reason)
}

function objectOf(value: unknown): object {
  return isRecord(value) ? value : {}
}

function queryOf(query: unknown): string {
  const given = Object.entries(objectOf(query)).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, textOf(value)]))}`
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Controls over HTTP: each method returns a promise, and each property is a method that returns its value. */
export type Later<Controls> = {
  readonly [Name in keyof Controls]: Controls[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : () => Promise<Controls[Name]>
}

/** Controls that are groups of others. */
type Groups = 'clock' | 'pets' | 'keys' | 'faults' | 'requests' | 'tests'

/** Controls of a sandbox over HTTP: those of {@link Controls}, made asynchronous, and those that only a server has. */
export interface SandboxClient
  extends Later<Omit<Controls, Groups | 'onFinding'>>,
    Later<Pick<ProcessControls, 'saveState'>>,
    Later<DescribingControls> {
  /** Clock of the sandbox. */
  readonly clock: Later<ClockControls>
  /** Pets, to read and change directly. */
  readonly pets: RemotePets
  /** API keys. */
  readonly keys: Later<KeyControls>
  /** Faults: injected failures. */
  readonly faults: RemoteFaults
  /** The request log. */
  readonly requests: RemoteRequests
  /** Announcements of tests, so that findings don't combine requests of different tests. */
  readonly tests: Later<TestControls>
  /** Controls of the named sandboxes. */
  readonly sandboxes: Later<ProcessControls['sandboxes']>
  /** Returns new requests; survives lost connections, resets and restarts of the server. */
  events(options?: EventsOptions): SandboxEvents
}

/** Pets of a sandbox over HTTP. */
interface RemotePets extends Later<Omit<PetControls, 'create' | 'query'>> {
  /** Adds all pets or none; a pet without an id gets the next one of the sequence. */
  create(pets: readonly PetSettings[]): Promise<Pet[]>
  /** Adds a pet; without an id it gets the next one of the sequence. */
  create(pet: PetSettings): Promise<Pet>
  /** Adds a pet or an array of pets. */
  create(pets: PetSettings | readonly PetSettings[]): Promise<Pet | Pet[]>
}

/** Faults of a sandbox over HTTP. */
interface RemoteFaults extends Later<Omit<FaultControls, 'add'>> {
  /** Adds all faults or none. */
  add(faults: readonly FaultSettings[]): Promise<Fault[]>
  /** Adds a fault: an injected failure for requests that match its filters. */
  add(fault: FaultSettings): Promise<Fault>
}

/** The request log of a sandbox over HTTP. */
interface RemoteRequests
  extends Later<Pick<RequestControls, 'list' | 'last' | 'get' | 'clear' | 'changes'>> {
  /** Returns the matching requests as a HAR file, with the addresses at which clients reach the server. */
  har(query?: RequestQuery): Promise<HarDocument>
}

/** Controls that have a route of their own; the others are built on them. */
interface RouteCalls
  extends Omit<SandboxClient, 'clock' | 'keys' | 'pets' | 'requests' | 'events'> {
  readonly clock: Pick<SandboxClient['clock'], 'read' | 'update'>
  readonly keys: Omit<
    SandboxClient['keys'],
    'setRemaining' | keyof ReturnType<typeof keyShorthands>
  >
  readonly pets: Omit<RemotePets, 'size'>
  readonly requests: Omit<RemoteRequests, 'last'>
}
