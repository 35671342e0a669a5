import type { Controls } from '../control/controls.ts'
import { routePlaces } from '../control/http/route-places.ts'
import type { allRoutes, RouteName } from '../control/http/routes.ts'
import type { Duration } from '../input/duration.ts'
import { InputError } from '../input/input-error.ts'
import type { Instant } from '../input/instant.ts'
import { isRecord, namesOf } from '../input/record.ts'
import { EntryStream, type EventsOptions, type SandboxEvents } from './events.ts'
import { inPath, type Remote } from './remote.ts'

/** Gives the controls of a sandbox over a control API. */
export function clientOver(remote: Remote): SandboxClient {
  const calls = callsTo(remote)
  const { clock, keys, journal, pets } = calls
  return {
    ...calls,
    clock: { ...clock, ...clockCalls(clock) },
    keys: { ...keys, setRemaining: (key, remaining) => keys.change(key, { remaining }) },
    pets: { ...pets, size: async () => (await pets.list()).length },
    journal: {
      ...journal,
      last: async (query) => (await journal.entries({ ...query, limit: 1 })).at(-1),
    },
    events: (given) => new EntryStream(remote, given),
  }
}

/** The controls of the clock that are changes of it, each under a name of its own. */
function clockCalls({ read, change }: RouteCalls['clock']) {
  const changeBy = async (wanted: Parameters<typeof change>[0]): Promise<void> => {
    await change(wanted)
  }
  return {
    now: async () => Date.parse((await read()).now),
    advance: (by: Duration) => changeBy({ advance: by }),
    set: (to: Instant) => changeBy({ set: to }),
    freeze: () => changeBy({ mode: 'frozen' }),
    resume: () => changeBy({ mode: 'offset' }),
    scale: (scale: number) => changeBy({ mode: 'scaled', scale }),
    followSystem: () => changeBy({ mode: 'system' }),
  }
}

/** The compiler says which route has no place. */
const places: Readonly<Record<RouteName, Place>> = routePlaces

type AnyCall = (...given: readonly unknown[]) => Promise<unknown>

/** Makes the controls that a remote sandbox has, one of each route. */
export function callsTo(remote: Remote): RouteCalls {
  const single: Record<string, AnyCall> = {}
  const groups: Record<string, Record<string, AnyCall>> = {}
  for (const name of namesOf(places)) {
    const [first = '', member] = name.split('.')
    const call = callTo(remote, places[name])
    if (member === undefined) single[first] = call
    else groups[first] = { ...groups[first], [member]: call }
  }
  const calls: object = { ...single, ...groups }
  // The type and the calls are made of the same table, by the same rule.
  return calls as RouteCalls
}

/** Where a control is, and which property of its body and answer stands for the whole. */
interface Place {
  readonly method: string
  readonly path: string
  readonly wraps?: string | undefined
}

function callTo(remote: Remote, { method, path, wraps }: Place): AnyCall {
  const names = path.match(/\{\w+\}/g) ?? []
  return async (...given) => {
    const place = names.reduce<string>((so, name, at) => so.replace(name, inPath(given[at])), path)
    const [last, others] = given.slice(names.length)
    const isWrapped = wraps !== undefined && last !== undefined
    const body = isWrapped ? { ...objectOf(others), [wraps]: last } : last
    const answer = await remote
      .call(
        method === 'GET' ? { method, path: place + queryOf(last) } : { method, path: place, body },
      )
      .catch((error: unknown) => {
        throw isWrapped ? withoutWrap(error, wraps) : error
      })
    return wraps !== undefined && isRecord(answer) ? answer[wraps] : answer
  }
}

/** The refusal of what the typed control takes alone: there it has no property. */
function withoutWrap(error: unknown, wraps: string): unknown {
  if (!(error instanceof InputError) || error.path[0] !== wraps) return error
  return new InputError(error.message, error.path.slice(1), error.reason)
}

function objectOf(value: unknown): object {
  return isRecord(value) ? value : {}
}

function queryOf(query: unknown): string {
  const given = Object.entries(objectOf(query)).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, textOf(value)]))}`
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

/** What the typed control of a route takes and gives. */
type TypesOf<Name extends RouteName> = NonNullable<(typeof allRoutes)[Name]['types']>

interface AnyTypes {
  readonly path: unknown
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly answer: unknown
  readonly wrapped: unknown
}

/** What a path names, in its order. */
type PathArguments<Path, Params> =
  Path extends `${string}{${infer Name extends keyof Params & string}}${infer Rest}`
    ? [Params[Name], ...PathArguments<Rest, Params>]
    : []

/** The body, or else the query. */
type LastArgument<Types extends AnyTypes> = [Types['body']] extends [undefined]
  ? QueryArgument<Types['query']>
  : [
      ...BodyArgument<Unwrapped<Types['body'], Types['wrapped']>>,
      ...OptionsArgument<Types['body'], Types['wrapped']>,
    ]

type QueryArgument<Query> = [keyof Query] extends [never] ? [] : [query?: Query]

type BodyArgument<Body> = unknown extends Body
  ? [body: Body]
  : undefined extends Body
    ? [body?: Exclude<Body, undefined>]
    : [body: Body]

/** What the typed control takes and gives alone. */
type Unwrapped<Value, Wrapped> = [Wrapped] extends [never]
  ? Value
  : Wrapped extends keyof Value
    ? Value[Wrapped]
    : Value

/** What goes with the property that the typed control takes alone. */
type OptionsArgument<Body, Wrapped> = [Wrapped] extends [never]
  ? []
  : [Exclude<keyof Body, Wrapped>] extends [never]
    ? []
    : [options?: { readonly [Name in keyof Body as Exclude<Name, Wrapped>]: Body[Name] }]

type Arrays<Value> = Extract<Value, readonly unknown[]>

/** An answer is the caller's own. */
type Own<Answer> = Answer extends readonly (infer Item)[] ? Item[] : Answer

/** A control over HTTP; one that takes one of something, or an array of them, gives the same. */
type Call<Types extends AnyTypes> = [Arrays<Types['body']>] extends [never]
  ? (
      ...given: [...PathArguments<Types['path'], Types['params']>, ...LastArgument<Types>]
    ) => Promise<Own<Unwrapped<Types['answer'], Types['wrapped']>>>
  : OneOrMany<Types['body'], Own<Types['answer']>>

interface OneOrMany<Body, Answer> {
  (several: Arrays<Body>): Promise<Arrays<Answer>>
  (one: Exclude<Body, Arrays<Body>>): Promise<Exclude<Answer, Arrays<Answer>>>
  (oneOrSeveral: Body): Promise<Answer>
}

/** The first part of a route's name, such as `clock`. */
type GroupName = RouteName extends infer Name
  ? Name extends `${infer Group}.${string}`
    ? Group
    : never
  : never

type Members<Group extends string> = RouteName extends infer Name
  ? Name extends `${Group}.${infer Member}`
    ? Member
    : never
  : never

/** Every control that has a route, nested by the dots of its name. */
export type RouteCalls = {
  readonly [Name in Exclude<RouteName, `${string}.${string}` | 'events'>]: Call<TypesOf<Name>>
} & {
  readonly [Group in GroupName]: {
    readonly [Member in Members<Group>]: `${Group}.${Member}` extends infer Name extends RouteName
      ? Call<TypesOf<Name>>
      : never
  }
}

/** What needs a function, is what `events()` is made of, or is for hosts of a sandbox. */
type InProcessOnly =
  | 'pets.query'
  | 'journal.subscribe'
  | 'journal.subscribeMarks'
  | 'journal.position'
  | 'journal.next'
  | 'subscribeFindings'

/** A typed control without a route of its own: the same, later. */
type Later<Control> = Control extends (...given: infer Given) => infer Answer
  ? (...given: Given) => Promise<Answer>
  : () => Promise<Control>

/** A group of the typed controls, each by its route, or made of others. */
type RemoteGroup<Group extends GroupName, Typed> = {
  readonly [Member in keyof Typed as `${Group}.${Member & string}` extends InProcessOnly
    ? never
    : Member]: Member extends keyof RouteCalls[Group]
    ? RouteCalls[Group][Member]
    : Later<Typed[Member]>
}

/** The controls of a sandbox over HTTP: those of {@link Controls}, asynchronous, and those that only a process has. */
export type SandboxClient = {
  readonly [Name in Exclude<keyof Controls, InProcessOnly>]: Name extends GroupName
    ? RemoteGroup<Name, Controls[Name]>
    : Name extends keyof RouteCalls
      ? RouteCalls[Name]
      : Later<Controls[Name]>
} & Omit<RouteCalls, keyof Controls> & {
    /** Gives the exchanges to come, over lost connections, resets and restarts of the process. */
    events(options?: EventsOptions): SandboxEvents
  }
