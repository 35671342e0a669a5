import type { FaultSettings } from '../mock/faults/fault-rules.ts'
import { InputError } from '../mock/input/input-error.ts'
import { isRecord, namesOf } from '../mock/input/record.ts'
import type { Duration, Instant } from '../mock/input/values.ts'
import type { Fault } from '../mock/state/faults.ts'
import type { Controls } from '../sandbox/controls/controls.ts'
import type { FaultControls } from '../sandbox/controls/faults.ts'
import type { HarDocument } from '../sandbox/controls/har.ts'
import type { DescribingControls } from '../sandbox/controls/http/describing.ts'
import { type RouteName, routes } from '../sandbox/controls/http/routes.ts'
import { keyShorthands } from '../sandbox/controls/keys.ts'
import type { RequestControls, RequestQuery } from '../sandbox/controls/requests.ts'
import type { ProcessControls } from '../sandbox/controls/sandboxes.ts'
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

/** Members that need a function, that `events()` is built on, or that are for hosts of a sandbox. */
type InProcessOnly =
  | 'query'
  | 'onRequest'
  | 'onEvent'
  | 'subscribeUnderWay'
  | 'position'
  | 'next'
  | 'onFinding'

/** First part of a route's name, such as `clock`. */
type GroupName = RouteName extends infer Name
  ? Name extends `${infer Group}.${string}`
    ? Group
    : never
  : never

/** The typed controls, made asynchronous as over HTTP. */
export type RemoteControls<Typed> = {
  // A mapping of `keyof Typed` itself keeps the comments of the members.
  readonly [Name in keyof Typed as Exclude<Name, InProcessOnly>]: Name extends GroupName
    ? RemoteControls<Typed[Name]>
    : Later<Typed[Name]>
}

/** A control over HTTP; a property becomes a function that returns its value. */
type Later<Control> = [Control] extends [(...given: infer Given) => infer Result]
  ? [Arrays<Given[0]>] extends [never]
    ? (...given: Given) => Promise<Awaited<Result>>
    : OneOrMany<Given[0], Result>
  : () => Promise<Control>

type Arrays<Value> = Extract<Value, readonly unknown[]>

/** A control that accepts one item or an array and returns the same. */
interface OneOrMany<Body, Result> {
  (several: Arrays<Body>): Promise<Arrays<Result>>
  (one: Exclude<Body, Arrays<Body>>): Promise<Exclude<Result, Arrays<Result>>>
}

/** All controls of a sandbox and of the server that runs it. */
interface AllControls
  extends Omit<Controls, 'faults' | 'requests'>,
    ProcessControls,
    DescribingControls {
  /** Faults: injected failures. */
  readonly faults: Omit<FaultControls, 'add'> & {
    /** Adds a fault or an array of faults: all of them, or none. */
    add(faults: FaultSettings | readonly FaultSettings[]): Fault | Fault[]
  }
  /** The request log. */
  readonly requests: Omit<RequestControls, 'har'> & {
    /** Returns the matching requests as a HAR file, with the addresses at which clients reach the server. */
    har(query?: RequestQuery): Promise<HarDocument>
  }
}

/** Controls of a sandbox over HTTP: those of {@link Controls}, made asynchronous, and those that only a server has. */
export type SandboxClient = {
  readonly [Name in keyof RemoteControls<AllControls>]: RemoteControls<AllControls>[Name]
} & {
  /** Returns new requests; survives lost connections, resets and restarts of the server. */
  events(options?: EventsOptions): SandboxEvents
}

/** Controls that have a route of their own; the others are built on them. */
type RouteCalls = Omit<SandboxClient, GroupName | 'events'> & {
  readonly [Group in GroupName]: Pick<SandboxClient[Group], MemberOf<Group>>
}

type MemberOf<Group extends GroupName> = {
  [Member in keyof SandboxClient[Group]]: `${Group}.${Member & string}` extends RouteName
    ? Member
    : never
}[keyof SandboxClient[Group]]
