import { NotFoundError } from '../../input/input-error.ts'
import { fromTexts, object, type Properties } from '../../input/object.ts'
import { described, readInput, type Schema, ValidationError } from '../../input/schema.ts'
import { custom, integer } from '../../input/values.ts'
import { maxBodyBytes } from '../../spec/http.ts'
import type { ApiRequest, ApiResponse, Headers } from '../../spec/message.ts'
import type { EventStreams } from './events.ts'
import { type RouteName, routes } from './route-places.ts'

/** A reply whose body goes on for as long as its client stays. */
interface Stream {
  readonly kind: 'stream'
  readonly status: number
  readonly headers: Headers
  /** What is sent, piece by piece; the next one is asked for when the one before is on its way. */
  readonly pieces: AsyncIterable<string>
}

/** What becomes of a control request. */
export type ControlResponse = ApiResponse | Stream

/** Where a control request came in; routes ask for the controls that they need beside it. */
export interface Endpoint {
  /** Where the sandbox is served: what comes before `/v1` and `/_sandbox`. */
  readonly origin: string
  /** Aborts when the client leaves, or the sandbox is dropped. */
  readonly owner?: AbortSignal | undefined
  /** The event streams of the host; by default each has a bound of its own. */
  readonly events?: EventStreams | undefined
}

/** The parts of a request. */
interface RouteInput<Params, Query, Body> {
  readonly request: ApiRequest
  /** What the path names. */
  readonly params: Params
  readonly query: Query
  /** `undefined` for none. */
  readonly body: Body
  /** All controls that the host has. */
  readonly routes: KnownRoutes
}

type Texts = Readonly<Record<string, string>>

/** The groups that the controls are in. */
export const controlTags = {
  sandbox: 'The sandbox as a whole: reset, snapshots, scenarios, how limits act.',
  clock: "The sandbox's time.",
  pets: 'Pets, bypassing the API.',
  keys: 'API keys, with the requests they have left.',
  faults: 'What goes wrong on purpose.',
  requests: 'The request log: the latest requests, and why each got its response.',
  tests: 'Announcements of tests, across which nothing is concluded.',
  findings: 'The findings on the clients: which rules of the spec they broke.',
  gaps: 'Values where the spec leaves something open.',
  verdict: 'What the sandbox says of its clients.',
  sandboxes: 'Named sandboxes of a process.',
  descriptions: 'Descriptions of the APIs, and whether the server is ready.',
} as const

/** The schema of a path's or a query's parameters. */
type Parameters<Values> = Schema<unknown, Values> & { readonly properties: Properties }

/** What is said of a control over HTTP, and how it is executed. */
interface RouteRow<Host, Params, Query, Body, Answer> {
  readonly summary: string
  /** What the summary leaves out: what is changed, what stays, when it is refused. */
  readonly description: string
  /** What the path names; by default nothing. */
  readonly params?: Parameters<Params>
  /** By default no parameters. */
  readonly query?: Parameters<Query>
  /** By default none. */
  readonly body?: Schema<Body, unknown>
  readonly reply: Schema<Answer, unknown>
  /** The status of success: 200 by default, 204 if nothing is returned. */
  readonly status?: 201
  /** The largest body, in bytes; 1 MiB by default. */
  readonly maxBytes?: number
  /** Refusals beyond those of every control, by status. */
  readonly refusals?: Readonly<Record<number, string>>
  run(context: Host & Endpoint & RouteInput<Params, Query, Body>): Answer | Promise<Answer>
  /** The page that a browser gets instead of JSON. */
  readonly page?: (host: Host & Endpoint, routes: KnownRoutes) => string
}

type AnyRow<Host> = RouteRow<Host, unknown, unknown, unknown, unknown>

/** A control over HTTP. */
export interface ControlRoute<Host>
  extends Required<Omit<AnyRow<Host>, 'status' | 'run' | 'page'>>,
    Pick<AnyRow<Host>, 'page'> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/_sandbox`. */
  readonly path: string
  /** Fits such a path, and has what it names as groups. */
  readonly pattern: RegExp
  readonly tag: keyof typeof controlTags
  /** Of success. */
  readonly status: 200 | 201 | 204
  readonly mediaType: 'application/json' | 'text/event-stream'
  /** @throws {@link InputError} for what can't be read or done. */
  readonly run: (
    input: RouteInput<Texts, Texts, unknown>,
    host: Host & Endpoint,
  ) => Promise<unknown>
}

/** A control over HTTP, whatever it asks of its host: to be described, not executed. */
export type KnownRoute = ControlRoute<never>

/** Controls over HTTP, by the name of the typed control. */
export type KnownRoutes = Readonly<Record<string, KnownRoute>>

/** Makes controls over HTTP that are in one group, and ask something of their host, such as the controls of keys. */
export function routesOn<Host>(
  tag: keyof typeof controlTags,
): <Answer, Params = unknown, Query = unknown, Body = undefined>(
  name: RouteName,
  row: RouteRow<Host, Params, Query, Body, Answer>,
) => ControlRoute<Host>
export function routesOn<Host>(tag: keyof typeof controlTags) {
  return (name: RouteName, row: AnyRow<Host>): ControlRoute<Host> => {
    const place = routes[name]
    const { run, reply, params = none, query = none, body = nothing } = row
    return {
      maxBytes: maxBodyBytes,
      refusals: {},
      ...row,
      ...place,
      pattern: patternOf(place.path),
      tag,
      params,
      query,
      body,
      status: row.status ?? (Object.is(reply, nothing) ? 204 : 200),
      mediaType: 'mediaType' in reply ? 'text/event-stream' : 'application/json',
      run: async (input, host) =>
        await run({
          ...host,
          ...input,
          params: readParams(params, input.params),
          query: readInput(query, fromTexts(query, input.query), 'query'),
          // As it was given, since the typed control reads it itself, where it takes the whole.
          body: 'wraps' in place ? body.encode(readInput(body, input.body)) : input.body,
        }),
    }
  }
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll('.', '\\.')
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

/** Reads what a path names; nothing has a name that can't be read. */
function readParams(schema: Parameters<unknown>, texts: Texts): unknown {
  try {
    return schema.parse(fromTexts(schema, texts))
  } catch (thrown) {
    if (!(thrown instanceof ValidationError)) throw thrown
    throw new NotFoundError(`Cannot find ${schema.title ?? ''}: ${thrown.message}`)
  }
}

/** The largest document: a seed, a snapshot, a capture, an archive; in bytes. */
export const maxDocumentBytes = 67_108_864

/** Writes a bound that is a number of MiB. */
export function bytesText(bytes: number): string {
  return `${bytes / 2 ** 20} MiB`
}

/** No parameters. */
const none = object({})

/** The number of something, as a path has it: digits alone, so that nothing has two addresses. */
export function idInPath(about: string): Schema<number> {
  const fromText = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text)
  return { ...described(about, integer(0, 1e15)), fromText }
}

/** No body, or no reply's; who sends one is refused before it would be read. */
export const nothing: Schema<undefined> = {
  expected: 'no body',
  jsonSchema: () => ({}),
  parse: () => undefined,
  encode: () => undefined,
}

/** A body that may be left out: what a schema takes, or nothing. */
export function orNothing<Body, BodyRead>(
  schema: Schema<Body, BodyRead>,
): Schema<Body | undefined, BodyRead | undefined> & { readonly isOptional: true } {
  return {
    ...schema,
    parse: (found) => (found === undefined ? undefined : schema.parse(found)),
    encode: (read) => (read === undefined ? undefined : schema.encode(read)),
    isOptional: true,
  }
}

/** Server-sent events, by their names; each schema describes the data, which is JSON. */
export function eventStream(
  events: Readonly<Record<string, Schema<unknown, unknown>>>,
): Schema<AsyncIterable<string>> & { readonly mediaType: 'text/event-stream' } {
  const schemas = [...new Set(Object.values(events))]
  return {
    ...custom<AsyncIterable<string>>('a stream', isStream),
    jsonSchema: () => ({ anyOf: schemas.map((schema) => schema.jsonSchema()) }),
    mediaType: 'text/event-stream',
  }
}

/** Narrows to what is sent piece by piece. */
export function isStream(found: unknown): found is AsyncIterable<string> {
  return typeof found === 'object' && found !== null && Symbol.asyncIterator in found
}
