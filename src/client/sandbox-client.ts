import type { Controls } from '../control/controls/controls.ts'
import type { allRoutes, RouteName } from '../control/http/routes/routes.ts'
import type { EventsOptions, SandboxEvents } from './sandbox-events.ts'

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
